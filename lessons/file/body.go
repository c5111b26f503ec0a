package file

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"learnings/lessons"
)

// Headings of the body. A line of the insight that looks like one, or like a git conflict
// marker, is escaped with a backslash, which Markdown does not show.
const (
	exampleHeading  = "## Example"
	evidenceHeading = "## Evidence"
)

// writeBody writes the insight, the example as an indented block, and the evidence as a
// list. A heading separates insight and example if the insight's end could be mistaken
// for the example.
func writeBody(b *bytes.Buffer, l lessons.Lesson) {
	lines := prose(l.Insight)
	section(b, lines)
	if insight, example := readProse(slices.Concat(lines, []string{""}, indented(l.Example))); insight != l.Insight || example != l.Example {
		section(b, []string{exampleHeading})
	}
	section(b, indented(l.Example))
	rest := l.Evidence[sessionEvidence(l.Evidence):]
	if len(rest) == 0 {
		return
	}
	section(b, []string{evidenceHeading})
	b.WriteByte('\n')
	for _, e := range rest {
		writeEvidence(b, e)
	}
}

func section(b *bytes.Buffer, lines []string) {
	if len(lines) > 0 {
		b.WriteString("\n" + strings.Join(lines, "\n") + "\n")
	}
}

// prose gives the insight as lines of a file.
func prose(insight string) []string {
	if insight == "" {
		return nil
	}
	lines := strings.Split(insight, "\n")
	for i, s := range lines {
		if special(strings.TrimLeft(s, `\`)) {
			lines[i] = `\` + s
		}
	}
	return lines
}

func special(line string) bool {
	return isHeading(line, exampleHeading) || isHeading(line, evidenceHeading) || conflictMarker(line)
}

func isHeading(line, heading string) bool { return strings.TrimRight(line, " \t") == heading }

const indent = "    "

func indented(example string) []string {
	if example == "" {
		return nil
	}
	lines := strings.Split(example, "\n")
	for i, s := range lines {
		if s != "" {
			lines[i] = indent + s
		}
	}
	return lines
}

// dedent undoes indented. It is false when a line is not indented.
func dedent(lines []string) (string, bool) {
	out := make([]string, len(lines))
	for i, s := range lines {
		switch {
		case strings.HasPrefix(s, indent):
			out[i] = s[len(indent):]
		case strings.HasPrefix(s, "\t"):
			out[i] = s[1:]
		case !blank(s):
			return "", false
		}
	}
	return strings.Join(trimBlank(out), "\n"), true
}

// readBody reads what writeBody wrote, and any other Markdown as an insight. In our own
// files unreadable evidence is an error, because it would be lost; elsewhere it belongs
// to the insight.
func readBody(body string, line int, own bool) (insight, example string, evidence []lessons.Evidence, err error) {
	lines := strings.Split(strings.TrimSuffix(body, "\n"), "\n")
	for i, s := range lines {
		if !isHeading(s, evidenceHeading) {
			continue
		}
		evidence, err = readEvidence(lines[i+1:], line+i+1)
		if err == nil {
			lines = lines[:i]
		} else if !own {
			err = nil
		}
		break
	}
	insight, example = readProse(lines)
	return insight, example, evidence, err
}

// readProse cuts off the example: the text after its heading, or else the indented block
// at the end.
func readProse(lines []string) (insight, example string) {
	start, end := len(lines), len(lines)
	for i, s := range lines {
		if isHeading(s, exampleHeading) {
			if example, ok := dedent(lines[i+1:]); ok {
				return unescaped(lines[:i]), example
			}
			break
		}
	}
	for i := end - 1; i >= 0; i-- {
		if blank(lines[i]) {
			continue
		}
		if _, ok := dedent(lines[i : i+1]); !ok {
			break
		}
		if i == 0 || blank(lines[i-1]) {
			start = i
		}
	}
	example, _ = dedent(lines[start:])
	return unescaped(lines[:start]), example
}

func unescaped(lines []string) string {
	out := make([]string, len(lines))
	for i, s := range lines {
		if out[i] = s; strings.HasPrefix(s, `\`) && special(strings.TrimLeft(s, `\`)) {
			out[i] = s[1:]
		}
	}
	return strings.Join(trimBlank(out), "\n")
}

// who are the speakers in words.
var who = map[lessons.Speaker]string{lessons.ByPerson: "the person", lessons.ByAgent: "the agent", lessons.ByTool: "a tool"}

// writeEvidence writes a piece of evidence as a line for people,
//
//   - claude-code `0b51d8e2` line 1412, the person: "always run make generate"
//
// and the remaining fields as items below it.
func writeEvidence(b *bytes.Buffer, e lessons.Evidence) {
	var head []string
	item := func(key, value string) { b.WriteString("  - " + key + ": " + quoteJSON(value) + "\n") }
	if simple(e.Agent) && e.Agent != "line" {
		head, e.Agent = append(head, e.Agent), ""
	}
	if bare(e.Session) {
		head, e.Session = append(head, "`"+e.Session+"`"), ""
	}
	if e.Line > 0 {
		head = append(head, "line", strconv.Itoa(e.Line))
	}
	first := strings.Join(head, " ")
	if w := who[e.By]; w != "" {
		first, e.By = strings.TrimPrefix(first+", "+w, ", "), ""
	}
	if first != "" {
		first += ": "
	}
	b.WriteString("- " + first + quoteJSON(e.Quote) + "\n")
	for _, f := range [][2]string{{"agent", e.Agent}, {"session", e.Session}, {"by", string(e.By)}, {"from", e.From}, {"author", e.Author}, {"link", e.Link}, {"file", e.Path}, {"uuid", e.UUID}} {
		if f[1] != "" {
			item(f[0], f[1])
		}
	}
	if !e.At.IsZero() {
		item("time", e.At.Format(stamp))
	}
	for _, s := range e.Before {
		item("before", s)
	}
	for _, s := range e.After {
		item("after", s)
	}
}

// readEvidence reads the list. Its first line has the number line in the file.
func readEvidence(lines []string, line int) ([]lessons.Evidence, error) {
	var all []lessons.Evidence
	for i, s := range lines {
		var ok bool
		switch {
		case blank(s):
			continue
		case strings.HasPrefix(s, "- "):
			var e lessons.Evidence
			e, ok = readWitness(strings.TrimPrefix(s, "- "))
			all = append(all, e)
		case strings.HasPrefix(s, "  - ") && len(all) > 0:
			ok = readItem(&all[len(all)-1], strings.TrimPrefix(s, "  - "))
		}
		if !ok {
			return nil, badLine(line+i, "this is not a line of evidence; one is: - agent `session` line 12, the person: \"words\"")
		}
	}
	return all, nil
}

func readWitness(s string) (e lessons.Evidence, ok bool) {
	at := strings.IndexByte(s, '"')
	if at < 0 || json.Unmarshal([]byte(s[at:]), &e.Quote) != nil {
		return e, false
	}
	head := strings.TrimSuffix(strings.TrimSpace(s[:at]), ":")
	for by, w := range who {
		if head == w || strings.HasSuffix(head, ", "+w) {
			e.By = by
			head = strings.TrimSuffix(strings.TrimSuffix(head, w), ", ")
			break
		}
	}
	words := strings.Fields(head)
	if len(words) > 0 && words[0] != "line" && simple(words[0]) {
		e.Agent, words = words[0], words[1:]
	}
	if len(words) > 0 && len(words[0]) > 2 && strings.HasPrefix(words[0], "`") && strings.HasSuffix(words[0], "`") {
		e.Session, words = strings.Trim(words[0], "`"), words[1:]
	}
	if len(words) == 2 && words[0] == "line" {
		n, err := strconv.Atoi(words[1])
		if err != nil || n < 1 {
			return e, false
		}
		e.Line, words = n, nil
	}
	return e, len(words) == 0
}

func readItem(e *lessons.Evidence, s string) bool {
	key, value, ok := strings.Cut(s, ": ")
	var text string
	if !ok || json.Unmarshal([]byte(value), &text) != nil {
		return false
	}
	to := map[string]*string{"agent": &e.Agent, "session": &e.Session, "by": (*string)(&e.By), "from": &e.From, "author": &e.Author, "link": &e.Link, "file": &e.Path, "uuid": &e.UUID}[key]
	switch {
	case to != nil:
		*to = text
	case key == "time":
		t, err := time.Parse(time.RFC3339Nano, text)
		e.At = t
		return err == nil
	case key == "before":
		e.Before = append(e.Before, text)
	case key == "after":
		e.After = append(e.After, text)
	default:
		return false
	}
	return true
}
