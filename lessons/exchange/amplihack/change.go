package amplihack

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"learnings/lessons/file"
)

// errOneLine means that an entry cannot be changed in parts.
var errOneLine = errors.New("is written in brackets")

// closed returns an error if no entry can be added to the file.
func (d *document) closed() error {
	switch {
	case d.bad != nil && !d.broken:
		return d.bad.Err
	case d.flow() && d.items > 0:
		return errOneLine
	case d.root != nil && d.key == nil && d.root.Style&yaml.FlowStyle != 0:
		return errOneLine
	}
	return nil
}

// change updates the fields of an entry one by one.
func (d *document) change(e *entry, said fields) error {
	if d.flow() || e.node.Style&yaml.FlowStyle != 0 {
		if said.same(e.said) {
			return nil
		}
		return errOneLine
	}
	indent := e.node.Column - 1
	set := func(name, with string, is bool) {
		switch key, v := value(e.node, name); {
		case !is:
		case key == nil && with == "":
		case key == nil:
			d.insert(e.to, strings.Repeat(" ", indent)+name+": "+with+d.eol)
		case with == "" && key != e.node.Content[0]:
			d.Replace(d.line(key.Line), d.line(d.after(v, indent)), "")
		default:
			d.set(key, v, with)
		}
	}
	if !sameWords(said.Keywords, e.said.Keywords) {
		if key, v := value(e.node, "keywords"); key == nil {
			d.insert(e.to, keywordsText(said.Keywords, indent, d.eol))
		} else if v.Kind != yaml.SequenceNode || v.Style&yaml.FlowStyle != 0 || len(v.Content) == 0 || len(said.Keywords) == 0 {
			set("keywords", "["+strings.Join(quoted(said.Keywords), ", ")+"]", true)
		} else {
			d.setKeywords(v, said.Keywords)
		}
	}
	set("summary", file.QuoteYAML(said.Summary), said.Summary != e.said.Summary)
	set("insight", block(said.Insight, indent, d.eol), said.Insight != e.said.Insight)
	set("example", when(said.Example != "", block(said.Example, indent, d.eol)), said.Example != e.said.Example)
	set("category", when(said.Category != "", file.QuoteYAML(string(said.Category))), said.Category != e.said.Category)
	set("confidence", number(said.Confidence), said.Confidence != e.said.Confidence)
	set("times_used", strconv.Itoa(said.Used), said.Used != e.said.Used)
	e.will = &said
	return nil
}

// when returns a text if is holds, and "" otherwise.
func when(is bool, text string) string {
	if !is {
		return ""
	}
	return text
}

func quoted(words []string) (out []string) {
	for _, w := range words {
		out = append(out, file.QuoteYAML(w))
	}
	return out
}

// setKeywords replaces the keywords in a block list. Those that stay are not moved.
func (d *document) setKeywords(v *yaml.Node, words []string) {
	left, end := slices.Clone(words), 0
	for _, n := range v.Content {
		end = d.after(n, v.Column-1)
		if i := slices.Index(left, strings.Join(appendTerm(nil, n.Value), "")); i >= 0 {
			left = slices.Delete(left, i, i+1)
		} else if n.Kind == yaml.ScalarNode {
			d.Replace(d.line(n.Line), d.line(end), "")
		}
	}
	var lines strings.Builder
	for _, w := range quoted(left) {
		lines.WriteString(strings.Repeat(" ", v.Column-1) + "- " + w + d.eol)
	}
	if lines.Len() > 0 {
		d.insert(end, lines.String())
	}
}

// remove removes an entry. Comments beside it stay.
func (d *document) remove(e *entry) error {
	if d.flow() {
		return errOneLine
	}
	d.Replace(d.line(e.line), d.line(e.to), "")
	e.gone = true
	return nil
}

// A newEntry is to be appended to the list.
type newEntry struct {
	id   string
	said fields
}

// entryText formats an entry with its dash at an indentation, and its keys more to the
// right.
func entryText(id string, f fields, indent, more int, eol string) string {
	var b strings.Builder
	pad := strings.Repeat(" ", indent+more)
	line := func(format string, args ...any) { fmt.Fprintf(&b, pad+format+eol, args...) }
	fmt.Fprintf(&b, "%s-%sid: %s%s", strings.Repeat(" ", indent), strings.Repeat(" ", more-1), file.QuoteYAML(id), eol)
	if !f.Created.IsZero() {
		line("created: %s", file.QuoteYAML(stamp(f.Created)))
	}
	if f.Category != "" {
		line("category: %s", file.QuoteYAML(string(f.Category)))
	}
	b.WriteString(keywordsText(f.Keywords, indent+more, eol))
	line("summary: %s", file.QuoteYAML(f.Summary))
	line("insight: %s", block(f.Insight, indent+more, eol))
	if f.Example != "" {
		line("example: %s", block(f.Example, indent+more, eol))
	}
	line("confidence: %s", number(f.Confidence))
	line("times_used: %d", f.Used)
	return b.String()
}

func keywordsText(words []string, indent int, eol string) string {
	pad := strings.Repeat(" ", indent)
	if len(words) == 0 {
		return pad + "keywords: []" + eol
	}
	sep := eol + pad + "  - "
	return pad + "keywords:" + sep + strings.Join(quoted(words), sep) + eol
}

// finish returns the new text of the file, and that text parsed.
func (d *document) finish(now time.Time) (string, *document, error) {
	if d.missing || d.broken && len(d.added) > 0 {
		return d.begin(now)
	}
	if d.bad != nil || !d.Changed() && len(d.added) == 0 {
		return string(d.Data), d, nil
	}
	d.addAll()
	if key, v := value(d.root, "last_updated"); key != nil && v.Kind == yaml.ScalarNode {
		d.set(key, v, file.QuoteYAML(stamp(now)))
	}
	text := string(d.Bytes())
	after := parseDocument(d.path, d.stem, []byte(text))
	if err := d.verify(after); err != nil {
		return "", nil, fmt.Errorf("%s cannot be changed without changing more than was meant (%w); it is left as it is", d.path, err)
	}
	return text, after, nil
}

// begin writes a file that is missing or must be replaced.
func (d *document) begin(now time.Time) (string, *document, error) {
	text := "category: " + d.stem + "\nlearnings: []\n"
	if len(d.added) > 0 {
		text = "category: " + d.stem + "\nlast_updated: " + file.QuoteYAML(stamp(now)) + "\nlearnings: []\n"
	}
	fresh := parseDocument(d.path, d.stem, []byte(text))
	fresh.added = d.added
	fresh.addAll()
	text = string(fresh.Bytes())
	after := parseDocument(d.path, d.stem, []byte(text))
	if err := fresh.verify(after); err != nil {
		return "", nil, fmt.Errorf("writing %s: %w", d.path, err)
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
		if len(d.entries) > 0 {
			more = max(d.entries[0].node.Column-1-indent, 2)
		}
		apart = d.apart()
	}
	var b strings.Builder
	for i, n := range d.added {
		if apart && (i > 0 || d.items > 0) {
			b.WriteString(d.eol)
		}
		b.WriteString(entryText(n.id, n.said, indent, more, d.eol))
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

// apart reports whether blank lines separate the entries.
func (d *document) apart() bool {
	for i, e := range d.entries[:max(len(d.entries)-1, 0)] {
		for n := e.to; n < d.entries[i+1].line; n++ {
			if len(bytes.TrimSpace(d.Data[d.line(n):d.line(n+1)])) == 0 {
				return true
			}
		}
	}
	return len(d.entries) < 2
}

// verify checks that the edited text has the intended changes and no others.
func (d *document) verify(after *document) error {
	if after.bad != nil {
		return fmt.Errorf("line %d: %v", after.bad.Line, after.bad.Err)
	}
	var want []*entry
	for _, e := range d.entries {
		if !e.gone {
			want = append(want, e)
		}
	}
	if len(after.entries) != len(want)+len(d.added) {
		return fmt.Errorf("it would have %d learnings instead of %d", len(after.entries), len(want)+len(d.added))
	}
	for i, got := range after.entries {
		switch {
		case i >= len(want):
			if n := d.added[i-len(want)]; got.id != n.id || !got.said.same(n.said) {
				return fmt.Errorf("%s would read otherwise", n.id)
			}
		case want[i].will != nil:
			if got.id != want[i].id || !got.said.same(*want[i].will) {
				return fmt.Errorf("%s would read otherwise", want[i].key)
			}
		case strings.TrimSpace(got.raw()) != strings.TrimSpace(want[i].raw()):
			return fmt.Errorf("%s would change", want[i].key)
		}
	}
	return nil
}
