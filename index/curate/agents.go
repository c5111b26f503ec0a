package curate

import (
	"slices"
	"strings"
)

// An agent is a coding agent, with what shows that it runs a command: variables
// that it sets for the commands it runs, and the names of its program among the
// parents of the process. To add one see docs/development.md.
type agent struct {
	name      string
	variables []string
	programs  []string // without folder and ending, in lower case
}

// agents are those whose variables or programs are documented or stand in their
// public source. A variable that editors also set for the terminals of people is
// left out (CURSOR_TRACE_ID), and so is a program that people run their shells in.
var agents = []agent{
	{"Claude Code", []string{"CLAUDECODE", "CLAUDE_CODE_CHILD_SESSION", "CLAUDE_CODE_ENTRYPOINT"}, []string{"claude", "claude-code"}},
	{"Codex", []string{"CODEX_SANDBOX", "CODEX_SANDBOX_NETWORK_DISABLED", "CODEX_THREAD_ID", "CODEX_CI"}, []string{"codex", "codex-linux-sandbox"}},
	{"Cursor", []string{"CURSOR_AGENT"}, []string{"cursor-agent"}},
	{"Gemini CLI", []string{"GEMINI_CLI"}, []string{"gemini", "gemini-cli"}},
	{"Qwen Code", []string{"QWEN_CODE"}, []string{"qwen", "qwen-code"}},
	{"OpenCode", []string{"OPENCODE", "OPENCODE_CLIENT"}, []string{"opencode"}},
	{"Copilot CLI", []string{"COPILOT_CLI"}, []string{"copilot", "copilot-cli"}},
	{"Cline", []string{"CLINE_ACTIVE"}, []string{"cline"}},
	{"Goose", []string{"GOOSE_TERMINAL"}, []string{"goose", "goosed"}},
	{"Crush", []string{"CRUSH"}, []string{"crush"}},
	{"Auggie", []string{"AUGMENT_AGENT"}, []string{"auggie"}},
	{"Antigravity", []string{"ANTIGRAVITY_AGENT"}, nil},
	{"Amp", []string{"AMP_CURRENT_THREAD_ID"}, []string{"amp"}},
	{"pi", []string{"PI_CODING_AGENT"}, []string{"pi-coding-agent"}},
	{"Droid", nil, []string{"droid"}},
	{"Aider", nil, []string{"aider"}},
	{"an agent", []string{"AI_AGENT", "AGENT"}, nil},
}

// Agent names the coding agent in whose session a process runs; "" for none. A
// variable counts when it is set, to whatever value: an agent that may unset or
// empty it is still seen by its program among the parents. Of each parent all
// names are given that it is known by.
func Agent(lookup func(variable string) (string, bool), parents [][]string) string {
	for _, a := range agents {
		if slices.ContainsFunc(a.variables, func(v string) bool { _, set := lookup(v); return set }) {
			return a.name
		}
	}
	for _, names := range parents {
		for _, a := range agents {
			if slices.ContainsFunc(a.programs, func(p string) bool { return slices.Contains(names, p) }) {
				return a.name
			}
		}
	}
	return ""
}

// AgentClient names the coding agent that a client of a protocol says it is, such as
// "claude-code" or "codex-mcp-client": a client is always an agent, if only "an agent".
func AgentClient(client string) string {
	client = strings.ToLower(client)
	for _, a := range agents {
		if slices.ContainsFunc(a.programs, func(p string) bool { return client == p || strings.HasPrefix(client, p+"-") }) {
			return a.name
		}
	}
	return agents[len(agents)-1].name
}

// IsAgent reports that a name in the journal is an agent's.
func IsAgent(name string) bool {
	return slices.ContainsFunc(agents, func(a agent) bool { return a.name == name })
}

// mostParents is how many parents are recorded with a decision.
const mostParents = 6

// Manner words how a decision is made, for the journal: at a terminal or by a
// script, and in which programs, the nearest first.
func Manner(terminal bool, parents [][]string) string {
	how := "script"
	if terminal {
		how = "terminal"
	}
	var in []string
	for _, names := range parents[:min(len(parents), mostParents)] {
		if len(names) > 0 {
			in = append(in, names[0])
		}
	}
	if len(in) > 0 {
		how += " in " + strings.Join(in, " in ")
	}
	return how
}

// sessions are the variables in which agents give the id of their session.
var sessions = []string{"CLAUDE_CODE_SESSION_ID", "CODEX_THREAD_ID"}

// AgentSession is the id of the agent's session in which a process runs; "" when
// it is not known.
func AgentSession(getenv func(string) string) string {
	for _, variable := range sessions {
		if id := getenv(variable); id != "" {
			return id
		}
	}
	return ""
}
