package rules

import (
	"path"
	"slices"
	"strings"

	"learnings/extractor/transcript"
)

// Waits reports whether a call polls for something to happen, which may well take many
// of the same.
func Waits(c *transcript.ToolCall) bool {
	low := strings.ToLower(c.Name + " " + head(c.Command, 400))
	return slices.ContainsFunc([]string{
		"sleep", "wait", "watch", "status", "poll", "gh run", "gh pr checks", "tail -f", "bashoutput", "taskoutput", "write_stdin", "kubectl get", "docker ps", "todo", "plan",
	}, func(x string) bool { return strings.Contains(low, x) })
}

// Program is the name of the program that a command line runs first, behind changes of
// folder and settings of variables; "" for none.
func Program(command string) string {
	return strings.Trim(path.Base(program(strings.Fields(head(command, 400)))), `"'();&|./`)
}

var editTools = lineList("edit tools")

// Edits reports whether a call edits or writes a file.
func Edits(c *transcript.ToolCall) bool {
	return c != nil && (c.Old != "" || c.New != "" || slices.Contains(editTools(), strings.ToLower(c.Name)) || strings.HasPrefix(c.Command, "apply_patch"))
}

// Reads reports whether a call reads a file, with a tool or in a shell.
func Reads(c *transcript.ToolCall) bool {
	if c == nil || Edits(c) {
		return false
	}
	if c.Path != "" {
		low := strings.ToLower(c.Name)
		return strings.Contains(low, "read") || strings.Contains(low, "view") || low == "cat" || strings.Contains(low, "open")
	}
	command := strings.Fields(head(c.Command, 400))
	switch path.Base(program(command)) {
	case "cat", "head", "tail", "nl", "bat", "less":
		return !strings.Contains(c.Command, "<<") && !strings.Contains(c.Command, " > ")
	case "sed":
		return slices.Contains(command, "-n")
	}
	return false
}
