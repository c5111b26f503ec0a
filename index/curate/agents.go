package curate

import (
	"slices"
	"strings"

	"learnings/lessons"
)

// An agent is a coding agent with the signs that it runs a command: variables that it sets
// for its commands, and names of its program among the parents of the process. To add one
// see docs/development.md.
type agent struct {
	name      string
	variables []string
	programs  []string // names without folder and extension, in lower case
}

// agents lists agents whose variables or programs are documented or in their public source.
// It omits variables that editors also set in people's terminals (CURSOR_TRACE_ID) and
// programs that people run their shells in.
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
	{"Antigravity", []string{"ANTIGRAVITY_AGENT"}, []string{"agy"}},
	{"Amp", []string{"AMP_CURRENT_THREAD_ID"}, []string{"amp"}},
	{"pi", []string{"PI_CODING_AGENT"}, []string{"pi-coding-agent"}},
	{"Droid", nil, []string{"droid"}},
	{"Kilo Code", []string{"KILO"}, []string{"kilo", "kilocode"}},
	{"Junie", nil, []string{"junie"}},
	{"Aider", nil, []string{"aider"}},
	{"an agent", []string{"AI_AGENT", "AGENT"}, nil},
}

// Agent names the coding agent whose session a process runs in; "" for none. A variable
// counts if it is set, even empty: an agent that clears it is still found among the
// parents.
func Agent(lookup func(variable string) (string, bool), above []Program) string {
	for _, a := range agents {
		if slices.ContainsFunc(a.variables, func(v string) bool { _, set := lookup(v); return set }) {
			return a.name
		}
	}
	for _, program := range above {
		for _, a := range agents {
			if slices.ContainsFunc(a.programs, func(p string) bool { return slices.Contains(program.Names, p) }) {
				return a.name
			}
		}
	}
	return ""
}

// AgentClient names the coding agent that a protocol client says it is, such as
// "claude-code" or "codex-mcp-client". A client is always an agent; an unknown one is "an
// agent".
func AgentClient(client string) string {
	client = strings.ToLower(client)
	for _, a := range agents {
		if slices.ContainsFunc(a.programs, func(p string) bool { return client == p || strings.HasPrefix(client, p+"-") }) {
			return a.name
		}
	}
	return agents[len(agents)-1].name
}

// IsAgent reports whether a name in the journal is an agent's.
func IsAgent(name string) bool {
	return slices.ContainsFunc(agents, func(a agent) bool { return a.name == name })
}

// mostParents is how many parents are recorded with a decision.
const mostParents = 6

// Manner describes for the journal how a decision is made: by a program, and otherwise at
// a terminal or by a script; and in which programs, the nearest first.
func Manner(alone, terminal bool, above []Program) string {
	how := "script"
	switch {
	case alone:
		how = lessons.ByProgram
	case terminal:
		how = "terminal"
	}
	var in []string
	for _, p := range above[:min(len(above), mostParents)] {
		if len(p.Names) > 0 {
			in = append(in, p.Names[0])
		}
	}
	if len(in) > 0 {
		how += " in " + strings.Join(in, " in ")
	}
	return how
}

// sessions are the variables that hold the id of an agent's session.
var sessions = []string{"CLAUDE_CODE_SESSION_ID", "CODEX_THREAD_ID"}

// AgentSession returns the id of the agent session that a process runs in; "" if unknown.
func AgentSession(getenv func(string) string) string {
	for _, variable := range sessions {
		if id := getenv(variable); id != "" {
			return id
		}
	}
	return ""
}
