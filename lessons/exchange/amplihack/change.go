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

// errOneLine is an entry that cannot be changed in parts.
var errOneLine = errors.New("is written in brackets")

// closed says why no entry can be added to a file, if none can.
func (d *document) closed() error {
	switch {
	case d.bad != nil && !d.bad.syntax:
		return d.bad.err
	case d.flow() && d.items > 0:
		return errOneLine
	case d.root != nil && d.key == nil && d.root.Style&yaml.FlowStyle != 0:
		return errOneLine
	}
	return nil
}

// change makes an entry say something else, field by field.
func (d *document) change(e *entry, said fields) error {
	if d.flow() || e.node.Style&yaml.FlowStyle != 0 {
		if said.same(e.said) {
			return nil
		}
		return errOneLine
	}
	if !sameWords(said.Keywords, e.said.Keywords) {
		d.setKeywords(e, said.Keywords) // first: what is added behind the entry comes behind its last keyword
	}
	if said.Summary != e.said.Summary {
		d.setText(e, "summary", file.QuoteYAML(said.Summary))
	}
	if said.Insight != e.said.Insight {
		d.setBlock(e, "insight", said.Insight)
	}
	if said.Example != e.said.Example {
		d.setBlock(e, "example", said.Example)
	}
	if said.Confidence != e.said.Confidence {
		d.setText(e, "confidence", number(said.Confidence))
	}
	if said.Used != e.said.Used {
		d.setText(e, "times_used", strconv.Itoa(said.Used))
	}
	e.will = &said
	return nil
}

// indent is how far the keys of an entry are indented.
func (e *entry) indent() int { return e.node.Column - 1 }

// setText gives a key of an entry a value in one line.
func (d *document) setText(e *entry, name, with string) {
	if key, v := value(e.node, name); key == nil {
		d.addLine(e, name+": "+with)
	} else if v.Kind == yaml.ScalarNode {
		d.setScalar(e.node, name, with)
	} else {
		d.Replace(d.colon(key), d.end(v), " "+with)
	}
}

// addLine adds a key to an entry.
func (d *document) addLine(e *entry, line string) {
	d.insert(e.to, strings.Repeat(" ", e.indent())+line+d.eol)
}

// setBlock gives a key of an entry a value of several lines, or takes it out.
func (d *document) setBlock(e *entry, name, with string) {
	key, v := value(e.node, name)
	switch {
	case key == nil:
		d.addLine(e, name+": "+block(with, e.indent(), "", d.eol))
	case with == "" && key != e.node.Content[0] && name == "example":
		d.Replace(d.lineStart(d.at(key)), d.lineEnd(max(d.end(v)-1, d.colon(key))), "")
	case empty(v):
		d.Replace(d.colon(key), d.colon(key), " "+block(with, e.indent(), "", d.eol))
	case v.Kind != yaml.ScalarNode:
		d.Replace(d.colon(key), d.end(v), " "+block(with, e.indent(), "", d.eol))
	default:
		comment := ""
		if v.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
			header := string(d.Data[d.at(v):d.headerEnd(d.at(v))])
			if i := strings.Index(header, " #"); i >= 0 {
				comment = header[i:]
			}
		}
		d.Replace(d.at(v), d.end(v), block(with, e.indent(), comment, d.eol))
	}
}

// setKeywords gives an entry other keywords. Those that stay are left where they
// are.
func (d *document) setKeywords(e *entry, words []string) {
	key, v := value(e.node, "keywords")
	if key == nil {
		d.insert(e.to, keywordsText(words, e.indent(), d.eol))
		return
	}
	if v.Kind != yaml.SequenceNode || v.Style&yaml.FlowStyle != 0 || len(v.Content) == 0 || len(words) == 0 {
		quoted := make([]string, len(words))
		for i, w := range words {
			quoted[i] = file.QuoteYAML(w)
		}
		d.Replace(d.colon(key), max(d.end(v), d.colon(key)), " ["+strings.Join(quoted, ", ")+"]")
		return
	}
	left := slices.Clone(words)
	for _, n := range v.Content {
		if n.Kind != yaml.ScalarNode {
			continue
		}
		if i := slices.Index(left, strings.Join(appendTerm(nil, n.Value), "")); i >= 0 {
			left = slices.Delete(left, i, i+1)
		} else {
			d.Replace(d.lineStart(d.at(n)), d.lineEnd(max(d.end(n)-1, d.at(n))), "")
		}
	}
	var lines strings.Builder
	for _, w := range left {
		fmt.Fprintf(&lines, "%s- %s%s", strings.Repeat(" ", v.Column-1), file.QuoteYAML(w), d.eol)
	}
	if last := v.Content[len(v.Content)-1]; lines.Len() > 0 {
		d.insert(d.lineEnd(max(d.end(last)-1, d.at(last))), lines.String())
	}
}

// remove takes an entry out. Comments beside it stay.
func (d *document) remove(e *entry) error {
	if d.flow() {
		return errOneLine
	}
	d.Replace(e.from, e.to, "")
	e.gone = true
	return nil
}

// add puts an entry at the end of the list.
func (d *document) add(id string, f fields) { d.added = append(d.added, newEntry{id, f}) }

// A newEntry is one to come.
type newEntry struct {
	id   string
	said fields
}

// entryText writes an entry whose dash is indented so far, and its keys by so much
// more.
func entryText(id string, f fields, indent, more int, eol string) string {
	var b strings.Builder
	pad := strings.Repeat(" ", indent+more)
	line := func(format string, args ...any) { fmt.Fprintf(&b, pad+format+eol, args...) }
	fmt.Fprintf(&b, "%s-%sid: %s%s", strings.Repeat(" ", indent), strings.Repeat(" ", more-1), file.QuoteYAML(id), eol)
	if !f.Created.IsZero() {
		line("created: %s", file.QuoteYAML(stamp(f.Created)))
	}
	b.WriteString(keywordsText(f.Keywords, indent+more, eol))
	line("summary: %s", file.QuoteYAML(f.Summary))
	line("insight: %s", block(f.Insight, indent+more, "", eol))
	if f.Example != "" {
		line("example: %s", block(f.Example, indent+more, "", eol))
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
	var b strings.Builder
	b.WriteString(pad + "keywords:" + eol)
	for _, w := range words {
		b.WriteString(pad + "  - " + file.QuoteYAML(w) + eol)
	}
	return b.String()
}

// finish gives the text of the file as it will be, and what that reads as.
func (d *document) finish(now time.Time) (string, *document, error) {
	if d.missing || d.bad != nil && d.bad.syntax && len(d.added) > 0 {
		return d.begin(now)
	}
	if d.bad != nil || !d.Changed() && len(d.added) == 0 {
		return string(d.Data), d, nil
	}
	d.addAll()
	d.setScalar(d.root, "last_updated", file.QuoteYAML(stamp(now)))
	text := string(d.Bytes())
	after := parseDocument(d.path, d.stem, []byte(text))
	if err := d.verify(after); err != nil {
		return "", nil, fmt.Errorf("%s cannot be changed without changing more than was meant (%w); it is left as it is", d.path, err)
	}
	return text, after, nil
}

// begin writes a file that is not there, or that has to be begun anew.
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

// addAll puts the new entries where they belong, and leaves a list that no entry is
// left in as an empty one: of nothing at all the other program's hook fails.
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
			more = max(d.entries[0].indent()-indent, 2)
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
		d.insert(len(d.Data), "learnings:"+d.eol+b.String())
	case d.items > 0:
		last := d.list.Content[d.items-1]
		d.insert(d.lineEnd(max(d.end(last)-1, d.at(last))), b.String())
	default:
		d.begins(d.key, d.list, b.String())
	}
}

// apart reports whether the entries have blank lines between them.
func (d *document) apart() bool {
	for i, e := range d.entries[:max(len(d.entries)-1, 0)] {
		for line := range bytes.Lines(d.Data[e.to:max(d.entries[i+1].from, e.to)]) {
			if len(bytes.TrimSpace(line)) == 0 {
				return true
			}
		}
	}
	return len(d.entries) < 2
}

// verify reports whether the text that came of the edits says what it should, and
// has everything else as it was.
func (d *document) verify(after *document) error {
	if after.bad != nil {
		return fmt.Errorf("line %d: %v", after.bad.line, after.bad.err)
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
