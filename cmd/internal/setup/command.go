package setup

import (
	"strings"

	"learnings/cmd/internal/term"
)

// Event says which event of ours a hook's command calls us for, with its name as it
// stands there, and whether it calls us at all. It knows the command in one string and
// apart from its arguments, and the program that learnings-hook is beside.
func Event(command string, args []string) (event string, ok bool) {
	line := call(command, args)
	for len(line) > 0 && (line[0] == "&" || strings.Contains(line[0], "=")) { // PowerShell's call; variables
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

// call is the program of a hook and its arguments. A command that has its arguments apart
// is the program alone, whatever its path.
func call(command string, args []string) []string {
	if len(args) > 0 {
		return append([]string{command}, args...)
	}
	words, _ := term.Words(command)
	return words
}

// base is the name of a program, of any system.
func base(path string) string {
	return strings.TrimSuffix(path[strings.LastIndexAny(path, `/\`)+1:], ".exe")
}

// A shell is what runs a command that is one string.
type shell int

const (
	posix shell = iota // everywhere but on Windows
	cmd                // Windows, by cmd.exe
	powershell
)

// quoted is a path as a shell takes it for a program.
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
