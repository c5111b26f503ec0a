package amplihack

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"learnings/lessons"
	"learnings/lessons/file"
)

// errOneLine means that an entry cannot be changed in parts.
var errOneLine = errors.New("is written in brackets")

// closed returns an error if no entry can be added to the file.
func (d *document) closed() error {
	switch {
	case d.bad != nil && !d.broken:
		return d.bad.Err
	case d.flow() && d.items > 0, d.root != nil && d.key == nil && d.root.Style&yaml.FlowStyle != 0:
		return errOneLine
	}
	return nil
}

// change updates the fields of an entry that differ.
func (d *document) change(e *entry, said fields) error {
	if d.flow() || e.node.Style&yaml.FlowStyle != 0 {
		if said.same(e.said) {
			return nil
		}
		return errOneLine
	}
	indent := e.node.Column - 1
	old := e.said.members(indent, d.eol)
	var news strings.Builder
	for i, m := range said.members(indent, d.eol) {
		switch key, v := value(e.node, m.name); {
		case m == old[i], m.name == "keywords" && sameWords(said.Keywords, e.said.Keywords):
		case key == nil:
			news.WriteString(strings.Repeat(" ", indent) + m.name + ":" + m.text + d.eol)
		case m.text == "" && key != e.node.Content[0]:
			d.remove(key.Line, d.after(v, indent))
		case m.name == "keywords" && v.Kind == yaml.SequenceNode && v.Style&yaml.FlowStyle == 0 && len(said.Keywords) > 0:
			d.setKeywords(v, said.Keywords)
		default:
			d.set(key, v, m.text)
		}
	}
	d.insert(e.to, news.String()) // after the last keyword, which may end there too
	e.will = &said
	return nil
}

// setKeywords replaces the keywords in a block list. Those that stay are not moved.
func (d *document) setKeywords(v *yaml.Node, words []string) {
	left, end := slices.Clone(words), 0
	for _, n := range v.Content {
		end = d.after(n, v.Column-1)
		if i := slices.Index(left, lessons.Line(n.Value)); i >= 0 {
			left = slices.Delete(left, i, i+1)
		} else if n.Kind == yaml.ScalarNode {
			d.remove(n.Line, end)
		}
	}
	for _, w := range left {
		d.insert(end, strings.Repeat(" ", v.Column-1)+"- "+file.QuoteYAML(w)+d.eol)
	}
}

// drop removes an entry. Comments beside it stay.
func (d *document) drop(e *entry) error {
	if d.flow() {
		return errOneLine
	}
	d.remove(e.line, e.to)
	e.gone = true
	return nil
}

// finish returns the new text of the file, and that text parsed. A file that is missing, or
// no YAML, is begun anew.
func (d *document) finish(now time.Time) ([]byte, *document, error) {
	if d.missing || d.broken && len(d.added) > 0 {
		text := "category: " + d.stem + "\nlearnings: []\n"
		if len(d.added) > 0 {
			text = "category: " + d.stem + "\nlast_updated: \"\"\nlearnings: []\n"
		}
		fresh := parseDocument(d.path, d.stem, []byte(text))
		fresh.added = d.added
		d = fresh
	}
	if d.bad != nil || !d.Changed() && len(d.added) == 0 {
		return d.before, d, nil
	}
	d.addAll()
	if key, v := value(d.root, "last_updated"); key != nil && v.Kind == yaml.ScalarNode {
		d.set(key, v, " "+file.QuoteYAML(stamp(now)))
	}
	text := d.bytes()
	after := parseDocument(d.path, d.stem, text)
	if err := d.verify(after); err != nil {
		return nil, nil, fmt.Errorf("%s cannot be changed without changing more than was meant (%w); it is left as it is", d.path, err)
	}
	return text, after, nil
}

// addAll inserts the new entries. If no entry is left it writes an empty list, because
// amplihack's hook fails on a missing one.
func (d *document) addAll() {
	left := d.items
	for _, e := range d.entries {
		if e.gone {
			left--
		}
	}
	if len(d.added) == 0 {
		if left == 0 && d.items > 0 {
			d.Replace(d.colon(d.key), d.colon(d.key), " []")
		}
		return
	}
	indent, more, apart := 2, 2, true
	if d.items > 0 {
		indent = d.list.Column - 1
	}
	if n := len(d.entries); n > 0 {
		more = max(d.entries[0].node.Column-1-indent, 2)
		apart = n == 1 || d.entries[0].to < d.entries[1].line
	}
	var b strings.Builder
	for i, n := range d.added {
		if apart && (i > 0 || d.items > 0) {
			b.WriteString(d.eol)
		}
		b.WriteString(n.text(indent, more, d.eol))
	}
	switch {
	case d.key == nil:
		d.insert(len(d.starts)+1, "learnings:"+d.eol+b.String())
	case d.items > 0:
		d.insert(d.after(d.list, 0), b.String())
	default:
		d.set(d.key, d.list, d.eol+strings.TrimSuffix(b.String(), d.eol))
	}
}

// verify checks that the edited text has the intended changes and no others.
func (d *document) verify(after *document) error {
	if after.bad != nil {
		return fmt.Errorf("line %d: %v", after.bad.Line, after.bad.Err)
	}
	want := slices.DeleteFunc(slices.Clone(d.entries), func(e *entry) bool { return e.gone })
	for _, n := range d.added {
		want = append(want, &entry{id: n.id, key: n.id, will: &n.said})
	}
	if len(after.entries) != len(want) {
		return fmt.Errorf("it would have %d learnings instead of %d", len(after.entries), len(want))
	}
	for i, got := range after.entries {
		switch w := want[i]; {
		case w.will == nil && strings.TrimSpace(got.raw()) != strings.TrimSpace(w.raw()):
			return fmt.Errorf("%s would change", w.key)
		case w.will != nil && (got.id != w.id || !got.said.same(*w.will)):
			return fmt.Errorf("%s would read otherwise", w.key)
		}
	}
	return nil
}
