package setup

import (
	"encoding/json"
	"path/filepath"
)

// Plugin returns Claude Code with a folder in place of its settings: a plugin, and the
// marketplace that offers it. It has no paths of this machine, so that others can install
// it from a repository.
func Plugin(w Machine, dir string) Agent {
	a, _ := Get(w, "claude")
	a.machine, a.plugin = w, dir
	w.Hook, w.Program, w.Pins = "learnings-hook", "learnings", nil
	wire := wiring{w, table[0], dir}
	a.Folder = dir
	a.parts = []part{
		{wire.in(".claude-plugin/plugin.json"), "plugin", manifest(map[string]any{
			"name": "learnings", "description": about, "version": pluginVersion, "author": us, "license": "MIT",
		})},
		{wire.in(".claude-plugin/marketplace.json"), "marketplace", manifest(map[string]any{
			"name": "learnings", "description": about, "owner": us,
			"plugins": []any{map[string]any{"name": "learnings", "source": "./", "description": about}},
		})},
		wire.hooks("hooks/hooks.json", wire.apart),
		server(filepath.Join(dir, ".mcp.json"), wire.plainServer(), mcpServers...),
		wire.allowingSkill("plugin_learnings_learnings"),
	}
	a.Notes = []string{
		"Try it with `claude --plugin-dir DIR`, or install it with `/plugin marketplace add DIR` and `/plugin install learnings@learnings`.",
		"learnings and learnings-hook have to be in the PATH of those who use it. Who has it needs no `learnings setup claude`: with both, all comes twice.",
	}
	return a
}

// pluginVersion is the version of the plugin: a change offers users an update.
const pluginVersion = "1.0.0"

var us = map[string]any{"name": "learnings"}

const about = "Lessons from past sessions: what people taught their agents, given to the next session"

// manifest returns a plugin's file, which is identified by the plugin's name.
func manifest(m map[string]any) whole {
	text, _ := json.MarshalIndent(m, "", "  ")
	return whole{text: string(text) + "\n", own: `"name": "learnings"`}
}
