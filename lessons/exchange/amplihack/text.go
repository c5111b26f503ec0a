package amplihack

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"learnings/lessons/exchange"
	"learnings/lessons/file"
)

// A text is YAML in which parts can be replaced. Everything else stays byte for byte:
// comments, order, quotes and line ends.
type text struct {
	exchange.Splice
	starts []int // the offsets of lines
	eol    string
	root   *yaml.Node       // a mapping; nil if there are only comments
	bad    *exchange.Unread // why it cannot be read
	broken bool             // bad because it is not YAML, rather than YAML of another shape
}

func shape(line int, format string, args ...any) *exchange.Unread {
	return &exchange.Unread{Line: line, Err: fmt.Errorf(format, args...)}
}

// parseText parses YAML with a mapping at the top.
func parseText(data []byte) *text {
	t := &text{Splice: exchange.Splice{Data: data}, eol: exchange.LineEnd(data)}
	t.starts = lineStarts(data)
	dec := yaml.NewDecoder(bytes.NewReader(data))
	var doc, second yaml.Node
	err := dec.Decode(&doc)
	if err == nil {
		if err = dec.Decode(&second); err == nil {
			t.bad = shape(second.Line, "a second document begins here")
			return t
		}
	}
	switch {
	case !utf8.Valid(data):
		t.bad, t.broken = shape(0, "is not UTF-8"), true
		return t
	case !errors.Is(err, io.EOF):
		line, says := file.YAMLError(err)
		t.bad, t.broken = shape(line, "%s", says), true
		return t
	case len(doc.Content) == 0:
		return t
	}
	switch root := doc.Content[0]; {
	case root.Kind == yaml.ScalarNode && root.Tag == "!!null":
	case root.Kind == yaml.SequenceNode:
		t.bad = shape(root.Line, "has a list at the top, where category and learnings belong")
	case root.Kind != yaml.MappingNode:
		t.bad = shape(root.Line, "has no category and learnings at the top")
	default:
		t.root, t.bad = root, twice(root)
	}
	return t
}

// twice finds a duplicate key of a mapping.
func twice(m *yaml.Node) *exchange.Unread {
	seen := map[string]int{}
	for i := 0; i+1 < len(m.Content); i += 2 {
		k := m.Content[i]
		if first, ok := seen[k.Value]; ok {
			return shape(k.Line, "the key %q is there twice; the first is in line %d", k.Value, first)
		}
		seen[k.Value] = k.Line
	}
	return nil
}

// odd finds an alias, an anchor, a tag or a merge key: following an alias may take
// forever, and changing an anchored node would change other nodes too.
func odd(n *yaml.Node) (line int, found bool) {
	if n.Kind == yaml.AliasNode || n.Anchor != "" || n.Style&yaml.TaggedStyle != 0 || n.Value == "<<" && n.Tag == "!!merge" {
		return n.Line, true
	}
	for _, c := range n.Content {
		if line, found = odd(c); found {
			return line, true
		}
	}
	return 0, false
}

// lineStarts returns the offsets of lines, by the line breaks of YAML 1.1.
func lineStarts(data []byte) []int {
	starts := []int{0}
	for i := 0; i < len(data); {
		r, n := rune(data[i]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRune(data[i:])
		}
		i += n
		switch r {
		case '\r':
			if i < len(data) && data[i] == '\n' {
				i++
			}
			starts = append(starts, i)
		case '\n', '\u0085', '\u2028', '\u2029':
			starts = append(starts, i)
		}
	}
	return starts
}

// line returns the offset of the line with a number, or the end of the text after the last
// one.
func (t *text) line(n int) int {
	if n > len(t.starts) {
		return len(t.Data)
	}
	return t.starts[n-1]
}

// after returns the number of the line after a value, which includes following lines that
// are indented deeper than its key.
func (t *text) after(v *yaml.Node, indent int) int {
	if n := len(v.Content); n > 0 && v.Style&yaml.FlowStyle == 0 {
		return t.after(v.Content[n-1], v.Column-1)
	}
	block := v.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0
	to := v.Line + 1
	for n := to; n <= len(t.starts); n++ {
		text := string(t.Data[t.line(n):t.line(n+1)])
		bare := strings.TrimLeft(text, " ")
		switch {
		case strings.TrimSpace(bare) == "", !block && bare[0] == '#':
			continue
		case len(text)-len(bare) <= indent:
			return to
		}
		to = n + 1
	}
	return to
}

// colon returns the offset after the colon of a key.
func (t *text) colon(key *yaml.Node) int {
	at := t.line(key.Line)
	if key.Line == 1 && bytes.HasPrefix(t.Data, []byte("\ufeff")) {
		at += len("\ufeff")
	}
	for range key.Column - 1 {
		_, size := utf8.DecodeRune(t.Data[at:])
		at += size
	}
	at += len(key.Value)
	return at + bytes.IndexByte(t.Data[at:], ':') + 1
}

// insert inserts whole lines before the line with a number.
func (t *text) insert(line int, lines string) {
	at := t.line(line)
	if at == len(t.Data) && at > 0 && t.starts[len(t.starts)-1] != at {
		lines = t.eol + lines // the last line has no line end
	}
	t.Replace(at, at, lines)
}

// set replaces the value of a key. A comment on the line of the old value moves to the
// first line of the new one.
func (t *text) set(key, val *yaml.Node, with string) {
	from := t.colon(key)
	to := max(t.line(max(t.after(val, key.Column-1), key.Line+1)), from)
	old := strings.TrimRightFunc(string(t.Data[from:to]), unicode.IsSpace)
	comment := ""
	if c := strings.TrimSpace(cmp.Or(val.LineComment, key.LineComment)); c != "" {
		before := old[:max(strings.LastIndex(old, c), 0)]
		comment = before[len(strings.TrimRight(before, " \t")):] + c
	}
	first, more, _ := strings.Cut(with, t.eol)
	if more != "" {
		more = t.eol + more
	}
	if first != "" {
		first = " " + first
	}
	t.Replace(from, from+len(old), first+comment+more)
}

// value returns a key of a mapping and its value; nil if it is missing.
func value(m *yaml.Node, name string) (key, val *yaml.Node) {
	if m == nil || m.Kind != yaml.MappingNode {
		return nil, nil
	}
	for i := 0; i+1 < len(m.Content); i += 2 {
		if m.Content[i].Value == name {
			return m.Content[i], m.Content[i+1]
		}
	}
	return nil, nil
}

// literal reports whether a block scalar can hold the text: YAML breaks it into the same
// lines.
func literal(s string) bool {
	first, _, _ := strings.Cut(s, "\n")
	return s != "" && strings.TrimSpace(first) != "" && !strings.HasPrefix(first, " ") && !strings.HasPrefix(first, "\t") &&
		!strings.ContainsFunc(s, func(r rune) bool { return r != '\n' && r != '\t' && file.Invisible(r) })
}

// block formats text as a block scalar below its key at an indentation, or on one line if a
// block cannot hold it.
func block(s string, indent int, eol string) string {
	if !literal(s) {
		return file.QuoteYAML(s)
	}
	var b strings.Builder
	b.WriteByte('|')
	for line := range strings.SplitSeq(s, "\n") {
		b.WriteString(eol)
		if line != "" {
			b.WriteString(strings.Repeat(" ", indent+2) + line)
		}
	}
	return b.String()
}

// number formats a number as Python formats a float.
func number(f float64) string {
	s := strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}
