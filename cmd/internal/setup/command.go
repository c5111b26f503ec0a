package setup

import (
	"strings"
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
	return words(command)
}

// base is the name of a program, of any system.
func base(path string) string {
	return strings.TrimSuffix(path[strings.LastIndexAny(path, `/\`)+1:], ".exe")
}

// words divides a command as a shell does, as far as a command of ours needs it. A
// backslash is itself before anything but a blank or a quote: paths of Windows have some.
func words(command string) []string {
	var out []string
	var word strings.Builder
	quote, open := byte(0), false
	for i := 0; i < len(command); i++ {
		c := command[i]
		switch {
		case quote == 0 && (c == ' ' || c == '\t' || c == '\n'):
			if open {
				out = append(out, word.String())
				word.Reset()
				open = false
			}
			continue
		case c == quote:
			quote = 0
		case quote == 0 && (c == '"' || c == '\''):
			quote = c
		case c == '\\' && quote != '\'' && i+1 < len(command) && strings.IndexByte(` "'`, command[i+1]) >= 0:
			i++
			word.WriteByte(command[i])
		default:
			word.WriteByte(c)
		}
		open = true
	}
	if open {
		out = append(out, word.String())
	}
	return out
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
	safe := strings.IndexFunc(path, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-+:@%,", r) || s != posix && r == '\\')
	}) < 0
	switch {
	case safe:
		return path
	case s == powershell:
		return "& '" + strings.ReplaceAll(path, "'", "''") + "'"
	case s == cmd:
		return `"` + path + `"`
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}
