package setup

import (
	_ "embed"
	"strings"
)

// Texts that tell agents how to look up lessons, propose and report. None of it decides
// on a lesson.

//go:embed texts/skill.md
var skillMarkdown string

// allowedTools is the key of a skill's permissions.
const allowedTools = "allowed-tools: "

// skillAllowing returns the skill with permissions.
func skillAllowing(server string) string {
	about, rest, _ := strings.Cut(skillMarkdown, "\n---\n")
	return about + "\n" + allowedTools + strings.Join(append(commands("Bash(%:*)"), claudeTools(server)...), ", ") + "\n---\n" + rest
}

//go:embed texts/command.md
var command string

//go:embed texts/opencode.js
var openCodePlugin string

//go:embed texts/pi.ts
var piExtension string

// askRules tell an agent that takes nothing from hooks to ask by itself.
//
//go:embed texts/ask.md
var askRules string

// always makes a file of rules one for every session, for VS Code and Kiro.
const always = "---\napplyTo: \"**\"\ninclusion: always\n---\n"

// openCodeNpmrc keeps OpenCode, which queries npm before it loads a plugin, from waiting
// for a missing network.
const openCodeNpmrc = "# OpenCode waits for npm before it loads a plugin: not for long. Taken out by `" + mark + "`.\nfetch-retries=0\nfetch-timeout=5000\n"

// calling returns a JavaScript program that calls learnings-hook.
func (w wiring) calling(text string) string {
	var pins strings.Builder
	for _, p := range w.Pins {
		pins.WriteString(", " + quote(p))
	}
	return strings.NewReplacer("{{program}}", quote(w.Hook), "{{pins}}", pins.String(), "{{agent}}", w.name, "{{title}}", w.title).Replace(text)
}

// promptMarkdown returns the command for an agent that takes Markdown.
func promptMarkdown(arguments string) string {
	return "---\ndescription: Look up, propose and review what was learned in past sessions\n---\n" +
		strings.ReplaceAll(command, "{{args}}", arguments) + "\n<!-- Taken out by `" + mark + "`. -->\n"
}

// commandTOML is the command for Gemini CLI and its derivatives.
var commandTOML = "# Taken out by `" + mark + "`.\ndescription = \"Look up, propose and review what was learned in past sessions\"\nprompt = '''\n" + command + "'''\n"
