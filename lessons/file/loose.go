package file

import (
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"learnings/lessons"
)

// keptLines is the key under which lines are kept that say nothing to anyone: they
// are no key with a value, or the value is not one that the key can have.
const keptLines = "kept_lines"

// A Line is one line of a frontmatter as Octomind takes it: a key and all that
// follows its first colon, without blanks around them. A line without a colon has no
// key.
type Line struct {
	Key, Value string
}

// Lines takes a file apart as every version of Octomind does: from the three hyphens
// at its start to the next three, even within a value. It returns false for files that
// Octomind ignores.
func Lines(text string) ([]Line, bool) {
	text, ok := strings.CutPrefix(strings.TrimSpace(text), "---")
	if !ok {
		return nil, false
	}
	head, _, ok := strings.Cut(text, "---")
	return linesOf(strings.TrimSpace(head)), ok
}

func linesOf(head string) []Line {
	var out []Line
	for text := range strings.SplitSeq(head, "\n") {
		text = strings.TrimSpace(text)
		if key, value, ok := strings.Cut(text, ":"); ok {
			out = append(out, Line{strings.TrimSpace(key), strings.TrimSpace(value)})
		} else {
			out = append(out, Line{Value: text})
		}
	}
	return out
}

// decodeLoose reads a file that Decode refuses and that Octomind nevertheless gives
// to its agents. Nothing in it is lost: what is of no use is kept under keptLines.
//
// A value that one of our own keys cannot have is still refused in a file with an id:
// that file is ours, and the error tells a person about a typing mistake.
func decodeLoose(data []byte, at place) (lessons.Lesson, bool) {
	if len(data) > MaxSize || !utf8.Valid(data) {
		return lessons.Lesson{}, false
	}
	text := strings.ReplaceAll(strings.TrimPrefix(string(data), "\ufeff"), "\r\n", "\n")
	if conflicted(text) {
		return lessons.Lesson{}, false
	}
	if p, err := read(data); err == nil {
		if l, ok := p.withoutBad(at, nil); ok {
			return l, true
		}
	}
	p, stray, ok := readLoose(text)
	if !ok {
		return lessons.Lesson{}, false
	}
	return p.withoutBad(at, stray)
}

// readLoose takes a file apart by its lines. A line that comes again counts, and the
// one before it is kept.
func readLoose(text string) (p parts, stray []string, ok bool) {
	head, body, err := split([]byte(text))
	if err != nil {
		rest, begins := strings.CutPrefix(strings.TrimSpace(text), "---")
		if head, body, ok = strings.Cut(rest, "---"); !begins || !ok || len(head) > maxHead {
			return p, nil, false
		}
		body = strings.TrimPrefix(body, "\n")
	}
	p.body, p.line = body, 3+strings.Count(head, "\n")
	at := map[string]int{}
	for i, l := range linesOf(hard(head)) {
		if !plainWord(l.Key) || len(l.Key) > maxKey {
			if whole := strings.Split(head, "\n")[i]; !blank(whole) {
				stray = append(stray, strings.TrimSpace(whole))
			}
			continue
		}
		f := field{key: l.Key, node: looseValue(l), raw: l.Value, line: i + 2}
		if was, twice := at[l.Key]; twice {
			stray = append(stray, p.fields[was].written())
			p.fields[was] = f
			continue
		}
		at[l.Key] = len(p.fields)
		p.fields = append(p.fields, f)
	}
	return p, stray, true
}

func (f field) written() string { return f.key + ": " + f.raw }

// looseValue gives the value of a line as Octomind reads it: quotes are around a text
// or they are not, and a list has commas.
func looseValue(l Line) *yaml.Node {
	if lists[l.Key] {
		node := &yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle}
		for item := range strings.SplitSeq(strings.TrimRight(strings.TrimLeft(l.Value, "["), "]"), ",") {
			if item = strings.Trim(strings.TrimSpace(item), `"`); item != "" {
				node.Content = append(node.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: item})
			}
		}
		return node
	}
	value := l.Value
	if inner, ok := strings.CutPrefix(value, `"`); ok {
		if inner, ok = strings.CutSuffix(inner, `"`); ok {
			value = inner
		} else {
			value = strings.Trim(value, `"`)
		}
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Value: unescapeLoose(value)}
}

var unescapeLoose = strings.NewReplacer(`\"`, `"`, `\\`, `\`, `\n`, "\n", escaped, "---").Replace

// withoutBad reads the parts, and keeps unreadable fields as lines.
func (p parts) withoutBad(at place, stray []string) (lessons.Lesson, bool) {
	owned := slices.ContainsFunc(p.fields, func(f field) bool { return f.key == "id" && f.node.Value != "" })
	for {
		l, bad, err := p.lesson(at)
		if err == nil {
			return withLines(l, stray)
		}
		i := slices.IndexFunc(p.fields, func(f field) bool { return f.key == bad })
		if i < 0 || bad == "content" || owned && !octominds[bad] {
			return l, false
		}
		stray = append(stray, p.fields[i].written())
		p.fields = slices.Delete(slices.Clone(p.fields), i, i+1)
	}
}

// withLines adds lines to those that a lesson keeps.
func withLines(l lessons.Lesson, stray []string) (lessons.Lesson, bool) {
	if len(stray) == 0 {
		return l, true
	}
	items := make([]string, len(stray))
	for i, s := range stray {
		items[i] = quoteYAML(s)
	}
	value := strings.Join(items, ", ")
	l.Extra = slices.Clone(l.Extra)
	i := slices.IndexFunc(l.Extra, func(f lessons.Field) bool { return f.Key == keptLines })
	if i < 0 {
		l.Extra = append(l.Extra, lessons.Field{Key: keptLines, Value: "[" + value + "]"})
		return l, true
	}
	l.Extra[i].Value = "[" + strings.TrimSuffix(strings.TrimPrefix(l.Extra[i].Value, "["), "]") + ", " + value + "]"
	return Normal(l), true
}

// plainWord reports ASCII letters and digits, with -, _, . and + within, but not null.
func plainWord(s string) bool {
	for i := range len(s) {
		c := s[i]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		if !letter && (i == 0 || c != '-' && c != '_' && c != '.' && c != '+') {
			return false
		}
	}
	return s != "" && !strings.EqualFold(s, "null")
}
