package agents

import (
	"path/filepath"
)

// A spec is all that is known of one agent. What is written for it was tried with the
// program itself, unless a note says otherwise.
type spec struct {
	name, title string
	programs    []string // in the PATH, the first that is there
	home        func(World) string
	folder      string // within a project, with slashes
	own         func(wiring) []part
	project     func(wiring) []part // nil for an agent that reads none there
	events      []event
	plain       bool // it reads no settings with comments or trailing commas
	flat        bool // the handler itself stands in the list of an event
	notes       []string
}

// A wiring is a spec on a machine, and the folder to be written to.
type wiring struct {
	World
	spec
	dir string
}

// seconds and milliseconds are how long an agent waits for a hook. Ours give up after
// less than two seconds by themselves.
const (
	seconds      = 5
	milliseconds = 5000
)

// toolsHeard are the tools of Claude Code that change files, read one or run a command;
// those of MCP servers may. Other tools do not wait for us.
const toolsHeard = "Bash|PowerShell|Edit|Write|MultiEdit|NotebookEdit|Read|mcp__.*"

// claudeEvents are those of Claude Code, with the time that a hook may take, that of the
// end of a session, and the tools before which it is called.
func claudeEvents(time, end int, tools string) []event {
	return []event{
		{theirs: "SessionStart", ours: "session-start", timeout: time},
		{theirs: "UserPromptSubmit", ours: "user-prompt", timeout: time},
		{theirs: "PreToolUse", ours: preTool, timeout: time, matcher: tools},
		{theirs: "PostToolUseFailure", ours: "tool-failure", timeout: time},
		{theirs: "PreCompact", ours: "pre-compact", timeout: time},
		{theirs: "Stop", ours: "stop", timeout: time},
		{theirs: "SubagentStart", ours: "subagent-start", timeout: time},
		{theirs: "SubagentStop", ours: "subagent-stop", timeout: time},
		{theirs: "SessionEnd", ours: "session-end", timeout: end},
	}
}

var table = []spec{
	{
		name: "claude", title: "Claude Code", programs: []string{"claude"}, folder: ".claude", plain: true,
		home:   func(w World) string { return w.or("CLAUDE_CONFIG_DIR", ".claude") },
		events: claudeEvents(seconds, 10, toolsHeard), // the largest of all hooks is how long it waits for any at the end
		own: func(w wiring) []part {
			// The servers of a person are beside the folder, or in one that was moved.
			servers := filepath.Join(w.Home, ".claude.json")
			if w.Getenv("CLAUDE_CONFIG_DIR") != "" {
				servers = w.in(".claude.json")
			}
			return []part{
				w.hooks("settings.json", w.apart), w.mayUse("Bash(%:*)"), {servers, "MCP server", entry{keys: mcpServers, value: w.stdio()}},
				w.allowingSkill("learnings"), // which is the command /learnings too
			}
		},
		project: func(w wiring) []part {
			return []part{
				w.hooks("settings.json", w.apart), w.mayUse("Bash(%:*)"), {filepath.Join(w.Project, ".mcp.json"), "MCP server", entry{keys: mcpServers, value: w.stdio()}},
				w.allowingSkill("learnings"),
			}
		},
		notes: []string{"On its screen Claude Code runs hooks only after you have accepted that you trust its folder; `claude -p` runs them at once."},
	},
	{
		name: "codex", title: "Codex", programs: []string{"codex"}, folder: ".codex", plain: true,
		home: func(w World) string { return w.or("CODEX_HOME", ".codex") },
		events: []event{
			{theirs: "SessionStart", ours: "session-start", timeout: seconds},
			{theirs: "UserPromptSubmit", ours: "user-prompt", timeout: seconds},
			{theirs: "PreToolUse", ours: preTool, timeout: seconds},
			{theirs: "PostToolUse", ours: "post-tool", timeout: seconds}, // failures come with it
			{theirs: "PreCompact", ours: "pre-compact", timeout: seconds},
			{theirs: "Stop", ours: "stop", timeout: seconds},
			{theirs: "SubagentStart", ours: "subagent-start", timeout: seconds},
			{theirs: "SubagentStop", ours: "subagent-stop", timeout: seconds},
			{theirs: "SessionEnd", ours: "session-end", timeout: 3}, // it warns of more at each start
		},
		own: func(w wiring) []part {
			return []part{
				w.hooks("hooks.json", w.oneLine(cmd)), w.codexServer(), w.permission(w.in("rules/learnings.rules"), whole{text: codexRules()}),
				w.skill(), {w.in("prompts/learnings.md"), "command", whole{text: promptMarkdown("$ARGUMENTS")}},
			}
		},
		project: func(w wiring) []part {
			return []part{
				w.hooks("hooks.json", w.oneLine(cmd)), w.codexServer(), w.permission(w.in("rules/learnings.rules"), whole{text: codexRules()}),
				{filepath.Join(w.Project, ".agents", "skills", "learnings", "SKILL.md"), "skill", whole{text: skillMarkdown}},
			}
		},
		notes: []string{
			"Codex asks at its next start: \"Hooks need review\". Until you have answered that you trust them it runs none, and `codex exec` says nothing of it.",
			"The command is /prompts:learnings.",
		},
	},
	{
		name: "gemini", title: "Gemini CLI", programs: []string{"gemini"}, folder: ".gemini",
		home: func(w World) string { return filepath.Join(w.or("GEMINI_CLI_HOME", ""), ".gemini") },
		events: []event{
			{theirs: "SessionStart", ours: "session-start", timeout: milliseconds},
			{theirs: "BeforeAgent", ours: "user-prompt", timeout: milliseconds}, // also brings back after /compress what it took away
			{theirs: "BeforeTool", ours: preTool, timeout: milliseconds},        // it takes a decision there, and no context
			{theirs: "AfterTool", ours: "post-tool", timeout: milliseconds},
			{theirs: "AfterAgent", ours: "stop", timeout: milliseconds},
			{theirs: "SessionEnd", ours: "session-end", timeout: milliseconds},
			// Not PreCompress, which comes before every request.
		},
		own:     geminiParts,
		project: geminiParts,
		notes:   []string{"Gemini CLI runs what a project brings only in folders that you trust."},
	},
	openCode, copilot, pi, cline, qwen, cursor,
}

func geminiParts(w wiring) []part {
	trusted, asks := w.plainServer(), any(nil)
	if trusted.Trust = w.Permit != Withheld; w.Permit == AsItIs {
		asks = w.plainServer()
	}
	return []part{
		w.hooks("settings.json", w.oneLine(powershell)), {w.in("settings.json"), "MCP server", entry{mcpServers, trusted, asks}},
		w.permission(w.in("settings.json"), allowed{path: []string{"tools", "allowed"}, values: commands("run_shell_command(%)")}),
		w.skill(), {w.in("commands/learnings.toml"), "command", whole{text: commandTOML}},
	}
}

var mcpServers = []string{"mcpServers", "learnings"}

// or is the folder that a variable names, or else one in the home folder.
func (w World) or(variable, folder string) string {
	if dir := w.Getenv(variable); filepath.IsAbs(dir) {
		return dir
	}
	return filepath.Join(w.Home, folder)
}

// hooks are those of the agent in a file of its folder.
func (w wiring) hooks(file string, call func(string) (string, []string)) part {
	return part{w.in(file), "hooks", hooks{events: w.events, guard: w.Guard, flat: w.flat, call: call}}
}

// in is a file of the agent's folder, by its path with slashes.
func (w wiring) in(file string) string { return filepath.Join(w.dir, filepath.FromSlash(file)) }

// apart is the command of a hook and its arguments.
func (w wiring) apart(event string) (string, []string) {
	return w.Hook, []string{event, "--for", w.name}
}

// oneLine is the command of a hook as one string; on Windows for the shell that the
// agent runs it with.
func (w wiring) oneLine(windows shell) func(string) (string, []string) {
	sh := posix
	if w.OS == "windows" {
		sh = windows
	}
	return func(event string) (string, []string) {
		return sh.quoted(w.Hook) + " " + event + " --for " + w.name, nil
	}
}

// A server is how an agent starts our MCP server.
type server struct {
	Type    string   `json:"type,omitempty"`
	Command string   `json:"command"`
	Args    []string `json:"args"`
	// What Gemini CLI and Codex do with calls of its tools.
	Trust    bool   `json:"trust,omitempty"`
	Approval string `json:"default_tools_approval_mode,omitempty"`
}

func (w wiring) plainServer() server { return server{Command: w.Program, Args: []string{"mcp"}} }

func (w wiring) stdio() server {
	s := w.plainServer()
	s.Type = "stdio"
	return s
}

// codexServer is the MCP server in Codex's file.
func (w wiring) codexServer() part {
	e := tomlEntry{keys: []string{"mcp_servers", "learnings"}, value: w.plainServer()}
	if asks := e.value; w.Permit != Withheld {
		if e.value.Approval = "approve"; w.Permit == AsItIs {
			e.asks = &asks
		}
	}
	return part{w.in("config.toml"), "MCP server", e}
}

// mayUse is what Claude Code, and Qwen Code after it, may do without asking; form is that
// of a command of the shell.
func (w wiring) mayUse(form string) part {
	return w.permission(w.in("settings.json"), allowed{path: []string{"permissions", "allow"}, values: append(commands(form), claudeTools("learnings")...)})
}

func (w wiring) skill() part {
	return part{w.in("skills/learnings/SKILL.md"), "skill", whole{text: skillMarkdown}}
}

// allowingSkill is the skill with what may be done without asking where it is used.
func (w wiring) allowingSkill(server string) part {
	p, k := w.skill(), whole{text: skillAllowing(server)}
	switch w.Permit {
	case Withheld:
		return p
	case AsItIs:
		k.asks = skillMarkdown
	}
	p.kind = k
	return p
}
