package amplihack

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"learnings/lessons/exchange"
	"learnings/lessons/file"
)

// A text is YAML of which parts are replaced while everything else stays as it is,
// byte for byte: its comments, its order, its quotes and its line ends.
type text struct {
	exchange.Splice
	starts []int // where the lines begin
	eol    string
	root   *yaml.Node // a mapping; nil when there is nothing but comments
}

// A badYAML is why a file cannot be read, and where.
type badYAML struct {
	line   int  // from 1; 0 when the whole file is meant
	syntax bool // it is no YAML; else it is, of another shape
	err    error
}

func (b *badYAML) Error() string { return b.err.Error() }

func shape(line int, format string, args ...any) *badYAML {
	return &badYAML{line: line, err: fmt.Errorf(format, args...)}
}

// parseText reads YAML whose top is a mapping.
func parseText(data []byte) (*text, *badYAML) {
	t := &text{Splice: exchange.Splice{Data: data}, eol: "\n"}
	if !utf8.Valid(data) {
		return t, &badYAML{syntax: true, err: errors.New("is not UTF-8")}
	}
	t.starts = lineStarts(data)
	if i := bytes.IndexByte(data, '\n'); i > 0 && data[i-1] == '\r' {
		t.eol = "\r\n"
	}
	dec := yaml.NewDecoder(bytes.NewReader(data))
	var doc, second yaml.Node
	switch err := dec.Decode(&doc); {
	case errors.Is(err, io.EOF):
		return t, nil
	case err != nil:
		return t, syntaxError(err)
	}
	if err := dec.Decode(&second); err == nil {
		return t, shape(second.Line, "a second document begins here")
	} else if !errors.Is(err, io.EOF) {
		return t, syntaxError(err)
	}
	switch root := doc.Content[0]; {
	case root.Kind == yaml.ScalarNode && root.Tag == "!!null":
		return t, nil
	case root.Kind == yaml.SequenceNode:
		return t, shape(root.Line, "has a list at the top, where category and learnings belong")
	case root.Kind != yaml.MappingNode:
		return t, shape(root.Line, "has no category and learnings at the top")
	default:
		t.root = root
	}
	return t, twice(t.root)
}

func syntaxError(err error) *badYAML {
	line, says := file.YAMLError(err)
	return &badYAML{line: line, syntax: true, err: errors.New(says)}
}

// twice finds a key that a mapping has more than once.
func twice(m *yaml.Node) *badYAML {
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

// odd finds what a node refers to elsewhere, or is referred to by: to follow an
// alias may take for ever, and to change one changes what nobody meant.
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

// lineStarts are the places where lines begin, by the line breaks of YAML 1.1.
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

// at is where a node begins.
func (t *text) at(n *yaml.Node) int {
	i := t.starts[n.Line-1]
	if n.Line == 1 && bytes.HasPrefix(t.Data, []byte("\ufeff")) {
		i += len("\ufeff")
	}
	for range n.Column - 1 {
		_, size := utf8.DecodeRune(t.Data[i:])
		i += size
	}
	return i
}

// line is the number of the line of a place, from 1.
func (t *text) line(at int) int {
	i, found := slices.BinarySearch(t.starts, at)
	if found {
		i++
	}
	return i
}

// lineStart and lineEnd are where the line of a place begins, and where the next
// one does.
func (t *text) lineStart(at int) int { return t.starts[t.line(at)-1] }

func (t *text) lineEnd(at int) int {
	if n := t.line(at); n < len(t.starts) {
		return t.starts[n]
	}
	return len(t.Data)
}

// end is where the text of a node ends, before what may follow it in its line.
func (t *text) end(n *yaml.Node) int {
	at := t.at(n)
	switch {
	case n.Kind == yaml.ScalarNode && n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		return max(t.consume(t.lineEnd(at), n.Value), t.headerEnd(at))
	case n.Kind == yaml.ScalarNode && n.Style&yaml.DoubleQuotedStyle != 0:
		return t.quoted(at, '"')
	case n.Kind == yaml.ScalarNode && n.Style&yaml.SingleQuotedStyle != 0:
		return t.quoted(at, '\'')
	case n.Kind == yaml.ScalarNode:
		return t.consume(at, n.Value)
	case n.Style&yaml.FlowStyle != 0:
		return t.flowEnd(n, at)
	case len(n.Content) > 0:
		return t.end(n.Content[len(n.Content)-1])
	}
	return at
}

// headerEnd is where the line that introduces a block of text ends, without its
// line break.
func (t *text) headerEnd(at int) int {
	return at + len(strings.TrimRightFunc(string(t.Data[at:t.lineEnd(at)]), unicode.IsSpace))
}

// consume is where the characters of a value that has no escapes end.
func (t *text) consume(at int, value string) int {
	end := at
	for _, r := range value {
		if unicode.IsSpace(r) {
			continue
		}
		for at < len(t.Data) {
			c, n := utf8.DecodeRune(t.Data[at:])
			at += n
			if c == r {
				end = at
				break
			}
		}
	}
	return end
}

// quoted is where a text in quotes ends.
func (t *text) quoted(at int, quote byte) int {
	for i := at + 1; i < len(t.Data); i++ {
		switch c := t.Data[i]; {
		case c == '\\' && quote == '"':
			i++
		case c == quote && quote == '\'' && i+1 < len(t.Data) && t.Data[i+1] == quote:
			i++
		case c == quote:
			return i + 1
		}
	}
	return len(t.Data)
}

// flowEnd is where a list or a mapping in brackets ends.
func (t *text) flowEnd(n *yaml.Node, at int) int {
	i := at + 1
	if len(n.Content) > 0 {
		i = t.end(n.Content[len(n.Content)-1])
	}
	for ; i < len(t.Data); i++ {
		switch t.Data[i] {
		case ']', '}':
			return i + 1
		case '#':
			i = t.lineEnd(i) - 1
		}
	}
	return len(t.Data)
}

// colon is the place behind the colon of a key.
func (t *text) colon(key *yaml.Node) int {
	end := t.end(key)
	if i := bytes.IndexByte(t.Data[end:], ':'); i >= 0 {
		return end + i + 1
	}
	return end
}

// insert puts whole lines before the line that begins at a place.
func (t *text) insert(at int, lines string) {
	if at == len(t.Data) && at > 0 && t.starts[len(t.starts)-1] != at {
		lines = t.eol + lines // the last line has no end
	}
	t.Replace(at, at, lines)
}

// value gives a key of a mapping with its value; nil where it is not there.
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

// setScalar gives a key of a mapping another value, in one line.
func (t *text) setScalar(m *yaml.Node, name, with string) {
	key, val := value(m, name)
	switch {
	case key == nil || val.Kind != yaml.ScalarNode:
	case empty(val):
		t.Replace(t.colon(key), t.colon(key), " "+with)
	default:
		t.Replace(t.at(val), t.end(val), with)
	}
}

// begins puts lines below a key whose list is empty: [] or nothing.
func (t *text) begins(key, list *yaml.Node, lines string) {
	at := t.colon(key)
	if !empty(list) {
		from, to := t.at(list), t.end(list)
		if strings.Trim(string(t.Data[at:from]), " \t") == "" {
			from = at
		}
		t.Replace(from, to, "")
		at = max(at, to-1) // it may be in a later line
	}
	t.insert(t.lineEnd(at), lines)
}

// empty reports a value of which there is no text.
func empty(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && n.Value == "" && n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) == 0
}

// literal reports text that a block of text can hold: every line of it is one
// there, too.
func literal(s string) bool {
	first, _, _ := strings.Cut(s, "\n")
	return s != "" && strings.TrimSpace(first) != "" && !strings.HasPrefix(first, " ") && !strings.HasPrefix(first, "\t") &&
		!strings.ContainsFunc(s, func(r rune) bool { return r != '\n' && r != '\t' && file.Invisible(r) })
}

// block writes text as a value that stands in lines of its own below its key,
// which is indented so far, or in one line where lines cannot hold it.
func block(s string, indent int, comment, eol string) string {
	if !literal(s) {
		return file.QuoteYAML(s)
	}
	var b strings.Builder
	b.WriteString("|" + comment)
	for line := range strings.SplitSeq(s, "\n") {
		b.WriteString(eol)
		if line != "" {
			b.WriteString(strings.Repeat(" ", indent+2) + line)
		}
	}
	return b.String()
}

// number writes a number as Python's float has it.
func number(f float64) string {
	s := strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}
