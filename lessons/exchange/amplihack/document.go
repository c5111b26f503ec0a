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

// fields are the known fields of a learning. Texts are trimmed as those of lessons are.
type fields struct {
	Summary, Insight, Example string
	Category                  lessons.Category // "" for that of the file
	Keywords                  []string
	Confidence                float64
	Used                      int
	Created                   time.Time
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
	if _, v := value(d.root, "category"); v != nil && v.Kind == yaml.ScalarNode && strings.TrimSpace(v.Value) != "" {
		d.category = lessons.Category(strings.TrimSpace(v.Value))
	}
	if _, v := value(d.root, "last_updated"); v != nil {
		d.updated = exchange.Moment(v.Value)
	}
	if d.key, d.list = value(d.root, "learnings"); d.key == nil {
		if d.root != nil {
			d.note(0, "has no list of learnings")
		}
		return d
	}
	if line, found := odd(d.key); found || d.list.Kind == yaml.AliasNode || d.list.Anchor != "" || d.list.Style&yaml.TaggedStyle != 0 {
		d.bad = shape(max(line, d.list.Line), "an anchor, an alias or a tag, which are not followed, stands for the learnings")
		return d
	}
	switch {
	case d.list.Kind == yaml.ScalarNode && d.list.Tag == "!!null":
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
		if line, found := odd(n); found {
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
		e.said, e.id = d.fields(n)
		if e.said.Summary == "" {
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
	for line := n.Line; line >= d.list.Line; line-- {
		text := strings.TrimPrefix(string(d.Data[d.line(line):d.line(line+1)]), "\ufeff")
		if strings.HasPrefix(strings.TrimLeft(text, " "), "-") && len(text)-len(strings.TrimLeft(text, " ")) == d.list.Column-1 {
			return line
		}
	}
	return n.Line
}

// fields parses a learning.
func (d *document) fields(n *yaml.Node) (f fields, id string) {
	scalar := func(name string) (string, int) {
		_, v := value(n, name)
		switch {
		case v == nil || v.Kind == yaml.ScalarNode && v.Tag == "!!null":
			return "", 0
		case v.Kind != yaml.ScalarNode:
			d.note(v.Line, "%s is no text", name)
			return "", 0
		}
		return v.Value, v.Line
	}
	id, _ = scalar("id")
	summary, _ := scalar("summary")
	insight, _ := scalar("insight")
	example, _ := scalar("example")
	category, _ := scalar("category")
	f = fields{Summary: lessons.Line(summary), Insight: file.Block(insight), Example: file.Block(example), Confidence: defaultConfidence}
	if f.Category = lessons.Category(lessons.Line(category)); f.Category == d.category {
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
		if err == nil {
			f.Used = int(n)
		}
		return err == nil
	})
	parse("created", "is no date", func(s string) bool {
		f.Created = exchange.Moment(s)
		return !f.Created.IsZero()
	})
	f.Keywords = d.keywords(n)
	return f, strings.TrimSpace(id)
}

func (d *document) keywords(n *yaml.Node) (out []string) {
	_, v := value(n, "keywords")
	switch {
	case v == nil || v.Kind == yaml.ScalarNode && v.Tag == "!!null":
	case v.Kind == yaml.ScalarNode:
		for w := range strings.SplitSeq(v.Value, ",") {
			out = appendTerm(out, w)
		}
	case v.Kind == yaml.SequenceNode:
		for _, w := range v.Content {
			if w.Kind != yaml.ScalarNode {
				d.note(w.Line, "this keyword is no text")
				continue
			}
			out = appendTerm(out, w.Value)
		}
	default:
		d.note(v.Line, "keywords is no list")
	}
	return out
}

func appendTerm(to []string, term string) []string {
	if term = lessons.Line(term); term != "" && !slices.Contains(to, term) {
		return append(to, term)
	}
	return to
}

// stamp formats a time as amplihack does.
func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05Z") }
