package rules

import (
	"path"
	"slices"
	"strings"

	"learnings/extractor/transcript"
)

// Work counts what an agent did in a session. The zero value is none.
type Work struct {
	Calls   int `json:"calls"`   // of tools, all of them
	Reads   int `json:"reads"`   // of files
	Edits   int `json:"edits"`   // of files
	Failed  int `json:"failed"`  // calls that failed
	Refused int `json:"refused"` // calls that the person refused or stopped
}

// Plus returns the sum of two counts.
func (w Work) Plus(o Work) Work {
	return Work{w.Calls + o.Calls, w.Reads + o.Reads, w.Edits + o.Edits, w.Failed + o.Failed, w.Refused + o.Refused}
}

// Add counts further turns. Subagents are left out: their sessions have files of
// their own.
func (w *Work) Add(turns []transcript.Turn) {
	for i := range turns {
		t := &turns[i]
		switch {
		case t.Sidechain:
		case t.Kind == transcript.Call:
			w.Calls++
			switch {
			case changes(t.Tool):
				w.Edits++
			case reads(t.Tool):
				w.Reads++
			}
		case t.Kind == transcript.Result && t.Failed:
			w.Failed++
		case t.Refused && (t.Kind == transcript.Result || t.Kind == transcript.Rejection):
			w.Refused++
		}
	}
}

// ReadsPerEdit returns how many files were read for each edit; false if nothing
// was edited. Searches do not count as reading. Over 47 sessions of Claude Code it
// is 1.0.
func (w Work) ReadsPerEdit() (float64, bool) {
	if w.Edits == 0 {
		return 0, false
	}
	return float64(w.Reads) / float64(w.Edits), true
}

// Edits reports whether a call edits or writes a file.
func Edits(c *transcript.ToolCall) bool { return changes(c) }

// Reads reports whether a call reads a file, with a tool or in a shell.
func Reads(c *transcript.ToolCall) bool { return reads(c) }

// Waits reports whether a call polls for something to happen, which may well take many
// of the same.
func Waits(c *transcript.ToolCall) bool { return waits(c) }

// Doing names what a call does as a [Mistake] names it: the tool, or the program and
// subcommand that it runs.
func Doing(c *transcript.ToolCall) string { return doing(c) }

// Program is the name of the program that a command line runs first, behind changes of
// folder and settings of variables; "" for none.
func Program(command string) string {
	return strings.Trim(path.Base(program(strings.Fields(head(command, 400)))), `"'();&|./`)
}

var editTools = []string{"apply_patch", "write", "edit", "multiedit", "notebookedit", "write_file", "edit_file", "replace", "str_replace", "create_file", "write_to_file", "replace_in_file"}

// changes reports whether a call edits or writes a file.
func changes(c *transcript.ToolCall) bool {
	return c != nil && (c.Old != "" || c.New != "" || slices.Contains(editTools, strings.ToLower(c.Name)) || strings.HasPrefix(c.Command, "apply_patch"))
}

// reads reports whether a call reads a file, with a tool or in a shell.
func reads(c *transcript.ToolCall) bool {
	if c == nil || changes(c) {
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
