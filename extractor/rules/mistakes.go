package rules

import (
	"cmp"
	"path"
	"regexp"
	"strings"
	"unicode"

	"learnings/extractor/transcript"
	"learnings/lessons"
)

// A Mistake is a failed call, described so that the same mistake on another day
// gets the same description.
type Mistake struct {
	Doing string // the tool, or the program and subcommand that it ran
	Error string // the line of the answer that says what was wrong; neither redacted nor made safe to show
	Print string // the fingerprint: the same for the same mistake
}

// MistakeOf describes why the call of a turn failed. It reports false for a turn that
// is no failure, or whose answer does not say why.
//
// The fingerprint is that of vainplex's repeat-fail: the tool, its stable parameters
// and at most 200 characters of the error, without times, ids, folders and numbers.
func MistakeOf(t *transcript.Turn) (Mistake, bool) {
	if !t.Failed || t.Refused || t.Tool == nil || t.Kind != transcript.Result {
		return Mistake{}, false
	}
	line := wrong(t.Text)
	if line == "" {
		return Mistake{}, false
	}
	m := Mistake{Doing: Doing(t.Tool), Error: head(line, maxError)}
	m.Print = m.Doing + "|" + Stable(line)
	return m, true
}

const (
	maxError = 300
	maxPrint = 200
)

// Doing names what a call does, in the same way for every agent: the tool, or the program
// and subcommand that it runs.
func Doing(c *transcript.ToolCall) string {
	name := cmp.Or(strings.ToLower(head(strings.ToValidUTF8(c.Name, "\ufffd"), 60)), "a tool")
	if c.Command == "" {
		return name
	}
	command := strings.Fields(strings.ToValidUTF8(head(c.Command, 1000), "\ufffd"))
	if len(command) > 2 && path.Base(command[0]) == "bash" && strings.HasPrefix(command[1], "-") {
		command = command[2:]
		command[0] = strings.TrimLeft(command[0], `'"`)
	}
	program := strings.Trim(path.Base(program(command)), `"'();&|`)
	if sub := subcommand(command); simpleWord(sub) && takesSubcommand()[program] {
		program += " " + sub
	}
	if program == "" || program == "." {
		return name
	}
	return head(program, 60)
}

var takesSubcommand = wordSet("subcommand")

func simpleWord(s string) bool {
	for _, r := range s {
		if (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' && r != ':' {
			return false
		}
	}
	return s != "" && len(s) <= 30
}

var (
	escapes = lessons.LazyRegexp("\x1b\\[[0-9;?]*[A-Za-z]|\x1b\\][^\x07\x1b]*(?:\x07|\x1b\\\\)")
	// boilerplate matches lines that harnesses put around a program's output.
	boilerplate = lessons.LazyRegexp(`^(?i:exit code \d+|error: exit code \d+|chunk id: .*|wall time: .*|process exited with code .*|original token count: .*|command exited with code \d+|(?:error: command failed )?\(?exit code: \d+\)?|https?://\S+|output:|tokens: .*|rebasing \(.*|shell cwd was reset.*|traceback \(most recent call last\):|debugger attached\.?|failed in sandbox .*|[$>] \S.*|\d+ +(?:\d+ +)?[│|].*|[=_]{3,} .*|fatal error)$`)
	// complains matches words of a line that says what is wrong.
	complains = lessons.LazyRegexp(`(?i)\b(?:errors?|fatal|failed|failure|panic|exception|denied|cannot|can't|could not|couldn't|undefined|unknown|unrecogni[sz]ed|invalid|illegal|unexpected|missing|no such|not found|(?:did|does|is|are) not|unable|not a|not been|not exist|refused|timed? ?out|timeout|already|must|requires?|mismatch(?:ed)?|conflict|unsupported|deprecated)\b|[A-Za-z]+(?:Error|Exception)\b`)
	thrown    = lessons.LazyRegexp(`^[A-Za-z_][\w.]*(?:Error|Exception|Warning)?(?::|$)`)
	// sums matches lines that only count errors.
	sums = lessons.LazyRegexp(`(?i)^(?:error: )?(?:found )?\d+ (?:errors?|problems?|issues?|failed|passed)\b`)
)

// unescaped is a text without what a terminal acts on.
func unescaped(s string) string {
	if strings.IndexByte(s, '\x1b') < 0 {
		return s
	}
	return escapes().ReplaceAllString(s, "")
}

// wrong gives the line of an answer that says what was wrong, or "".
func wrong(answer string) string {
	text := unescaped(strings.ToValidUTF8(head(answer, 4000), "\ufffd"))
	text = strings.ReplaceAll(strings.ReplaceAll(text, "<tool_use_error>", ""), "</tool_use_error>", "")
	first, last, found := "", "", ""
	for line := range strings.Lines(text) {
		if i := strings.LastIndexByte(strings.TrimRight(line, "\r\n"), '\r'); i >= 0 {
			line = line[i+1:] // all that a terminal would show
		}
		line = strings.TrimSpace(strings.Trim(strings.TrimSpace(line), "│┃|╭╮╰╯─━"))
		if boilerplate().MatchString(line) || strings.IndexFunc(line, unicode.IsLetter) < 0 {
			continue
		}
		first = cmp.Or(first, line)
		last = line
		if found == "" && complains().MatchString(line) && !sums().MatchString(line) {
			found = line
		}
	}
	switch {
	case strings.Contains(text, "Traceback (most recent call last)") && thrown().MatchString(last):
		return last
	case found != "":
		return found
	}
	return first
}

var stables = []struct {
	pattern func() *regexp.Regexp
	with    string
}{
	{lessons.LazyRegexp(`\b[a-z][a-z0-9+.-]*://[^\s"'<>)]+`), "<url>"},
	{lessons.LazyRegexp(`\b\d{4}-\d\d-\d\d(?:[t ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:z|[+-]\d\d:?\d\d)?)?`), "<time>"},
	{lessons.LazyRegexp(`\b\d\d:\d\d:\d\d(?:[.,]\d+)?\b`), "<time>"},
	{lessons.LazyRegexp(`\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b|\b0x[0-9a-f]+\b`), "<id>"},
	{lessons.LazyRegexp(`(?:/private)?/(?:tmp|var/folders|var/tmp|dev/shm)/[^\s"'<>:,)]+|[a-z]:\\[^\s"']*\\temp\\[^\s"'<>:,)]+`), "<tmp>"},
	{lessons.LazyRegexp(`(?:[a-z]:)?[\w.@%+~-]*(?:[/\\][\w.@%+~-]+)+[/\\]?`), "<path>"}, // replaced by its base
}

var (
	hexWord = lessons.LazyRegexp(`\b[0-9a-f]{7,64}\b`)
	numbers = lessons.LazyRegexp(`\d+`)
)

// Stable is an error without what differs from run to run: times, ids, folders and
// numbers.
func Stable(line string) string {
	s := strings.ToLower(unescaped(head(line, 2*maxPrint+200)))
	for _, x := range stables {
		if x.with == "<path>" {
			s = x.pattern().ReplaceAllStringFunc(s, func(p string) string {
				p = strings.TrimRight(strings.ReplaceAll(p, `\`, "/"), "/")
				return path.Base("/" + p)
			})
			continue
		}
		s = x.pattern().ReplaceAllString(s, x.with)
	}
	s = hexWord().ReplaceAllStringFunc(s, func(w string) string {
		if strings.ContainsAny(w, "0123456789") {
			return "<id>"
		}
		return w
	})
	s = numbers().ReplaceAllString(s, "0")
	return head(strings.Join(strings.Fields(s), " "), maxPrint)
}
