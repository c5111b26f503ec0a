package setup

import (
	_ "embed"
	"strings"
)

// What agents are told of us: how to look lessons up, to propose and to report. None of
// it decides on a lesson.

//go:embed texts/skill.md
var skillMarkdown string

// allowedTools is the key of a skill for what may be done without asking.
const allowedTools = "allowed-tools: "

// skillAllowing is the skill with that.
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

//go:embed texts/cline.md
var clineRules string

// openCodeNpmrc has OpenCode, which asks npm for something before it loads any plugin, go
// on at once where there is no network.
const openCodeNpmrc = "# OpenCode waits for npm before it loads a plugin: not for long. Taken out by `" + mark + "`.\nfetch-retries=0\nfetch-timeout=5000\n"

// calling is a program in JavaScript that calls learnings-hook.
func (w wiring) calling(text string) string {
	return strings.ReplaceAll(text, "{{program}}", quote(w.Hook))
}

// promptMarkdown is the command for an agent that takes it as Markdown; arguments is
// what it puts in the place of what the person types after it.
func promptMarkdown(arguments string) string {
	return "---\ndescription: Look up, propose and review what was learned in past sessions\n---\n" +
		strings.ReplaceAll(command, "{{args}}", arguments) + "\n<!-- Taken out by `" + mark + "`. -->\n"
}

// commandTOML is the command for Gemini CLI and those that followed it.
var commandTOML = "# Taken out by `" + mark + "`.\ndescription = \"Look up, propose and review what was learned in past sessions\"\nprompt = '''\n" + command + "'''\n"
