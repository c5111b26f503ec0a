package agents

import (
	"path/filepath"
	"strings"
)

// openCode has no hooks but plugins. Ours pushes the lessons into the system prompt, so
// that a compaction does not take them away.
var openCode = spec{
	name: "opencode", title: "OpenCode", programs: []string{"opencode"}, folder: ".opencode",
	home: func(w World) string {
		if dir := w.Getenv("OPENCODE_CONFIG_DIR"); filepath.IsAbs(dir) {
			return dir
		}
		return filepath.Join(w.or("XDG_CONFIG_HOME", ".config"), "opencode")
	},
	own:     openCodeParts,
	project: openCodeParts,
}

func openCodeParts(w wiring) []part {
	settings := w.in("opencode.json")
	if jsonc := w.in("opencode.jsonc"); fileExists(jsonc) && !fileExists(settings) {
		settings = jsonc
	}
	type local struct {
		Type    string   `json:"type"`
		Command []string `json:"command"`
		Enabled bool     `json:"enabled"`
	}
	paths := [][]string{{"permission", "learnings_*"}}
	for _, command := range commands("% *") {
		paths = append(paths, []string{"permission", "bash", command})
	}
	return []part{
		{w.in("plugins/learnings.js"), "hooks", plugin(w, openCodePlugin)},
		{w.in(".npmrc"), "patience", whole{text: openCodeNpmrc}},
		{settings, "MCP server", entry{keys: []string{"mcp", "learnings"}, value: local{"local", []string{w.Program, "mcp"}, true}}},
		w.permission(settings, answers{paths: paths}),
		w.skill(), {w.in("commands/learnings.md"), "command", whole{text: promptMarkdown("$ARGUMENTS")}},
	}
}

// copilot takes an answer only at the start of a session and after a tool. Its inline
// hooks are refused as a whole when one is of an event that it does not know.
var copilot = spec{
	name: "copilot", title: "Copilot CLI", programs: []string{"copilot"}, folder: ".github/copilot",
	home: func(w World) string { return w.or("COPILOT_HOME", ".copilot") },
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
			w.skill(), // which is the command /learnings too
		}
	},
	notes: []string{asksAnyway("Copilot CLI"), "With --guard Copilot CLI refuses every call of a tool when learnings-hook is gone: run `learnings setup copilot --remove` before you uninstall it."},
}

// pi has no hooks but extensions.
var pi = spec{
	name: "pi", title: "pi", programs: []string{"pi"}, folder: ".pi",
	home:    func(w World) string { return w.or("PI_CODING_AGENT_DIR", ".pi/agent") },
	own:     piParts,
	project: piParts,
}

func piParts(w wiring) []part {
	return []part{
		{w.in("extensions/learnings.ts"), "hooks", plugin(w, piExtension)},
		w.skill(), {w.in("prompts/learnings.md"), "command", whole{text: promptMarkdown("$@")}},
	}
}

// cline gives what a hook answers to the model only in the editor. So a rule tells it to
// ask by itself.
var cline = spec{
	name: "cline", title: "Cline", programs: []string{"cline"},
	home: func(w World) string { return w.or("CLINE_DIR", ".cline") },
	own: func(w wiring) []part {
		// Cline takes its time to say what ended; our hook waits for nobody.
		name, script := "hooks/TaskComplete", "#!/bin/sh\n# Taken out by `"+mark+"`.\nsaid=$(cat)\nprintf '%s' \"$said\" | "+posix.quoted(w.Hook)+" stop --for cline\n"
		if w.OS == "windows" {
			name, script = "hooks/TaskComplete.ps1", "# Taken out by `"+mark+"`.\r\n@($input) | & "+strings.TrimPrefix(powershell.quoted(w.Hook), "& ")+" stop --for cline\r\n"
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

// qwen calls hooks as Claude Code does, in milliseconds. Versions before 0.24 call only
// the end of a turn when they run without a screen.
var qwen = spec{
	name: "qwen", title: "Qwen Code", programs: []string{"qwen"}, folder: ".qwen",
	home:    func(w World) string { return w.or("QWEN_HOME", ".qwen") },
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

// cursor is from its documentation alone. What a prompt or a failed tool is answered does
// not reach its model, so these are not wired.
var cursor = spec{
	name: "cursor", title: "Cursor", programs: []string{"cursor-agent", "cursor"}, folder: ".cursor", flat: true,
	home: func(w World) string { return w.or("", ".cursor") },
	events: []event{
		{theirs: "sessionStart", ours: "session-start", timeout: seconds},
		{theirs: "preToolUse", ours: preTool, timeout: seconds},                                   // it takes a decision there, and no context
		{theirs: "postToolUse", ours: "post-tool", timeout: seconds, matcher: "Shell|Read|Write"}, // a command that fails is one that was run
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
