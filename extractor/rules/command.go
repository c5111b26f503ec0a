package rules

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"learnings/extractor/transcript"
	"learnings/lessons"
)

// This file reads the command lines of shell calls, as far as it takes to name
// them and to compare two of them. It is not a shell parser: a line that it
// does not understand is compared with nothing.

const (
	// maxLine is the length in bytes of the longest command line that is
	// compared as a whole. A longer one is a script, and whether it differs from
	// another by one word says little.
	maxLine = 400
	// maxRead is how many bytes of a line are read at all.
	maxRead = 2000
)

// A commandLine is a command without what makes no difference to what it does:
// the shell that runs it, and how much of its output is shown.
type commandLine struct {
	dir    string // where it runs, relative to the session's directory where possible; "" where nothing says so
	body   string // the rest, with single blanks between the words
	name   string // program and subcommand, such as "npm run lint"; "" when they cannot be repeated in a sentence
	script bool   // too long to be compared as a whole, or of several lines
}

// parseLine reads the command of a shell call of a session that began in root.
func parseLine(c *transcript.ToolCall, root string) commandLine {
	line := strings.TrimSpace(strings.ReplaceAll(c.Command, "\\\n", " "))
	out := commandLine{script: len(line) > maxLine || strings.Contains(line, "<<")}
	line = shortens().ReplaceAllString(head(line, maxRead), "")
	if m := inShell().FindStringSubmatch(line); m != nil && !strings.Contains(m[2], m[1]) {
		line = strings.TrimSpace(m[2])
	}
	out.script = out.script || strings.ContainsAny(line, "\n\r\x00")
	dir := ""
	if strings.Contains(c.Input, `dir"`) || strings.Contains(c.Input, `cwd"`) {
		if m := argsDir().FindStringSubmatch(c.Input); m != nil {
			dir = m[1]
		}
	}
	for line = withoutParens(line); ; {
		m := changesDir().FindStringSubmatch(line)
		if m == nil {
			break
		}
		to := strings.Trim(m[1], `"'`)
		if dir != "" && !path.IsAbs(to) {
			to = path.Join(dir, to)
		}
		dir, line = to, withoutParens(line[len(m[0]):])
	}
	out.body = strings.Join(strings.Fields(shortens().ReplaceAllString(line, "")), " ")
	out.dir, out.name = relative(root, dir), named(out.body)
	return out
}

var (
	inShell    = lessons.LazyRegexp(`(?s)^(?:/\S*/)?(?:ba|z|da)?sh -\w*c (["'])(.*)["']$`)
	changesDir = lessons.LazyRegexp(`^cd\s+("[^"]*"|'[^']*'|[^\s;&|"']+)\s*(?:&&|;)\s*`)
	// shortens matches what only chooses which part of the output is shown.
	shortens = lessons.LazyRegexp(`(?:\s*(?:2>&1|2>\s*/dev/null|\|\s*(?:tail|head)(?:\s+-?[\w+-]+)*))+$`)
	// argsDir matches the directory that a tool takes as an argument of its own.
	argsDir = lessons.LazyRegexp(`"(?:workdir|cwd|working_directory|directory)"\s*:\s*"([^"\\]+)"`)
	// plainWord matches words that are safe to repeat in a sentence: nothing in
	// them means anything to a shell, to Markdown or to a terminal.
	plainWord = lessons.LazyRegexp(`^[A-Za-z0-9_@%+=:,./-]{1,100}$`)
)

func withoutParens(line string) string {
	if strings.HasPrefix(line, "(") && strings.HasSuffix(line, ")") && strings.Count(line, "(") == 1 {
		return strings.TrimSpace(line[1 : len(line)-1])
	}
	return line
}

// relative gives a directory as seen from root, "." for root itself.
func relative(root, dir string) string {
	if dir == "" {
		return ""
	}
	if path.IsAbs(dir) && path.IsAbs(root) {
		if rel, err := filepath.Rel(root, dir); err == nil {
			dir = rel
		}
	}
	return path.Clean(filepath.ToSlash(dir))
}

// named is what a command line calls, for a sentence; see commandLine.
func named(body string) string {
	words := strings.Fields(body)
	i := programAt(words)
	if i == len(words) {
		return ""
	}
	name := words[i : i+1]
	if path.IsAbs(name[0]) {
		name = []string{path.Base(name[0])}
	}
	rest := words[i+1:]
	take := func(n int) {
		if len(rest) >= n && (n == 1 || rest[0] == "-m" || simpleWord(rest[0])) && simpleWord(rest[n-1]) {
			name = slices.Concat(name, rest[:n])
		}
	}
	switch base := path.Base(name[0]); {
	case len(rest) == 0:
	case strings.HasPrefix(base, "python") && rest[0] == "-m", takesSubcommand()[base] && (rest[0] == "run" || rest[0] == "exec"):
		take(2)
	case (base == "npx" || base == "bunx") && namedBySubcommand()[rest[0]]:
		take(2)
	case takesSubcommand()[base], namedBySubcommand()[base]:
		take(1)
	}
	if slices.ContainsFunc(name, func(w string) bool { return !plainWord().MatchString(w) }) {
		return ""
	}
	return strings.Join(name, " ")
}

var namedBySubcommand = wordSet("by subcommand")

// program is what a command runs: its first word after "cd … &&", variable
// assignments and sudo.
func program(command []string) string {
	if i := programAt(command); i < len(command) {
		return command[i]
	}
	return ""
}

func programAt(command []string) int {
	for i := 0; i < len(command); i++ {
		switch w := command[i]; {
		case w == "cd":
			for i < len(command) && command[i] != "&&" && !strings.HasSuffix(command[i], ";") {
				i++
			}
		case strings.Contains(w, "=") && !strings.HasPrefix(w, "-"), w == "&&", w == "sudo":
		default:
			return i
		}
	}
	return len(command)
}

// subcommand is the word after the program, when it looks like a subcommand.
func subcommand(command []string) string {
	if i := programAt(command) + 1; i < len(command) && command[i][0] >= 'a' && command[i][0] <= 'z' {
		return command[i]
	}
	return ""
}

// holdsWord reports whether a line of output has a word of a command as a whole
// word.
func holdsWord(line, word string) bool {
	return slices.Contains(strings.FieldsFunc(line, func(r rune) bool { return r >= 0x80 || !wordByte(byte(r)) }), word)
}

func wordByte(b byte) bool {
	return b == '-' || b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
}

// callOf finds the call that a result answers, or -1.
func callOf(turns []transcript.Turn, result int) int {
	const far = 200 // turns: parallel calls are answered soon
	tool := turns[result].Tool
	for i := result - 1; i >= max(0, result-far); i-- {
		if c := turns[i]; c.Kind == transcript.Call && c.Tool != nil && (c.Tool == tool || tool.ID != "" && c.Tool.ID == tool.ID) {
			return i
		}
	}
	return -1
}

// maxCommand is the bytes of a command in a sentence.
const maxCommand = 160

// oneLine is a command in one line of at most so many bytes, to stand between backquotes.
func oneLine(command string, most int) string {
	c := strings.ReplaceAll(lessons.Line(head(command, maxRead)), "`", "'")
	if len(c) > most {
		c = head(c, most) + "…"
	}
	return c
}

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
