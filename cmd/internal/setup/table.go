package setup

import (
	"path/filepath"
	"strings"
)

// A spec describes one agent. Everything written for it was tried with the program
// itself, unless a note says otherwise.
type spec struct {
	name, title string
	programs    []string // in the PATH; the first that exists counts
	home        func(Machine) string
	signs       []string // of the agent in its home folder, which others use too; nil for none
	folder      string   // within a project, with slashes
	own         func(wiring) []part
	project     func(wiring) []part // nil for an agent that reads no settings in projects
	events      []event
	plain       bool // it cannot read comments or trailing commas
	flat        bool // handlers are directly in the list of an event
	off         switchOff
	notes       []string
}

// A wiring is a spec on a machine, with the folder to write to.
type wiring struct {
	Machine
	spec
	dir string
}

// How long an agent waits for a hook. Our hooks give up by themselves in less than two
// seconds.
const (
	seconds      = 5
	milliseconds = 5000
)

// toolsHeard are the tools of Claude Code that change files, read one or run a command,
// and MCP tools, which may do so. Other tools do not wait for us.
const toolsHeard = "Bash|PowerShell|Edit|Write|MultiEdit|NotebookEdit|Read|mcp__.*"

// claudeEvents returns Claude Code's events, with the timeout of a hook and of a
// session's end, and the tools of the pre-tool event.
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
		off:    switchOff{"settings.json", []string{"disableAllHooks"}, true},
		home:   func(w Machine) string { return w.or("CLAUDE_CONFIG_DIR", ".claude") },
		events: claudeEvents(seconds, 10, toolsHeard), // at the end it waits as long for every hook as the largest timeout
		own: func(w wiring) []part {
			// The file of servers is beside the default folder, or inside a moved one.
			servers := filepath.Join(w.Home, ".claude.json")
			if w.Getenv("CLAUDE_CONFIG_DIR") != "" {
				servers = w.in(".claude.json")
			}
			return []part{
				w.hooks("settings.json", w.apart), w.mayUse("Bash(%:*)"), {servers, "MCP server", entry{keys: mcpServers, value: w.stdio()}},
				w.allowingSkill("learnings"), // also the command /learnings
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
		off:  switchOff{"config.toml", []string{"features", "hooks"}, false},
		home: func(w Machine) string { return w.or("CODEX_HOME", ".codex") },
		events: []event{
			{theirs: "SessionStart", ours: "session-start", timeout: seconds},
			{theirs: "UserPromptSubmit", ours: "user-prompt", timeout: seconds},
			{theirs: "PreToolUse", ours: preTool, timeout: seconds},
			{theirs: "PostToolUse", ours: "post-tool", timeout: seconds}, // includes failures
			{theirs: "PreCompact", ours: "pre-compact", timeout: seconds},
			{theirs: "Stop", ours: "stop", timeout: seconds},
			{theirs: "SubagentStart", ours: "subagent-start", timeout: seconds},
			{theirs: "SubagentStop", ours: "subagent-stop", timeout: seconds},
			{theirs: "SessionEnd", ours: "session-end", timeout: 3}, // a longer timeout causes a warning at each start
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
		off:   switchOff{"settings.json", []string{"hooksConfig", "enabled"}, false},
		signs: []string{"settings.json", "tmp"}, // Antigravity keeps its own there
		home:  func(w Machine) string { return filepath.Join(w.or("GEMINI_CLI_HOME", ""), ".gemini") },
		events: []event{
			{theirs: "SessionStart", ours: "session-start", timeout: milliseconds},
			{theirs: "BeforeAgent", ours: "user-prompt", timeout: milliseconds}, // also restores the lessons that /compress removed
			{theirs: "BeforeTool", ours: preTool, timeout: milliseconds},        // takes a decision but no context
			{theirs: "AfterTool", ours: "post-tool", timeout: milliseconds},
			{theirs: "AfterAgent", ours: "stop", timeout: milliseconds},
			{theirs: "SessionEnd", ours: "session-end", timeout: milliseconds},
			// Not PreCompress, which it calls before every request.
		},
		own:     geminiParts,
		project: geminiParts,
		notes:   []string{"Gemini CLI runs what a project brings only in folders that you trust."},
	},
	openCode, copilot, pi, cline, qwen, cursor, kilo, droid,
	asking("antigravity", "Antigravity", "agy", at("", ".gemini/config"), "mcp_config.json", mcpServers...),
	asking("copilot-chat", "Copilot Chat in VS Code", "code", vscodeHome, "mcp.json", "servers", "learnings"),
	asking("amp", "Amp", "amp", at("XDG_CONFIG_HOME", ".config", "amp"), "settings.json", "amp.mcpServers", "learnings"),
	asking("crush", "Crush", "crush", at("XDG_CONFIG_HOME", ".config", "crush"), "crush.json", "mcp", "learnings"),
	asking("windsurf", "Windsurf", "windsurf", at("", ".codeium/windsurf"), "mcp_config.json", mcpServers...),
	asking("kiro", "Kiro", "kiro-cli", at("KIRO_HOME", ".kiro"), "settings/mcp.json", mcpServers...),
	asking("junie", "Junie", "junie", at("", ".junie"), "mcp/mcp.json", mcpServers...),
}

func geminiParts(w wiring) []part {
	trusted := w.plainServer()
	trusted.Trust = true
	parts := []part{
		w.hooks("settings.json", w.oneLine(powershell)), w.either(w.in("settings.json"), "MCP server", entry{mcpServers, trusted}, entry{mcpServers, w.plainServer()}),
		// Earlier versions of setup wrote this list, with which `gemini --yolo -p` refuses every other command.
		{w.in("settings.json"), "permissions", withheld{allowed{path: []string{"tools", "allowed"}, values: commands("run_shell_command(%)")}}},
		w.skill(), {w.in("commands/learnings.toml"), "command", whole{text: commandTOML}},
	}
	if w.Project == "" { // policies of a project are not read by every version
		parts = append(parts, w.permission(w.in("policies/learnings.toml"), whole{text: geminiPolicy()}))
	}
	return parts
}

var mcpServers = []string{"mcpServers", "learnings"}

// or returns the folder in a variable, or else a folder in the home folder.
func (w Machine) or(variable, folder string) string {
	if dir := w.Getenv(variable); filepath.IsAbs(dir) {
		return dir
	}
	return filepath.Join(w.Home, folder)
}

// hooks returns the part for the hooks in a file of the agent's folder.
func (w wiring) hooks(file string, call func(string) (string, []string)) part {
	return part{w.in(file), "hooks", hooks{events: w.events, guard: w.Guard, flat: w.flat, call: call}}
}

// in returns the path of a file in the agent's folder, given with slashes.
func (w wiring) in(file string) string { return filepath.Join(w.dir, filepath.FromSlash(file)) }

// apart returns a hook's command with separate arguments.
func (w wiring) apart(event string) (string, []string) {
	if w.Project != "" {
		return w.oneLine(posix)(event)
	}
	return w.Hook, append([]string{event, "--for", w.name}, w.Pins...)
}

// unlessMissing ends a command in a project's settings: the agents of people who have no
// learnings take its absence for an empty answer.
const unlessMissing = " || exit 0"

// oneLine returns a hook's command as one string, on Windows for the shell that the agent
// uses.
func (w wiring) oneLine(windows shell) func(string) (string, []string) {
	sh := posix
	if w.OS == "windows" {
		sh = windows
	}
	end := ""
	if w.Project != "" {
		sh, end = posix, unlessMissing
	}
	return func(event string) (string, []string) {
		return sh.quoted(w.Hook) + " " + event + " --for " + w.name + w.pinned(sh) + end, nil
	}
}

// pinned returns the pins as the end of a command.
func (w wiring) pinned(sh shell) (end string) {
	for _, p := range w.Pins {
		end += " " + strings.TrimPrefix(sh.quoted(p), "& ")
	}
	return end
}

// A server is an agent's entry for our MCP server.
type server struct {
	Type    string   `json:"type,omitempty"`
	Command string   `json:"command"`
	Args    []string `json:"args"`
	// How Gemini CLI and Codex handle calls of its tools.
	Trust    bool   `json:"trust,omitempty"`
	Approval string `json:"default_tools_approval_mode,omitempty"`
}

func (w wiring) plainServer() server {
	return server{Command: w.Program, Args: append([]string{"mcp"}, w.Pins...)}
}

func (w wiring) stdio() server {
	s := w.plainServer()
	s.Type = "stdio"
	return s
}

// codexServer returns the MCP server in Codex's file.
func (w wiring) codexServer() part {
	keys, approved := []string{"mcp_servers", "learnings"}, w.plainServer()
	approved.Approval = "approve"
	return w.either(w.in("config.toml"), "MCP server", tomlEntry{keys, approved}, tomlEntry{keys, w.plainServer()})
}

// mayUse returns the permissions of Claude Code and Qwen Code; form is that of a shell
// command.
func (w wiring) mayUse(form string) part {
	return w.permission(w.in("settings.json"), allowed{path: []string{"permissions", "allow"}, values: append(commands(form), claudeTools("learnings")...)})
}

func (w wiring) skill() part {
	return part{w.in("skills/learnings/SKILL.md"), "skill", whole{text: skillMarkdown}}
}

// allowingSkill returns the skill with its permissions.
func (w wiring) allowingSkill(server string) part {
	return w.either(w.skill().path, "skill", whole{text: skillAllowing(server)}, w.skill().kind)
}

// openCode has plugins in place of hooks. Ours adds the lessons to the system prompt, so
// that they survive a compaction.
var openCode = spec{
	name: "opencode", title: "OpenCode", programs: []string{"opencode"}, folder: ".opencode",
	home: func(w Machine) string {
		if dir := w.Getenv("OPENCODE_CONFIG_DIR"); filepath.IsAbs(dir) {
			return dir
		}
		return filepath.Join(w.or("XDG_CONFIG_HOME", ".config"), "opencode")
	},
	own:     openCodeParts,
	project: openCodeParts,
}

func openCodeParts(w wiring) []part {
	settings := w.in(w.name + ".json")
	if jsonc := settings + "c"; fileExists(jsonc) && !fileExists(settings) {
		settings = jsonc
	}
	type local struct {
		Type    string   `json:"type"`
		Command []string `json:"command"`
		Enabled bool     `json:"enabled"`
	}
	return []part{
		{w.in("plugins/learnings.js"), "hooks", plugin(w, openCodePlugin)},
		{w.in(".npmrc"), "patience", whole{text: openCodeNpmrc}},
		{settings, "MCP server", entry{keys: []string{"mcp", "learnings"}, value: local{"local", append([]string{w.Program, "mcp"}, w.Pins...), true}}},
		w.permission(settings, allowed{path: []string{"permission", "bash"}, values: commands("% *"), members: true}),
		w.permission(settings, allowed{path: []string{"permission"}, values: []string{"learnings_*"}, members: true}),
		w.skill(), {w.in("commands/learnings.md"), "command", whole{text: promptMarkdown("$ARGUMENTS")}},
	}
}

// copilot takes answers only at the start of a session and after a tool. It refuses all
// inline hooks if it does not know one event.
var copilot = spec{
	name: "copilot", title: "Copilot CLI", programs: []string{"copilot"}, folder: ".github/copilot",
	off:  switchOff{"settings.json", []string{"disableAllHooks"}, true},
	home: func(w Machine) string { return w.or("COPILOT_HOME", ".copilot") },
	events: []event{
		{theirs: "SessionStart", ours: "session-start", timeout: seconds},
		{theirs: "PreToolUse", ours: preTool, timeout: seconds, guard: true},
		{theirs: "PostToolUse", ours: "post-tool", timeout: seconds},
		{theirs: "PreCompact", ours: "pre-compact", timeout: seconds},
		{theirs: "Stop", ours: "stop", timeout: seconds},
		{theirs: "SubagentStop", ours: "subagent-stop", timeout: seconds},
		{theirs: "SessionEnd", ours: "session-end", timeout: seconds},
	},
	own: func(w wiring) []part {
		type local struct {
			server
			Tools []string `json:"tools"`
		}
		s := local{w.plainServer(), []string{"*"}}
		s.Type = "local"
		return []part{
			w.hooks("settings.json", w.oneLine(powershell)), {w.in("mcp-config.json"), "MCP server", entry{keys: mcpServers, value: s}},
			w.skill(), // also the command /learnings
		}
	},
	notes: []string{asksAnyway("Copilot CLI"), "With --guard Copilot CLI refuses every call of a tool when learnings-hook is gone: run `learnings setup copilot --remove` before you uninstall it."},
}

// pi has extensions in place of hooks.
var pi = spec{
	name: "pi", title: "pi", programs: []string{"pi"}, folder: ".pi",
	home:    func(w Machine) string { return w.or("PI_CODING_AGENT_DIR", ".pi/agent") },
	own:     piParts,
	project: piParts,
}

func piParts(w wiring) []part {
	return []part{
		{w.in("extensions/learnings.ts"), "hooks", plugin(w, piExtension)},
		w.skill(), {w.in("prompts/learnings.md"), "command", whole{text: promptMarkdown("$@")}},
	}
}

// cline passes hook answers to the model only in the editor, so a rule tells it to ask by
// itself.
var cline = spec{
	name: "cline", title: "Cline", programs: []string{"cline"},
	home: func(w Machine) string { return w.or("CLINE_DIR", ".cline") },
	own: func(w wiring) []part {
		// Read all input first: Cline is slow to write it, and our hook does not wait.
		name, script := "hooks/TaskComplete", "#!/bin/sh\n# Taken out by `"+mark+"`.\nsaid=$(cat)\nprintf '%s' \"$said\" | "+posix.quoted(w.Hook)+" stop --for cline"+w.pinned(posix)+"\n"
		if w.OS == "windows" {
			name, script = "hooks/TaskComplete.ps1", "# Taken out by `"+mark+"`.\r\n@($input) | & "+strings.TrimPrefix(powershell.quoted(w.Hook), "& ")+" stop --for cline"+w.pinned(powershell)+"\r\n"
		}
		data := w.or("CLINE_DATA_DIR", "")
		if w.Getenv("CLINE_DATA_DIR") == "" {
			data = w.in("data")
		}
		return []part{
			{w.in("rules/learnings.md"), "rules", whole{text: clineRules}},
			{w.in(name), "hooks", whole{text: script, mode: 0o755, events: []string{"stop"}}},
			{filepath.Join(data, "settings", "cline_mcp_settings.json"), "MCP server", entry{keys: mcpServers, value: w.plainServer()}},
			w.skill(),
		}
	},
	notes: []string{asksAnyway("Cline"), "In the editor Cline runs hooks only when its setting \"Enable Hooks\" is on."},
}

// qwen calls hooks as Claude Code does, with timeouts in milliseconds. Without a screen,
// versions before 0.24 only call the end of a turn.
var qwen = spec{
	name: "qwen", title: "Qwen Code", programs: []string{"qwen"}, folder: ".qwen",
	off:     switchOff{"settings.json", []string{"disableAllHooks"}, true},
	home:    func(w Machine) string { return w.or("QWEN_HOME", ".qwen") },
	events:  claudeEvents(milliseconds, milliseconds, ""),
	own:     qwenParts,
	project: qwenParts,
	notes:   []string{"Qwen Code before 0.24 gives no lessons to a session by itself: there the command /learnings and the MCP server look them up."},
}

func qwenParts(w wiring) []part {
	return []part{
		w.hooks("settings.json", w.oneLine(powershell)), {w.in("settings.json"), "MCP server", entry{keys: mcpServers, value: w.plainServer()}}, w.mayUse("Bash(% *)"),
		w.skill(), {w.in("commands/learnings.md"), "command", whole{text: promptMarkdown("{{args}}")}},
	}
}

// cursor follows its documentation, untested. It does not pass answers on prompts and
// failed tools to its model, so these are not wired.
var cursor = spec{
	name: "cursor", title: "Cursor", programs: []string{"cursor-agent", "cursor"}, folder: ".cursor", flat: true,
	home: func(w Machine) string { return w.or("", ".cursor") },
	events: []event{
		{theirs: "sessionStart", ours: "session-start", timeout: seconds},
		{theirs: "preToolUse", ours: preTool, timeout: seconds},                                   // takes a decision but no context
		{theirs: "postToolUse", ours: "post-tool", timeout: seconds, matcher: "Shell|Read|Write"}, // includes failed commands
		{theirs: "preCompact", ours: "pre-compact", timeout: seconds},
		{theirs: "stop", ours: "stop", timeout: seconds},
		{theirs: "subagentStop", ours: "subagent-stop", timeout: seconds},
		{theirs: "sessionEnd", ours: "session-end", timeout: seconds},
	},
	own:     cursorParts,
	project: cursorParts,
	notes: []string{
		asksAnyway("Cursor"),
		"What is written for Cursor follows its documentation and was not tried with Cursor itself.",
		"Cursor also runs the hooks of Claude Code when its setting for third-party hooks is on.",
	},
}

func cursorParts(w wiring) []part {
	return []part{
		w.hooks("hooks.json", w.oneLine(powershell)), {w.in("mcp.json"), "MCP server", entry{keys: mcpServers, value: w.plainServer()}},
		w.skill(), {w.in("commands/learnings.md"), "command", whole{text: promptMarkdown("what stands after the command")}},
	}
}

// kilo is built on OpenCode and takes the same plugin.
var kilo = spec{
	name: "kilo", title: "Kilo Code", programs: []string{"kilo", "kilocode"}, folder: ".kilo",
	home: func(w Machine) string {
		if dir := w.Getenv("KILO_CONFIG_DIR"); filepath.IsAbs(dir) {
			return dir
		}
		return filepath.Join(w.or("XDG_CONFIG_HOME", ".config"), "kilo")
	},
	own:     openCodeParts,
	project: openCodeParts,
}

// droid calls hooks as Claude Code does. Without a screen it does not call the one for
// prompts.
var droid = spec{
	name: "droid", title: "Factory's Droid", programs: []string{"droid"}, folder: ".factory",
	home: func(w Machine) string { return w.or("", ".factory") },
	events: []event{
		{theirs: "SessionStart", ours: "session-start", timeout: seconds},
		{theirs: "UserPromptSubmit", ours: "user-prompt", timeout: seconds},
		{theirs: "PreToolUse", ours: preTool, timeout: seconds},
		{theirs: "PostToolUse", ours: "post-tool", timeout: seconds},
		{theirs: "PreCompact", ours: "pre-compact", timeout: seconds},
		{theirs: "Stop", ours: "stop", timeout: seconds},
		{theirs: "SubagentStop", ours: "subagent-stop", timeout: seconds},
		{theirs: "SessionEnd", ours: "session-end", timeout: seconds},
	},
	own:     droidParts,
	project: droidParts,
	notes:   []string{"Tried with Droid itself: the lessons of a start. What it does with answers on prompts and tools follows its documentation."},
}

func droidParts(w wiring) []part {
	return []part{
		w.hooks("settings.json", w.oneLine(powershell)), {w.in("mcp.json"), "MCP server", entry{keys: mcpServers, value: w.stdio()}},
		w.skill(), {w.in("commands/learnings.md"), "command", whole{text: promptMarkdown("$ARGUMENTS")}},
	}
}

// asking is an agent without hooks that take lessons: its model asks the MCP server. What
// is written follows its documentation.
func asking(name, title, program string, home func(Machine) string, file string, keys ...string) spec {
	return spec{
		name: name, title: title, programs: []string{program}, home: home,
		own: func(w wiring) []part {
			return []part{{w.in(file), "MCP server", entry{keys: keys, value: w.stdio()}}}
		},
		notes: []string{
			title + " gives no lessons to a session by itself: its model looks them up by the MCP server. `learnings publish --add agents-md` puts them where it reads instructions.",
			"What is written for " + title + " follows its documentation and was not tried with it.",
		},
	}
}

// at returns the folder of settings that a variable names, or else one below the home
// folder, and a folder in it.
func at(variable, folder string, below ...string) func(Machine) string {
	return func(w Machine) string {
		return filepath.Join(append([]string{w.or(variable, filepath.FromSlash(folder))}, below...)...)
	}
}

// vscodeHome returns the folder of a person's settings of VS Code.
func vscodeHome(w Machine) string {
	switch w.OS {
	case "darwin":
		return filepath.Join(w.Home, "Library", "Application Support", "Code", "User")
	case "windows":
		return filepath.Join(w.or("APPDATA", filepath.Join("AppData", "Roaming")), "Code", "User")
	}
	return filepath.Join(w.or("XDG_CONFIG_HOME", ".config"), "Code", "User")
}
