package amplihack

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"learnings/lessons"
	"learnings/lessons/exchange"
	"learnings/lessons/file"
)

// A document is a parsed file of learnings.
type document struct {
	*text
	path     string
	stem     string // its name without the extension
	missing  bool   // there is no such file
	category lessons.Category
	updated  time.Time

	key, list *yaml.Node // "learnings" and its value; nil if missing
	items     int        // in the list, including those that cannot be read
	entries   []*entry
	notes     []exchange.Unread // problems with parts that are read all the same
	added     []newEntry        // to be added
}

// An entry is one learning.
type entry struct {
	doc  *document
	id   string // as written; it may be "" and need not be unique
	key  string // the ledger's key
	line int    // of its dash
	to   int    // the line after it
	node *yaml.Node
	said fields
	will *fields // its new fields; nil for no change
	gone bool    // to be removed
}

// defaultConfidence is what amplihack assumes for a learning without a confidence.
const defaultConfidence = 0.5

// parseDocument reads a file of learnings. If the whole file cannot be read it sets bad;
// problems with parts go to notes.
func parseDocument(path, stem string, data []byte) *document {
	d := &document{text: parseText(data), path: path, stem: stem, category: lessons.Category(stem)}
	if d.bad != nil {
		return d
	}
	if _, v := value(d.root, "category"); !null(v) && v.Kind == yaml.ScalarNode {
		d.category = cmp.Or(lessons.Category(strings.TrimSpace(v.Value)), d.category)
	}
	if _, v := value(d.root, "last_updated"); v != nil {
		d.updated = exchange.Moment(v.Value)
	}
	d.key, d.list = value(d.root, "learnings")
	switch {
	case d.key == nil && d.root != nil:
		d.note(0, "has no list of learnings")
	case d.key == nil:
	case odd(d.key) > 0 || odd(&yaml.Node{Kind: d.list.Kind, Anchor: d.list.Anchor, Style: d.list.Style, Line: 1}) > 0:
		d.bad = shape(d.list.Line, "an anchor, an alias or a tag, which are not followed, stands for the learnings")
	case null(d.list):
		d.note(d.key.Line, "learnings has no value, on which the hook of amplihack fails: it should be []")
	case d.list.Kind != yaml.SequenceNode:
		d.bad = shape(d.list.Line, "learnings is no list")
	default:
		d.read()
	}
	return d
}

func (d *document) note(line int, format string, args ...any) {
	d.notes = append(d.notes, *shape(line, format, args...))
}

func (d *document) read() {
	keys := map[string]int{}
	d.items = len(d.list.Content)
	for _, n := range d.list.Content {
		if n.Kind != yaml.MappingNode {
			d.note(n.Line, "this learning has no id and summary, but is a single value")
			continue
		}
		if line := odd(n); line > 0 {
			d.note(line, "an anchor, an alias or a tag, which are not followed; the learning is left out")
			continue
		}
		if bad := twice(n); bad != nil {
			d.note(bad.Line, "%v; the learning is left out", bad.Err)
			continue
		}
		e := &entry{doc: d, node: n, line: n.Line}
		if !d.flow() {
			e.line, e.to = d.dash(n), d.after(n, d.list.Column-1)
		}
		if d.fields(e); e.said.Summary == "" {
			d.note(e.line, "this learning says nothing: it has no summary and no insight")
			continue
		}
		e.key = cmp.Or(e.id, d.stem+"/"+exchange.Digest(e.said.Summary)[:12])
		if keys[e.key]++; keys[e.key] > 1 {
			d.note(e.line, "the id %s is there twice", lessons.Line(e.key))
			e.key = fmt.Sprintf("%s#%d", e.key, keys[e.key])
		}
		d.entries = append(d.entries, e)
	}
}

// flow reports whether the list is written in brackets, as in JSON.
func (d *document) flow() bool { return d.list != nil && d.list.Style&yaml.FlowStyle != 0 }

// dash returns the line where an entry of the list begins.
func (d *document) dash(n *yaml.Node) int {
	indent := strings.Repeat(" ", d.list.Column-1)
	for line := n.Line; line >= d.list.Line; line-- {
		if strings.HasPrefix(d.lines(line, line+1), indent+"-") {
			return line
		}
	}
	return n.Line
}

// fields parses a learning.
func (d *document) fields(e *entry) {
	scalar := func(name string) (string, int) {
		_, v := value(e.node, name)
		switch {
		case null(v):
			return "", 0
		case v.Kind != yaml.ScalarNode:
			d.note(v.Line, "%s is no text", name)
			return "", 0
		}
		return v.Value, v.Line
	}
	text := func(name string) string { s, _ := scalar(name); return s }
	e.id = strings.TrimSpace(text("id"))
	f := fields{
		Summary: lessons.Line(text("summary")), Insight: file.Block(text("insight")), Example: file.Block(text("example")),
		Category: lessons.Category(lessons.Line(text("category"))), Confidence: defaultConfidence,
	}
	if f.Category == d.category {
		f.Category = ""
	}
	if f.Summary == "" {
		first, _, _ := strings.Cut(f.Insight, "\n")
		f.Summary = lessons.Line(first)
	}
	parse := func(name, wrong string, take func(string) bool) {
		if s, line := scalar(name); s != "" && !take(s) {
			d.note(line, "%s %s %s", name, lessons.Line(strconv.Quote(s)), wrong)
		}
	}
	parse("confidence", fmt.Sprintf("is no number from 0 to 1; %v is taken", defaultConfidence), func(s string) bool {
		c, err := strconv.ParseFloat(s, 64)
		ok := err == nil && c >= 0 && c <= 1
		if ok {
			f.Confidence = c
		}
		return ok
	})
	parse("times_used", "is no count; 0 is taken", func(s string) bool {
		n, err := strconv.ParseUint(s, 10, 31)
		f.Used = int(n)
		return err == nil
	})
	parse("created", "is no date", func(s string) bool {
		f.Created = exchange.Moment(s)
		return !f.Created.IsZero()
	})
	f.Keywords = d.keywords(e.node)
	e.said = f
}

func (d *document) keywords(n *yaml.Node) (out []string) {
	_, v := value(n, "keywords")
	switch {
	case null(v):
	case v.Kind == yaml.ScalarNode:
		out = strings.Split(v.Value, ",")
	case v.Kind == yaml.SequenceNode:
		for _, w := range v.Content {
			if w.Kind != yaml.ScalarNode {
				d.note(w.Line, "this keyword is no text")
				continue
			}
			out = append(out, w.Value)
		}
	default:
		d.note(v.Line, "keywords is no list")
	}
	return exchange.Terms(out)
}

// fields are the known fields of a learning. Texts are trimmed as those of lessons are.
type fields struct {
	Summary, Insight, Example string
	Category                  lessons.Category // "" for that of the file
	Keywords                  []string
	Confidence                float64
	Used                      int
	Created                   time.Time
}

// same reports whether f and g say the same.
func (f fields) same(g fields) bool {
	return f.Summary == g.Summary && f.Insight == g.Insight && f.Example == g.Example && f.Category == g.Category && sameWords(f.Keywords, g.Keywords) &&
		lessons.Confidence(f.Confidence).Round() == lessons.Confidence(g.Confidence).Round() && f.Used == g.Used
}

// sameWords reports whether a and b have the same words in any order.
func sameWords(a, b []string) bool {
	return len(a) == len(b) && !slices.ContainsFunc(a, func(w string) bool { return !slices.Contains(b, w) })
}

// A member is a key of a learning and the text after its colon; "" if it is left out.
type member struct{ name, text string }

// members returns the fields in amplihack's order, for keys at an indentation.
func (f fields) members(indent int, eol string) []member {
	quoted := func(s string, is bool) string {
		if !is {
			return ""
		}
		return " " + file.QuoteYAML(s)
	}
	keywords := " []"
	if len(f.Keywords) > 0 {
		keywords = ""
		for _, w := range f.Keywords {
			keywords += eol + strings.Repeat(" ", indent+2) + "- " + file.QuoteYAML(w)
		}
	}
	example := ""
	if f.Example != "" {
		example = block(f.Example, indent, eol)
	}
	return []member{
		{"created", quoted(stamp(f.Created), !f.Created.IsZero())},
		{"category", quoted(string(f.Category), f.Category != "")},
		{"keywords", keywords},
		{"summary", quoted(f.Summary, true)},
		{"insight", block(f.Insight, indent, eol)},
		{"example", example},
		{"confidence", " " + number(f.Confidence)},
		{"times_used", " " + strconv.Itoa(f.Used)},
	}
}

// A newEntry is to be appended to the list.
type newEntry struct {
	id   string
	said fields
}

// text formats an entry with its dash at an indentation, and its keys more to the right.
func (n newEntry) text(indent, more int, eol string) string {
	var b strings.Builder
	b.WriteString(strings.Repeat(" ", indent) + "-" + strings.Repeat(" ", more-1) + "id: " + file.QuoteYAML(n.id) + eol)
	for _, m := range n.said.members(indent+more, eol) {
		if m.text != "" {
			b.WriteString(strings.Repeat(" ", indent+more) + m.name + ":" + m.text + eol)
		}
	}
	return b.String()
}

// block formats text as a block scalar below its key at an indentation, or on one line if
// YAML would break a block into other lines.
func block(s string, indent int, eol string) string {
	first, _, _ := strings.Cut(s, "\n")
	if strings.TrimSpace(first) == "" || strings.Trim(first[:1], " \t") == "" || strings.ContainsFunc(s, func(r rune) bool { return r != '\n' && r != '\t' && file.Invisible(r) }) {
		return " " + file.QuoteYAML(s)
	}
	var b strings.Builder
	b.WriteString(" |")
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

// stamp formats a time as amplihack does.
func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05Z") }
