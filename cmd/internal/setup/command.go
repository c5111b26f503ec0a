package setup

import (
	"strings"

	"learnings/cmd/internal/term"
)

// Event returns the event that a hook's command calls us for, as named there; ok is false
// if it does not call us. The command may be one string or have separate arguments, and
// may be learnings or learnings-hook.
func Event(command string, args []string) (event string, ok bool) {
	line := call(command, args)
	for len(line) > 0 && (line[0] == "&" || strings.Contains(line[0], "=")) { // PowerShell's call operator; variables
		line = line[1:]
	}
	if len(line) == 0 {
		return "", false
	}
	name := base(line[0])
	line = line[1:]
	if len(line) > 0 && line[0] == "hook" && (name == "learnings" || name == "learnings-hook") {
		line = line[1:]
	} else if name != "learnings-hook" {
		return "", false
	}
	for len(line) > 0 && strings.HasPrefix(line[0], "-") {
		line = line[1:]
	}
	if len(line) == 0 {
		return "", true
	}
	return line[0], true
}

// call returns a hook's program and arguments. A command with separate arguments is a
// program's path, with any characters.
func call(command string, args []string) []string {
	if len(args) > 0 {
		return append([]string{command}, args...)
	}
	words, _ := term.Words(command)
	return words
}

// base returns the name of a program, on any system.
func base(path string) string {
	return strings.TrimSuffix(path[strings.LastIndexAny(path, `/\`)+1:], ".exe")
}

// A shell runs a command given as one string.
type shell int

const (
	posix shell = iota // not on Windows
	cmd                // cmd.exe on Windows
	powershell
)

// quoted quotes a program's path for a shell.
func (s shell) quoted(path string) string {
	slashed := strings.ReplaceAll(path, `\`, "/")
	switch {
	case s == posix:
		return term.ShellQuote(path)
	case term.ShellQuote(slashed) == slashed:
		return path
	case s == powershell:
		return "& '" + strings.ReplaceAll(path, "'", "''") + "'"
	}
	return `"` + path + `"`
}
