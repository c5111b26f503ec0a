package gimli

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"

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
		_ = json.Unmarshal(p.Raw, &d.owner) // an owner that is not a string names nobody
	}
	all, err := j.Items("learnings")
	if err != nil {
		return nil, err
	}
	for _, p := range all {
		if err := d.take(p); err != nil {
			d.fail(p.Line, err)
		}
	}
	return d, nil
}

// take parses one entry.
func (d *document) take(p exchange.Part) error {
	var e Learning
	err := json.Unmarshal(p.Raw, &e)
	switch {
	case err == nil && p.Raw[0] != '{':
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
		key: e.ID, base: e.ID, category: categoryOf(lessons.Category(e.Category)), text: e.Content, state: stateOf(e), line: p.Line, active: e.Active, lesson: e.lesson(),
	})
	return nil
}

// openJSON reads the file of an agent; nil data is a missing file. A corrupt file is an
// error, although Gimli takes it for an empty one and overwrites it.
func openJSON(data []byte, f file) (book, error) {
	if data == nil {
		agent := cmp.Or(f.agent, mainAgent)
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
	l.Category = cmp.Or(l.Category, preference)
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

// A Learning is an entry of learnings.json.
type Learning struct {
	ID            string   `json:"id"`
	AgentID       string   `json:"agentId,omitempty"`
	Content       string   `json:"content"`
	Category      string   `json:"category"`
	Confidence    string   `json:"confidence"`
	Source        string   `json:"source"`
	Timestamp     string   `json:"timestamp"`
	Context       string   `json:"context,omitempty"`
	Tags          []string `json:"tags,omitempty"`
	Active        bool     `json:"active"`
	LastValidated string   `json:"lastValidated,omitempty"`
}

// The categories, in the order of the sections of LEARNINGS.md.
const (
	preference = "preference"
	correction = "correction"
	pattern    = "pattern"
	toolUsage  = "tool-usage"
)

// Categories are all categories, in display order.
var Categories = []string{preference, correction, pattern, toolUsage}

// categoryOf returns the category for a lesson. Other kinds become what went wrong or what
// works.
func categoryOf(c lessons.Category) string {
	switch c.Shelf() {
	case lessons.Preferences:
		return preference
	case lessons.Corrections, lessons.Errors, lessons.Debugging:
		return correction
	case lessons.Tools:
		return toolUsage
	}
	return pattern
}

// sourceOf returns the source of a lesson in Gimli's words.
func sourceOf(l lessons.Lesson) string {
	switch {
	case strings.HasPrefix(l.Origin.Extractor, "import:"):
		if s, ok := strings.CutPrefix(l.Origin.Rule, importedFrom); ok {
			return s
		}
		return "file"
	case categoryOf(l.Category) == pattern && l.SaidBy() == lessons.ByPerson && strings.Contains(l.Origin.Rule, "prais"):
		return "success_pattern"
	case l.SaidBy() == lessons.ByPerson:
		return "user_message"
	}
	return "conversation"
}

// importedFrom is put before Gimli's source in the rule of an imported lesson.
const importedFrom = "Gimli has it from "

// MaxBullet is the most characters of a bullet, in UTF-16 units as Gimli counts.
const MaxBullet = 150

// bulletText formats a lesson as a bullet: on one line and cut at a word. It does not end a
// comment begun above it.
func bulletText(content string) string {
	s := strings.Join(strings.Fields(strings.ToValidUTF8(content, "\uFFFD")), " ")
	s = strings.ReplaceAll(s, "-->", "-- >")
	if exchange.Units(s) <= MaxBullet {
		return s
	}
	n, left := 0, MaxBullet-1 // one is for the ellipsis
	for _, r := range s {
		if left -= utf16.RuneLen(r); left < 0 {
			break
		}
		n += utf8.RuneLen(r)
	}
	if at := strings.LastIndexByte(s[:n+1], ' '); at > n/2 {
		n = at
	}
	return strings.TrimRight(s[:n], " ,;:") + "…"
}

// lacksBoth lists what neither store can hold of a lesson.
func lacksBoth(l lessons.Lesson) (w exchange.Lacks) {
	category := categoryOf(l.Category)
	w.If(l.Category != lessons.Category(category), "its category %s (it becomes %s)", lessons.Line(string(l.Category)), category)
	w.If(l.Example != "", "its example")
	w.If(len(l.Triggers) > 0, "when it shows")
	w.If(!l.Scope.Global && l.Scope.Project != "", "its project: Gimli's lessons hold in all")
	w.If(len(l.Evidence) > 0, "its evidence")
	return w
}

// lacksMarkdown lists what a bullet cannot hold.
func lacksMarkdown(l lessons.Lesson) []string {
	var w exchange.Lacks
	w.If(bulletText(l.Content) != strings.Join(strings.Fields(l.Content), " "), "the end of its text: a bullet has %d characters", MaxBullet)
	w = append(w, lacksBoth(l)...)
	w.If(l.Insight != "", "why it holds")
	w.If(len(l.Tags) > 0, "its tags")
	return append(w, "its confidence and its id, which are remembered here")
}

// lacksJSON lists what an entry of learnings.json cannot hold.
func lacksJSON(l lessons.Lesson) []string {
	w := lacksBoth(l)
	c, err := lessons.ParseConfidence(l.Confidence.Word())
	w.If(err != nil || c != l.Confidence, "its confidence, but for the word %q", l.Confidence.Word())
	return w
}

// isoMilli is Gimli's time format.
const isoMilli = "2006-01-02T15:04:05.000Z"

func stamp(t time.Time) string { return t.UTC().Format(isoMilli) }
