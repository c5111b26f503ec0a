package agents

import (
	_ "embed"
	"strings"
)

// What agents are told of us: how to look lessons up, to propose and to report. None of
// it decides on a lesson.

//go:embed texts/skill.md
var skillMarkdown string

//go:embed texts/command.md
var command string

// promptMarkdown is the command for an agent that takes it as Markdown; arguments is
// what it puts in the place of what the person types after it.
func promptMarkdown(arguments string) string {
	return "---\ndescription: Look up, propose and review what was learned in past sessions\n---\n" +
		strings.ReplaceAll(command, "{{args}}", arguments) + "\n<!-- Taken out by `" + mark + "`. -->\n"
}

// commandTOML is the command for Gemini CLI and those that followed it.
var commandTOML = "# Taken out by `" + mark + "`.\ndescription = \"Look up, propose and review what was learned in past sessions\"\nprompt = '''\n" + command + "'''\n"
