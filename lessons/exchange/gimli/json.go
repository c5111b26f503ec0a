package gimli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
	"time"

	"learnings/lessons"
	"learnings/lessons/exchange"
)

// A document is a learnings.json. Changes replace parts of its bytes; everything else
// stays.
type document struct {
	contents
	*exchange.JSON
	entries []Learning // in the order of items
	at      []exchange.Part
	ids     map[string]bool
	added   []any
}

func parseJSON(data []byte) (*document, error) {
	j, err := exchange.ParseJSON(data)
	if err == nil && bytes.HasPrefix(data, []byte("\ufeff")) {
		err = errors.New("it begins with a byte order mark, on which Gimli fails")
	}
	if err != nil {
		return nil, err
	}
	d := &document{JSON: j, ids: map[string]bool{}}
	if p, ok := j.Member("agentId"); ok {
		_ = json.Unmarshal(j.Raw(p), &d.owner) // an owner that is not a string names nobody
	}
	all, err := j.Items("learnings")
	if err != nil {
		return nil, err
	}
	line, from := 1, 0
	for _, p := range all {
		line, from = line+bytes.Count(data[from:p.From], []byte("\n")), p.From
		if err := d.take(p, line); err != nil {
			d.fail(line, err)
		}
	}
	return d, nil
}

// take parses one entry.
func (d *document) take(p exchange.Part, line int) error {
	var e Learning
	err := json.Unmarshal(d.Raw(p), &e)
	switch {
	case err == nil && d.Data[p.From] != '{':
		err = errors.New("an entry that is no object")
	case err == nil && e.ID == "":
		err = errors.New("an entry without an id")
	case err == nil && d.ids[e.ID]:
		err = fmt.Errorf("a second entry with the id %q", lessons.Line(e.ID))
	case err == nil && strings.TrimSpace(e.Content) == "":
		err = fmt.Errorf("%s has no content", lessons.Line(e.ID))
	}
	if d.ids[e.ID] = true; err != nil {
		return err
	}
	d.entries, d.at = append(d.entries, e), append(d.at, p)
	d.items = append(d.items, item{
		key: e.ID, base: e.ID, category: categoryOf(lessons.Category(e.Category)), text: e.Content, state: stateOf(e), line: line, active: e.Active, lesson: e.lesson(),
	})
	return nil
}

// openJSON reads the file of an agent; nil data is a missing file. A corrupt file is an
// error, although Gimli takes it for an empty one and overwrites it.
func openJSON(data []byte, f file) (book, error) {
	if data == nil {
		agent := f.agent
		if agent == "" {
			agent = mainAgent
		}
		data = fmt.Appendf(nil, "{\n  \"version\": 1,\n  \"agentId\": %s,\n  \"learnings\": [],\n  \"lastUpdated\": \"\"\n}", exchange.Quoted(agent))
	}
	d, err := parseJSON(data)
	if err != nil {
		return nil, err
	}
	return d, nil
}

// lesson converts an entry to a proposal.
func (e Learning) lesson() lessons.Lesson {
	l := lessons.Lesson{
		Category: lessons.Category(e.Category), Wording: lessons.Wording{Content: e.Content, Insight: e.Context}, Tags: slices.Clone(e.Tags),
		Origin: lessons.Origin{Rule: importedFrom + lessons.Line(e.Source)},
	}
	if l.Category == "" {
		l.Category = preference
	}
	var err error
	if l.Confidence, err = lessons.ParseConfidence(e.Confidence); err != nil {
		l.Confidence, _ = lessons.ParseConfidence(lessons.Medium)
	}
	if t, err := time.Parse(time.RFC3339, e.Timestamp); err == nil {
		l.Created = t.UTC()
	}
	return l
}

func (d *document) lacks(l lessons.Lesson) []string { return lacksJSON(l) }

// learningOf converts a lesson to an entry.
func learningOf(l lessons.Lesson) Learning {
	return Learning{
		ID: string(l.ID), Content: strings.TrimSpace(l.Content), Category: categoryOf(l.Category), Confidence: l.Confidence.Word(),
		Source: sourceOf(l), Timestamp: stamp(l.Created), Context: l.Insight, Tags: l.Tags, Active: true,
	}
}

func (d *document) text(l lessons.Lesson) string  { return learningOf(l).Content }
func (d *document) state(l lessons.Lesson) string { return stateOf(learningOf(l)) }

// written are the members of an entry that are written from a lesson.
var written = []string{"content", "category", "confidence", "context", "tags", "active"}

func (e Learning) written() []any {
	return []any{e.Content, e.Category, e.Confidence, e.Context, append([]string{}, e.Tags...), e.Active}
}

// stateOf returns what is written from a lesson into an entry, as one text.
func stateOf(e Learning) string {
	b, err := json.Marshal(e.written())
	if err != nil {
		panic(err) // strings can always be marshaled
	}
	return string(b)
}

// saying returns the entry with what the lesson says. Members that a lesson does not have
// stay.
func (e Learning) saying(l lessons.Lesson) Learning {
	want := learningOf(l)
	e.Content, e.Confidence, e.Active = want.Content, want.Confidence, true
	if categoryOf(lessons.Category(e.Category)) != want.Category {
		e.Category = want.Category
	}
	if want.Context != "" {
		e.Context = want.Context
	}
	if len(want.Tags) > 0 {
		e.Tags = want.Tags
	}
	return e
}

func (d *document) upToDate(i int, l lessons.Lesson) bool {
	return stateOf(d.entries[i].saying(l)) == d.items[i].state
}

func (d *document) set(i int, l lessons.Lesson, now time.Time) (base, state string) {
	after := d.entries[i].saying(l)
	d.change(i, after, now)
	return after.ID, stateOf(after)
}

// drop deactivates an entry, as Gimli does with old ones.
func (d *document) drop(i int, now time.Time) bool {
	if after := d.entries[i]; after.Active {
		after.Active = false
		d.change(i, after, now)
	}
	return true
}

// change writes the members of an entry that differ.
func (d *document) change(i int, after Learning, now time.Time) {
	was := d.entries[i].written()
	for k, v := range after.written() {
		if exchange.Quoted(v) != exchange.Quoted(was[k]) {
			d.Set(d.at[i], written[k], v)
		}
	}
	d.Set(d.at[i], "lastValidated", stamp(now))
}

// add appends an entry.
func (d *document) add(l lessons.Lesson, now time.Time) (base, state string) {
	e := learningOf(l)
	if l.Created.IsZero() {
		e.Timestamp = stamp(now)
	}
	e.ID, e.AgentID = d.newID(l.ID, now), AgentID(d.owner)
	d.added = append(d.added, e)
	return e.ID, stateOf(e)
}

// newID makes an id as Gimli does, of the time and four characters, which are here derived
// from the lesson.
func (d *document) newID(id lessons.ID, now time.Time) string {
	h := fnv.New64a()
	for n := 0; ; n++ {
		fmt.Fprintf(h, "%s %d", id, n)
		tail := strconv.FormatUint(h.Sum64(), 36)
		name := "lrn_" + strconv.FormatInt(now.UnixMilli(), 36) + "_" + tail[len(tail)-4:]
		if !d.ids[name] {
			d.ids[name] = true
			return name
		}
	}
}

// bytes returns the file with all changes.
func (d *document) bytes(now time.Time) []byte {
	if err := d.Append("learnings", d.added...); err != nil {
		panic(err) // they were parsed as an array
	}
	if d.added = nil; d.Changed() {
		d.SetTop("lastUpdated", stamp(now))
	}
	return d.Bytes()
}
