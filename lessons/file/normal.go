package file

import (
	"math"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"learnings/lessons"
)

// learning is Octomind's memory type for what is neither an orientation nor an
// experience. Our own lessons have it.
const learning = "learning"

// categoryOf gives the category of a lesson that names none, by its type of memory:
// Octomind has no categories.
var categoryOf = map[string]lessons.Category{
	"orientation": "architecture",
	"experience":  "discovery",
}

func defaultCategory(memory string) lessons.Category {
	if c, ok := categoryOf[memory]; ok {
		return c
	}
	return "pattern"
}

// Normal gives the form of a lesson that a file can hold; see [Encode].
func Normal(l lessons.Lesson) lessons.Lesson {
	l.Rev = ""
	for _, text := range []*string{&l.Content, &l.Scope.Project, &l.Scope.Role, &l.Origin.Source} {
		*text = utf8Text(*text)
	}
	l.Insight, l.Example = Block(l.Insight), Block(l.Example)
	l.Tags = terms(l.Tags)
	for _, k := range keys {
		k.normal(&l)
	}
	l.Limit.Agent = strings.TrimSpace(l.Limit.Agent)
	if c := l.Confidence.Round(); c >= 0 && c <= 1 {
		l.Confidence = lessons.Confidence(math.Abs(float64(c))) // no negative zero
	}
	l.Evidence = normalEvidence(l.Evidence)
	if l.Lane != lessons.Maybe {
		l.Lane = "" // as a file has it
	}
	if l.Offer.Content == "" {
		l.Offer = lessons.Offer{}
	}
	if l.Guard.IsZero() {
		l.Guard = lessons.Guard{}
	}
	l.HoldsWith = normalHoldings(l.HoldsWith)
	l.Created = normalTime(l.Created)
	l.Extra = normalExtra(l)
	if l.Category = lessons.Category(utf8Text(string(l.Category))); l.Category == "" {
		l.Category = defaultCategory(memoryType(l))
	}
	return l
}

func utf8Text(s string) string { return strings.ToValidUTF8(s, "\ufffd") }

func normalHoldings(in []lessons.Holding) []lessons.Holding {
	var out []lessons.Holding
	for _, h := range in {
		h.Reason = strings.Join(strings.Fields(utf8Text(h.Reason)), " ")
		if !slices.ContainsFunc(out, func(o lessons.Holding) bool { return o.ID == h.ID }) {
			out = append(out, h)
		}
	}
	return out
}

// Block gives text of several lines as a file's body holds it.
func Block(s string) string {
	s = strings.ReplaceAll(utf8Text(s), "\r\n", "\n")
	s = strings.ReplaceAll(s, "\r", "\n")
	return strings.Join(trimBlank(strings.Split(s, "\n")), "\n")
}

// trimBlank drops the blank lines at both ends.
func trimBlank(lines []string) []string {
	for len(lines) > 0 && blank(lines[0]) {
		lines = lines[1:]
	}
	for len(lines) > 0 && blank(lines[len(lines)-1]) {
		lines = lines[:len(lines)-1]
	}
	return lines
}

func blank(s string) bool { return strings.TrimSpace(s) == "" }

func terms(in []string) []string {
	var out []string
	for _, s := range in {
		if s = strings.TrimSpace(utf8Text(s)); s != "" {
			out = append(out, s)
		}
	}
	return out
}

func normalTime(t time.Time) time.Time {
	t = t.UTC().Round(0)
	if t.IsZero() || t.Year() < 1 || t.Year() > 9999 {
		return time.Time{}
	}
	return t
}

func normalEvidence(in []lessons.Evidence) []lessons.Evidence {
	var links, rest []lessons.Evidence
	for _, e := range in {
		e = lessons.Evidence{
			Agent: utf8Text(e.Agent), Session: utf8Text(e.Session), UUID: utf8Text(e.UUID), Path: utf8Text(e.Path), Author: utf8Text(e.Author), Link: utf8Text(e.Link),
			Line: max(e.Line, 0), By: lessons.Speaker(utf8Text(string(e.By))), From: utf8Text(e.From), At: normalTime(e.At),
			Quote: utf8Text(e.Quote), Before: texts(e.Before), After: texts(e.After),
		}
		switch {
		case says(e):
			rest = append(rest, e)
		case isLink(e):
			links = append(links, e)
		case e.Agent+e.Session+e.Path != "" || e.Line > 0 || e.By != "":
			rest = append(rest, e)
		}
	}
	return append(links, rest...)
}

// says reports whether a piece of evidence holds more than where it is from.
func says(e lessons.Evidence) bool {
	return e.UUID+e.From+e.Quote+e.Author+e.Link != "" || len(e.Before)+len(e.After) > 0 || !e.At.IsZero()
}

func texts(in []string) []string {
	var out []string
	for _, s := range in {
		out = append(out, utf8Text(s))
	}
	return out
}

// Octomind's evidence is a link into one of its sessions, without the words.
const (
	octomind   = "octomind"
	linkScheme = "session://"
	linkPart   = "/message/"
)

// linkEvidence gives the evidence behind one of Octomind's links. Any other text in
// its place is kept as a path.
func linkEvidence(link string) lessons.Evidence {
	e := lessons.Evidence{Path: link}
	if rest, ok := strings.CutPrefix(link, linkScheme); ok {
		if session, n, ok := strings.Cut(rest, linkPart); ok && digits(n) && bare(session) {
			e.Agent, e.Session = octomind, session
		}
	}
	return e
}

// isLink reports whether a link can hold the evidence.
func isLink(e lessons.Evidence) bool {
	if e.Agent != octomind || e.Line != 0 || e.By != "" || says(e) {
		return false
	}
	l := linkEvidence(e.Path)
	return l.Agent == octomind && l.Session == e.Session
}

// sessionEvidence counts the links at the start of a normal list.
func sessionEvidence(all []lessons.Evidence) int {
	if n := slices.IndexFunc(all, func(e lessons.Evidence) bool { return !isLink(e) }); n >= 0 {
		return n
	}
	return len(all)
}

func digits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// bare reports a name that needs no quoting anywhere.
func bare(s string) bool {
	for _, r := range s {
		if (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-' && r != '_' && r != '.' {
			return false
		}
	}
	return s != "" && !strings.Contains(s, "---")
}

// An extraField is a key that is not ours. Its value is the YAML text from the colon
// up to the next key, with line ends and comments.
type extraField lessons.Field

func (f extraField) text() string {
	key := f.Key
	if !bare(key) || strings.HasPrefix(key, "-") || strings.HasPrefix(key, ".") {
		key = quoteYAML(key)
	}
	if f.Value == "" || strings.HasPrefix(f.Value, "\n") {
		return key + ":" + f.Value + "\n"
	}
	return key + ": " + f.Value + "\n"
}

// readable is a field with a value that reads back as itself. One whose key is too
// long to be written (see [Encode]) is left as it is.
func readable(f lessons.Field) lessons.Field {
	if len(quoteYAML(f.Key)) > maxKey {
		return f
	}
	text := extraField(f).text()
	if !conflicted(text) && !hasLine(text, "---") && !hasLine(text, "...") {
		got, err := fields(text)
		if err == nil && len(got) == 1 && got[0].key == f.Key && got[0].raw == f.Value {
			if _, bad := aliased(got[0].node); !bad {
				return f
			}
		}
	}
	f.Value = quoteYAML(utf8Text(f.Value))
	return f
}

func hasLine(text, line string) bool {
	for l := range strings.Lines(text) {
		if strings.TrimRight(l, " \t\r\n") == line {
			return true
		}
	}
	return false
}

// aliased finds an anchor or alias, by which a small file can stand for an endless
// one. The line is that of the first, within the parsed text.
func aliased(n *yaml.Node) (line int, found bool) {
	if n.Kind == yaml.AliasNode || n.Anchor != "" {
		return n.Line, true
	}
	for _, c := range n.Content {
		if line, found = aliased(c); found {
			return line, true
		}
	}
	return 0, false
}
