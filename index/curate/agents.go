package curate

import "slices"

// agents are variables that coding agents set for the commands they run. One
// that editors also set for the terminals of people (CURSOR_TRACE_ID) is left
// out.
var agents = []struct{ variable, name string }{
	{"CLAUDECODE", "Claude Code"}, {"CLAUDE_CODE_CHILD_SESSION", "Claude Code"},
	{"CODEX_SANDBOX", "Codex"}, {"CODEX_THREAD_ID", "Codex"}, {"CURSOR_AGENT", "Cursor"},
	{"GEMINI_CLI", "Gemini CLI"}, {"OPENCODE", "OpenCode"}, {"CLINE_ACTIVE", "Cline"}, {"AI_AGENT", "an agent"},
}

// Agent names the coding agent in whose session a process with these environment
// variables runs; "" for none.
func Agent(getenv func(string) string) string {
	for _, a := range agents {
		if v := getenv(a.variable); v != "" && v != "0" && v != "false" {
			return a.name
		}
	}
	return ""
}

// IsAgent reports that a name in the journal is an agent's.
func IsAgent(name string) bool {
	return slices.ContainsFunc(agents, func(a struct{ variable, name string }) bool { return a.name == name })
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
