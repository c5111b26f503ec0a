package gimli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"learnings/lessons"
	"learnings/lessons/exchange"
)

// A document is a learnings.json, as the places of its parts in the bytes: what is
// changed is replaced there, and all else stays as it was.
type document struct {
	read    []byte // as the file is
	data    []byte // the same, with an array of learnings
	open    int    // where the object begins
	top     []member
	entries []element
	list    []item
	at      []int // by item, its entry
	owner   string
	bad     []exchange.Unread
	ids     map[string]bool

	edits []edit
	grown int // entries that were added
}

// A span is a part of the bytes.
type span struct{ start, end int }

// A member is one key of an object.
type member struct {
	key   string
	value span
}

// An element is one entry of learnings.
type element struct {
	span
	members []member
	Learning
}

// An edit puts text in the place of a part of the bytes.
type edit struct {
	span
	text string
}

// pieces gives the members of an object, or the values of an array without keys.
func pieces(data []byte, base int) ([]member, error) {
	parts, err := exchange.Parts(data, base)
	out := make([]member, len(parts))
	for i, p := range parts {
		out[i] = member{p.Key, span{p.From, p.To}}
	}
	return out, err
}

// parseJSON finds the parts of a file.
func parseJSON(data []byte) (*document, error) {
	first := bytes.TrimLeft(data, " \t\r\n")
	if len(first) == 0 || first[0] != '{' {
		return nil, errors.New("it is no JSON object")
	}
	d := &document{read: data, data: data, open: len(data) - len(first), ids: map[string]bool{}}
	var err error
	if d.top, err = pieces(data, 0); err != nil {
		return nil, err
	}
	if m, ok := last(d.top, "agentId"); ok {
		_ = json.Unmarshal(data[m.value.start:m.value.end], &d.owner) // one that is no text names nobody
	}
	m, ok := last(d.top, "learnings")
	if !ok || string(data[m.value.start:m.value.end]) == "null" {
		return d, nil
	}
	if data[m.value.start] != '[' {
		return nil, errors.New("its learnings are no array")
	}
	all, err := pieces(data[m.value.start:m.value.end], m.value.start)
	if err != nil {
		return nil, err
	}
	line, from := 1, 0
	for _, e := range all {
		line, from = line+bytes.Count(data[from:e.value.start], []byte("\n")), e.value.start
		d.take(e.value, line)
	}
	return d, nil
}

// last is the member that counts where a key stands twice: the last one.
func last(ms []member, key string) (member, bool) {
	for i := len(ms) - 1; i >= 0; i-- {
		if ms[i].key == key {
			return ms[i], true
		}
	}
	return member{}, false
}

func (d *document) has(key string) bool {
	_, ok := last(d.top, key)
	return ok
}

// take reads one entry.
func (d *document) take(s span, line int) {
	raw := d.data[s.start:s.end]
	e := element{span: s}
	err := json.Unmarshal(raw, &e.Learning)
	if err == nil && raw[0] == '{' {
		e.members, err = pieces(raw, s.start)
	}
	switch {
	case err == nil && raw[0] != '{':
		err = errors.New("an entry that is no object")
	case err == nil && e.ID == "":
		err = errors.New("an entry without an id")
	case err == nil && d.ids[e.ID]:
		err = fmt.Errorf("a second entry with the id %q", lessons.Line(e.ID))
	case err == nil && strings.TrimSpace(e.Content) == "":
		err = fmt.Errorf("%s has no content", lessons.Line(e.ID))
	}
	d.ids[e.ID] = true
	if err != nil {
		d.bad = append(d.bad, exchange.Unread{Line: line, Err: err})
	}
	if err == nil {
		d.at = append(d.at, len(d.entries))
		d.list = append(d.list, item{
			key: e.ID, base: e.ID, category: categoryOf(lessons.Category(e.Category)), text: e.Content, state: stateOf(e.Learning), line: line, active: e.Active,
		})
	}
	d.entries = append(d.entries, e)
}

// stateOf is what is written of a lesson into an entry, as one text.
func stateOf(e Learning) string {
	b, err := json.Marshal([]any{e.Content, e.Category, e.Confidence, e.Context, append([]string{}, e.Tags...), e.Active})
	if err != nil {
		panic(err) // texts can always be written
	}
	return string(b)
}

// openJSON reads the file of an agent; nil is one that is not there. One that is
// corrupt is an error: Gimli takes it for an empty one, and writes over it.
func openJSON(data []byte, f file) (book, error) {
	if data == nil {
		agent := f.agent
		if agent == "" {
			agent = mainAgent
		}
		data = fmt.Appendf(nil, "{\n  \"version\": 1,\n  \"agentId\": %s,\n  \"learnings\": [],\n  \"lastUpdated\": \"\"\n}", quoted(agent))
	}
	d, err := parseJSON(data)
	if err != nil {
		return nil, err
	}
	if m, ok := last(d.top, "learnings"); !ok || d.data[m.value.start] != '[' {
		d.member(span{d.open, len(data)}, d.top, "learnings", []string{})
		if d, err = parseJSON(d.edited()); err != nil {
			return nil, err
		}
		d.read = data
	}
	return d, nil
}

func (d *document) items() []item { return d.list }

func (d *document) agent(f file) string {
	if f.agent == "" && d.owner != "" {
		return AgentID(d.owner)
	}
	return f.agent
}

func (d *document) unread(path string) []exchange.Unread {
	for i := range d.bad {
		d.bad[i].Path = path
	}
	return d.bad
}

func (d *document) lesson(i int) lessons.Lesson {
	e := d.entries[d.at[i]].Learning
	l := lessons.Lesson{
		Category: lessons.Category(e.Category), Wording: lessons.Wording{Content: e.Content, Insight: e.Context}, Tags: slices.Clone(e.Tags),
	}
	if l.Category == "" {
		l.Category = preference
	}
	c, err := lessons.ParseConfidence(e.Confidence)
	if err != nil {
		c, _ = lessons.ParseConfidence(lessons.Medium)
	}
	l.Confidence = c
	if t, err := time.Parse(time.RFC3339, e.Timestamp); err == nil {
		l.Created = t.UTC()
	}
	l.Origin.Rule = importedFrom + lessons.Line(e.Source)
	return l
}
