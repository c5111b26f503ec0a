package amplihack

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"learnings/lessons"
	"learnings/lessons/exchange"
	"learnings/lessons/file"
)

// A text is YAML in which parts can be replaced. Everything else stays byte for byte:
// comments, order, quotes and line ends.
type text struct {
	exchange.Splice        // of the text without a byte order mark, and with an end of the last line
	before          []byte // the text as it was
	starts          []int  // the offsets of lines
	eol             string
	root            *yaml.Node       // a mapping; nil if there are only comments
	bad             *exchange.Unread // why it cannot be read
	broken          bool             // bad because it is not YAML, rather than YAML of another shape
}

var bom = []byte("\ufeff")

// ends matches a line break of YAML 1.1.
var ends = lessons.LazyRegexp("\r\n|[\n\r\u0085\u2028\u2029]")

func shape(line int, format string, args ...any) *exchange.Unread {
	return &exchange.Unread{Line: line, Err: fmt.Errorf(format, args...)}
}

// parseText parses YAML with a mapping at the top.
func parseText(data []byte) *text {
	t := &text{before: data, eol: exchange.LineEnd(data), starts: []int{0}}
	if t.Data = bytes.TrimPrefix(data, bom); !bytes.HasSuffix(t.Data, []byte("\n")) {
		t.Data = append(bytes.Clone(t.Data), t.eol...)
	}
	for _, m := range ends().FindAllIndex(t.Data, -1) {
		t.starts = append(t.starts, m[1])
	}
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

// bytes returns the text with all replacements.
func (t *text) bytes() []byte {
	if !t.Changed() {
		return t.before
	}
	after := t.Bytes()
	if !bytes.HasSuffix(t.before, []byte("\n")) {
		after = bytes.TrimSuffix(after, []byte(t.eol))
	}
	if bytes.HasPrefix(t.before, bom) {
		after = append(bytes.Clone(bom), after...)
	}
	return after
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

// odd finds an alias, an anchor, a tag or a merge key, and returns its line; 0 for none.
// Following an alias may take forever, and changing an anchored node would change other
// nodes too.
func odd(n *yaml.Node) int {
	if n.Kind == yaml.AliasNode || n.Anchor != "" || n.Style&yaml.TaggedStyle != 0 || n.Value == "<<" && n.Tag == "!!merge" {
		return n.Line
	}
	for _, c := range n.Content {
		if line := odd(c); line > 0 {
			return line
		}
	}
	return 0
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

// null reports whether a value is missing or says nothing.
func null(v *yaml.Node) bool { return v == nil || v.Kind == yaml.ScalarNode && v.Tag == "!!null" }

// line returns the offset of the line with a number, or the end of the text after the last
// one.
func (t *text) line(n int) int {
	if n > len(t.starts) {
		return len(t.Data)
	}
	return t.starts[n-1]
}

// lines returns the lines from one number up to another.
func (t *text) lines(from, to int) string { return string(t.Data[t.line(from):t.line(to)]) }

// after returns the number of the line after a value, which includes following lines that
// are indented deeper than its key.
func (t *text) after(v *yaml.Node, indent int) int {
	if n := len(v.Content); n > 0 && v.Style&yaml.FlowStyle == 0 {
		return t.after(v.Content[n-1], v.Column-1)
	}
	block := v.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0
	to := v.Line + 1
	for n := to; n <= len(t.starts); n++ {
		text := t.lines(n, n+1)
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
	for range key.Column - 1 {
		_, size := utf8.DecodeRune(t.Data[at:])
		at += size
	}
	at += len(key.Value)
	return at + bytes.IndexByte(t.Data[at:], ':') + 1
}

// insert inserts whole lines before the line with a number.
func (t *text) insert(line int, lines string) { t.Replace(t.line(line), t.line(line), lines) }

// remove removes the lines from one number up to another.
func (t *text) remove(from, to int) { t.Replace(t.line(from), t.line(to), "") }

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
	t.Replace(from, from+len(old), first+comment+more)
}
