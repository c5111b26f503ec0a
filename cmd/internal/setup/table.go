package setup

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"
)

// A spec describes one agent. Everything written for it was tried with the program
// itself, unless a note says otherwise.
type spec struct {
	name, title string
	programs    []string // in the PATH; the first that exists counts
	home        func(Machine) string
	signs       []string // of the agent in its home folder, which others use too; nil for none
	folder      string   // within a project, with slashes; "" for an agent that gets no settings there
	parts       func(wiring) []part
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

// crushTools are those of Crush.
const crushTools = "^(bash|edit|multiedit|write|view|mcp_.*)$"

// claudeNames are Claude Code's names of events, which most other agents use too.
var claudeNames = map[string]string{
	"session-start": "SessionStart", "user-prompt": "UserPromptSubmit", preTool: "PreToolUse", "post-tool": "PostToolUse", "tool-failure": "PostToolUseFailure",
	"pre-compact": "PreCompact", "stop": "Stop", "subagent-start": "SubagentStart", "subagent-stop": "SubagentStop", "session-end": "SessionEnd",
}

// claudes returns events by Claude Code's names, given by ours, with the timeout of a hook.
func claudes(timeout int, ours ...string) (out []event) {
	for _, name := range ours {
		out = append(out, event{theirs: claudeNames[name], ours: name, timeout: timeout})
	}
	return out
}

// claudeEvents are the events of Claude Code, and of Qwen Code.
var claudeEvents = []string{"session-start", "user-prompt", preTool, "tool-failure", "pre-compact", "stop", "subagent-start", "subagent-stop", "session-end"}

// but returns events with another one in the place of one of them.
func but(events []event, other event) []event {
	i := slices.IndexFunc(events, func(e event) bool { return e.ours == other.ours })
	other.theirs, other.timeout = events[i].theirs, cmp.Or(other.timeout, events[i].timeout)
	events[i] = other
	return events
}

var table = []spec{
	{
		name: "claude", title: "Claude Code", programs: []string{"claude"}, folder: ".claude", plain: true,
		off:  switchOff{"settings.json", []string{"disableAllHooks"}, true},
		home: func(w Machine) string { return w.or("CLAUDE_CONFIG_DIR", ".claude") },
		// At the end it waits as long for every hook as the largest timeout.
		events: but(but(claudes(seconds, claudeEvents...), event{ours: "session-end", timeout: 10}), event{ours: preTool, matcher: toolsHeard}),
		parts: func(w wiring) []part {
			// The file of servers is beside the default folder, or inside a moved one.
			servers := filepath.Join(w.Home, ".claude.json")
			if w.Project != "" {
				servers = filepath.Join(w.Project, ".mcp.json")
			} else if w.Getenv("CLAUDE_CONFIG_DIR") != "" {
				servers = w.in(".claude.json")
			}
			return []part{
				w.hooks("settings.json", w.apart), w.mayUse("Bash(%:*)"), server(servers, w.stdio(), mcpServers...),
				w.allowingSkill("learnings"), // also the command /learnings
			}
		},
		notes: []string{"On its screen Claude Code runs hooks only after you have accepted that you trust its folder; `claude -p` runs them at once."},
	},
	{
		name: "codex", title: "Codex", programs: []string{"codex"}, folder: ".codex", plain: true,
		off:  switchOff{"config.toml", []string{"features", "hooks"}, false},
		home: func(w Machine) string { return w.or("CODEX_HOME", ".codex") },
		// A longer timeout at the end causes a warning at each start. post-tool includes failures.
		events: but(claudes(seconds, "session-start", "user-prompt", preTool, "post-tool", "pre-compact", "stop", "subagent-start", "subagent-stop", "session-end"), event{ours: "session-end", timeout: 3}),
		parts: func(w wiring) []part {
			parts := []part{w.hooks("hooks.json", w.oneLine(cmd)), w.codexServer(), w.permission(w.in("rules/learnings.rules"), whole{text: codexRules()})}
			if w.Project != "" {
				return append(parts, part{filepath.Join(w.Project, ".agents", "skills", "learnings", "SKILL.md"), "skill", whole{text: skillMarkdown}})
			}
			return append(parts, w.skill(), w.command("prompts/learnings.md", "$ARGUMENTS"))
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
		parts: geminiParts,
		notes: []string{"Gemini CLI runs what a project brings only in folders that you trust."},
	},
	openCode, copilot, pi, cline, qwen, cursor, kilo, droid,
}

// askedAgents are agents whose hooks take no lessons at the start, or that have none: their
// model asks the MCP server. What is written for them follows their documentation.
var askedAgents = []asked{
	{name: "antigravity", title: "Antigravity", program: "agy", home: at("", ".gemini/config"), file: "mcp_config.json", keys: mcpServers, skills: "skills"},
	{name: "copilot-chat", title: "Copilot Chat in VS Code", program: "code", home: vscodeHome, folder: ".vscode", file: "mcp.json", keys: []string{"servers", "learnings"}, rules: "prompts/learnings.instructions.md"},
	{name: "copilot-jetbrains", title: "Copilot in JetBrains' editors", home: config("github-copilot/intellij", "LOCALAPPDATA", "github-copilot", "intellij"), file: "mcp.json", keys: []string{"servers", "learnings"}},
	{name: "amp", title: "Amp", program: "amp", home: at("XDG_CONFIG_HOME", ".config", "amp"), folder: ".amp", file: "settings.json", keys: []string{"amp.mcpServers", "learnings"}, skills: "../agents/skills"},
	{
		name: "crush", title: "Crush", program: "crush", home: config("crush", "LOCALAPPDATA", "crush"), file: "crush.json", keys: []string{"mcp", "learnings"}, skills: "skills",
		events: append(claudes(seconds, "pre-compact", "session-end"), event{theirs: "TurnEnd", ours: "stop", timeout: seconds},
			event{theirs: "PreToolUse", ours: preTool, timeout: seconds, matcher: crushTools}, event{theirs: "PostToolUse", ours: "post-tool", timeout: seconds, matcher: crushTools},
			event{theirs: "PostToolUseFailure", ours: "tool-failure", timeout: seconds, matcher: crushTools}),
		note: "Its hooks bring the lessons that name a command or a file. Before 0.99 Crush calls only the one before a tool.",
	},
	{
		name: "goose", title: "Goose", program: "goose", home: config("goose", "APPDATA", "Block", "goose", "config"), file: "config.yaml", keys: []string{"extensions", "learnings"}, value: gooseExtension, skills: "skills",
		events: claudes(seconds, preTool, "user-prompt", "stop", "session-end"),
		hooks:  ".agents/plugins/learnings/hooks/hooks.json",
		note:   "Its hooks, which Goose has since 1.38, stop calls that a guard forbids and tell when a turn ends.",
	},
	{name: "windsurf", title: "Windsurf", program: "windsurf", home: at("", ".codeium/windsurf"), file: "mcp_config.json", keys: mcpServers, skills: "skills"},
	{name: "kiro", title: "Kiro", program: "kiro-cli", home: at("KIRO_HOME", ".kiro"), folder: ".kiro", file: "settings/mcp.json", keys: mcpServers, skills: "skills", rules: "steering/learnings.md"},
	{name: "junie", title: "Junie", program: "junie", home: at("", ".junie"), folder: ".junie", file: "mcp/mcp.json", keys: mcpServers, skills: "skills"},
	{name: "zed", title: "Zed", program: "zed", home: config("zed", "APPDATA", "Zed"), folder: ".zed", file: "settings.json", keys: []string{"context_servers", "learnings"}, value: plainly},
}

func geminiParts(w wiring) []part {
	trusted := w.plainServer()
	trusted.Trust = true
	parts := []part{
		w.hooks("settings.json", w.oneLine(powershell)), w.either(server(w.in("settings.json"), trusted, mcpServers...), server(w.in("settings.json"), w.plainServer(), mcpServers...)),
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
	return part{w.in(file), "hooks", hooks{events: w.events, guard: w.Guard, flat: w.flat, version: w.flat, call: call}}
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

// A serverEntry is an agent's entry for our MCP server.
type serverEntry struct {
	Type    string   `json:"type,omitempty"`
	Command string   `json:"command"`
	Args    []string `json:"args"`
	// How Gemini CLI and Codex handle calls of its tools.
	Trust    bool   `json:"trust,omitempty"`
	Approval string `json:"default_tools_approval_mode,omitempty"`
	// Copilot CLI's list of those that it offers.
	Tools []string `json:"tools,omitempty"`
}

func (w wiring) plainServer() serverEntry {
	return serverEntry{Command: w.Program, Args: append([]string{"mcp"}, w.Pins...)}
}

func (w wiring) stdio() serverEntry {
	s := w.plainServer()
	s.Type = "stdio"
	return s
}

// codexServer returns the MCP server in Codex's file.
func (w wiring) codexServer() part {
	approved := w.plainServer()
	approved.Approval = "approve"
	return w.either(server(w.in("config.toml"), approved, "mcp_servers", "learnings"), server(w.in("config.toml"), w.plainServer(), "mcp_servers", "learnings"))
}

// mayUse returns the permissions of Claude Code and Qwen Code; form is that of a shell
// command.
func (w wiring) mayUse(form string) part {
	return w.permission(w.in("settings.json"), allowed{path: []string{"permissions", "allow"}, values: append(commands(form), claudeTools("learnings")...)})
}

// command returns the command, in Markdown; arguments is the agent's placeholder for what
// the person types after it.
func (w wiring) command(file, arguments string) part {
	return part{w.in(file), "command", whole{text: promptMarkdown(arguments)}}
}

func (w wiring) skill() part {
	return part{w.in("skills/learnings/SKILL.md"), "skill", whole{text: skillMarkdown}}
}

// allowingSkill returns the skill with its permissions.
func (w wiring) allowingSkill(server string) part {
	return w.either(part{w.skill().path, "skill", whole{text: skillAllowing(server)}}, w.skill())
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
	parts: openCodeParts,
}

func openCodeParts(w wiring) []part {
	settings := w.in(w.name + ".json")
	if jsonc := settings + "c"; fileExists(jsonc) && !fileExists(settings) {
		settings = jsonc
	}
	return []part{
		{w.in("plugins/learnings.js"), "hooks", plugin(w, openCodePlugin)},
		{w.in(".npmrc"), "patience", whole{text: openCodeNpmrc}},
		server(settings, map[string]any{"type": "local", "command": append([]string{w.Program, "mcp"}, w.Pins...), "enabled": true}, "mcp", "learnings"),
		w.permission(settings, allowed{path: []string{"permission", "bash"}, values: commands("% *"), members: true}),
		w.permission(settings, allowed{path: []string{"permission"}, values: []string{"learnings_*"}, members: true}),
		w.skill(), w.command("commands/learnings.md", "$ARGUMENTS"),
	}
}

// copilot takes answers only at the start of a session and after a tool. It refuses all
// inline hooks if it does not know one event.
var copilot = spec{
	name: "copilot", title: "Copilot CLI", programs: []string{"copilot"},
	off:    switchOff{"settings.json", []string{"disableAllHooks"}, true},
	home:   func(w Machine) string { return w.or("COPILOT_HOME", ".copilot") },
	events: but(claudes(seconds, "session-start", preTool, "post-tool", "pre-compact", "stop", "subagent-stop", "session-end"), event{ours: preTool, guard: true}),
	parts: func(w wiring) []part {
		s := w.plainServer()
		s.Type, s.Tools = "local", []string{"*"}
		return []part{
			w.hooks("settings.json", w.oneLine(powershell)), server(w.in("mcp-config.json"), s, mcpServers...),
			w.skill(), // also the command /learnings
		}
	},
	notes: []string{asksAnyway("Copilot CLI"), "With --guard Copilot CLI refuses every call of a tool when learnings-hook is gone: run `learnings setup copilot --remove` before you uninstall it."},
}

// pi has extensions in place of hooks.
var pi = spec{
	name: "pi", title: "pi", programs: []string{"pi"}, folder: ".pi",
	home:  func(w Machine) string { return w.or("PI_CODING_AGENT_DIR", ".pi/agent") },
	parts: piParts,
}

func piParts(w wiring) []part {
	return []part{
		{w.in("extensions/learnings.ts"), "hooks", plugin(w, piExtension)},
		w.skill(), w.command("prompts/learnings.md", "$@"),
	}
}

// cline passes hook answers to the model only in the editor, so a rule tells it to ask by
// itself.
var cline = spec{
	name: "cline", title: "Cline", programs: []string{"cline"},
	home: func(w Machine) string { return w.or("CLINE_DIR", ".cline") },
	parts: func(w wiring) []part {
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
			{w.in("rules/learnings.md"), "rules", whole{text: askRules}},
			{w.in(name), "hooks", whole{text: script, mode: 0o755, events: []string{"stop"}}},
			server(filepath.Join(data, "settings", "cline_mcp_settings.json"), w.plainServer(), mcpServers...),
			w.skill(),
		}
	},
	notes: []string{asksAnyway("Cline"), "In the editor Cline runs hooks only when its setting \"Enable Hooks\" is on."},
}

// qwen calls hooks as Claude Code does, with timeouts in milliseconds. Without a screen,
// versions before 0.24 only call the end of a turn.
var qwen = spec{
	name: "qwen", title: "Qwen Code", programs: []string{"qwen"}, folder: ".qwen",
	off:    switchOff{"settings.json", []string{"disableAllHooks"}, true},
	home:   func(w Machine) string { return w.or("QWEN_HOME", ".qwen") },
	events: claudes(milliseconds, claudeEvents...),
	parts:  usual("settings.json", "settings.json", wiring.plainServer, "{{args}}", func(w wiring) part { return w.mayUse("Bash(% *)") }),
	notes:  []string{"Qwen Code before 0.24 gives no lessons to a session by itself: there the command /learnings and the MCP server look them up."},
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
	parts: usual("hooks.json", "mcp.json", wiring.plainServer, "what stands after the command"),
	notes: []string{
		asksAnyway("Cursor"),
		"What is written for Cursor follows its documentation and was not tried with Cursor itself.",
		"Cursor also runs the hooks of Claude Code when its setting for third-party hooks is on.",
	},
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
	parts: openCodeParts,
}

// droid calls hooks as Claude Code does. Without a screen it does not call the one for
// prompts.
var droid = spec{
	name: "droid", title: "Factory's Droid", programs: []string{"droid"}, folder: ".factory",
	home:   func(w Machine) string { return w.or("", ".factory") },
	events: claudes(seconds, "session-start", "user-prompt", preTool, "post-tool", "pre-compact", "stop", "subagent-stop", "session-end"),
	parts:  usual("settings.json", "mcp.json", wiring.stdio, "$ARGUMENTS"),
	notes:  []string{"Tried with Droid itself: the lessons of a start. What it does with answers on prompts and tools follows its documentation."},
}

// usual returns the parts of an agent that has hooks, servers and a command in files of
// Claude Code's form.
func usual(hooks, servers string, entry func(wiring) serverEntry, arguments string, more ...func(wiring) part) func(wiring) []part {
	return func(w wiring) []part {
		parts := []part{w.hooks(hooks, w.oneLine(powershell)), server(w.in(servers), entry(w), mcpServers...)}
		for _, p := range more {
			parts = append(parts, p(w))
		}
		return append(parts, w.skill(), w.command("commands/learnings.md", arguments))
	}
}

// An asked agent is a row of askedAgents.
type asked struct {
	name, title, program string
	home                 func(Machine) string
	folder               string // within a project; "" for an agent that reads no settings there
	file                 string // with its MCP servers
	keys                 []string
	value                func(wiring) any // of the server; nil for the usual one
	skills               string           // the folder of its skills; "" for none
	rules                string           // a file with rules for every session; "" for none
	events               []event          // of its hooks, if it has some
	hooks                string           // the file with Goose's hooks below the home folder; "" for that of the servers, where they are flat
	note                 string           // what its hooks do
}

func (a asked) spec() spec {
	s := spec{name: a.name, title: a.title, home: a.home, folder: a.folder, parts: a.parts, notes: []string{
		a.title + " gives a session no lessons at its start: its model looks them up by the MCP server. `learnings publish --add agents-md` puts them where it reads instructions.",
		"What is written for " + a.title + " follows its documentation and was not tried with it.",
	}}
	if a.program != "" {
		s.programs = []string{a.program}
	}
	if a.note != "" {
		s.notes = append(s.notes, a.note)
	}
	return s
}

func (a asked) parts(w wiring) []part {
	var value any = w.stdio()
	if a.value != nil {
		value = a.value(w)
	}
	parts := []part{server(w.in(a.file), value, a.keys...)}
	if w.Project != "" {
		return parts
	}
	file := w.in(a.file)
	if a.hooks != "" {
		file = filepath.Join(w.or("GOOSE_PATH_ROOT", ""), filepath.FromSlash(a.hooks))
	}
	if a.events != nil {
		parts = append(parts, part{file, "hooks", hooks{events: a.events, flat: a.hooks == "", call: w.oneLine(posix)}})
	}
	if a.skills != "" {
		parts = append(parts, part{w.in(a.skills + "/learnings/SKILL.md"), "skill", whole{text: skillMarkdown}})
	}
	if a.rules != "" {
		parts = append(parts, part{w.in(a.rules), "rules", whole{text: always + askRules}})
	}
	return parts
}

func plainly(w wiring) any { return w.plainServer() }

// gooseExtension has the fields that Goose writes, which it does again with each change of
// its settings.
func gooseExtension(w wiring) any {
	s := w.stdio()
	return map[string]any{
		"enabled": true, "type": s.Type, "name": "learnings", "description": about, "cmd": s.Command, "args": s.Args, "timeout": 300,
		"envs": map[string]string{}, "env_keys": []string{}, "available_tools": []string{}, "bundled": nil,
	}
}

// at returns the folder of settings that a variable names, or else one below the home
// folder, and a folder in it.
func at(variable, folder string, below ...string) func(Machine) string {
	return func(w Machine) string {
		return filepath.Join(append([]string{w.or(variable, filepath.FromSlash(folder))}, below...)...)
	}
}

// config returns a folder in .config, or on Windows the one below the folder that a
// variable names.
func config(folder, variable string, below ...string) func(Machine) string {
	return func(w Machine) string {
		if w.OS != "windows" {
			return at("XDG_CONFIG_HOME", ".config", folder)(w)
		}
		usual := map[string]string{"APPDATA": "Roaming", "LOCALAPPDATA": "Local"}[variable]
		return at(variable, "AppData/"+usual, below...)(w)
	}
}

// vscodeHome returns the folder of a person's settings of VS Code.
func vscodeHome(w Machine) string {
	if w.OS == "darwin" {
		return filepath.Join(w.Home, "Library", "Application Support", "Code", "User")
	}
	return config("Code/User", "APPDATA", "Code", "User")(w)
}
