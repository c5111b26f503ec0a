package gimli

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
	"time"

	"learnings/lessons"
)

// This file changes a learnings.json.

func (d *document) lacks(l lessons.Lesson) []string { return lacksJSON(l) }

// learningOf is a lesson as an entry.
func learningOf(l lessons.Lesson) Learning {
	return Learning{
		ID: string(l.ID), Content: strings.TrimSpace(l.Content), Category: categoryOf(l.Category), Confidence: l.Confidence.Word(),
		Source: sourceOf(l), Timestamp: stamp(l.Created), Context: l.Insight, Tags: l.Tags, Active: true,
	}
}

func (d *document) text(l lessons.Lesson) string  { return learningOf(l).Content }
func (d *document) state(l lessons.Lesson) string { return stateOf(learningOf(l)) }

// A change is a member of an entry that is to say something else.
type change struct {
	key   string
	value any
}

// changes are what makes an entry that of a lesson, and the entry then. What a lesson
// does not say stays.
func changes(e, want Learning) (after Learning, out []change) {
	after = e
	differ := func(differs bool, key string, v any, set func()) {
		if differs {
			out = append(out, change{key, v})
			set()
		}
	}
	differ(e.Content != want.Content, "content", want.Content, func() { after.Content = want.Content })
	differ(categoryOf(lessons.Category(e.Category)) != want.Category, "category", want.Category, func() { after.Category = want.Category })
	differ(e.Confidence != want.Confidence, "confidence", want.Confidence, func() { after.Confidence = want.Confidence })
	differ(want.Context != "" && e.Context != want.Context, "context", want.Context, func() { after.Context = want.Context })
	differ(len(want.Tags) > 0 && !slices.Equal(e.Tags, want.Tags), "tags", want.Tags, func() { after.Tags = want.Tags })
	differ(!e.Active, "active", true, func() { after.Active = true })
	return after, out
}

func (d *document) upToDate(i int, l lessons.Lesson) bool {
	_, out := changes(d.entries[d.at[i]].Learning, learningOf(l))
	return len(out) == 0
}

func (d *document) set(i int, l lessons.Lesson, now time.Time) (base, state string) {
	e := d.entries[d.at[i]]
	after, out := changes(e.Learning, learningOf(l))
	for _, c := range out {
		d.put(e, c.key, c.value)
	}
	d.put(e, "lastValidated", stamp(now))
	return e.ID, stateOf(after)
}

// drop switches an entry off, as Gimli itself does with old ones.
func (d *document) drop(i int, now time.Time) bool {
	e := d.entries[d.at[i]]
	if e.Active {
		d.put(e, "active", false)
		d.put(e, "lastValidated", stamp(now))
	}
	return true
}

// put sets one member of an entry.
func (d *document) put(e element, key string, v any) { d.member(e.span, e.members, key, v) }

// member sets one member of an object.
func (d *document) member(s span, ms []member, key string, v any) {
	value := quoted(v)
	if m, ok := last(ms, key); ok {
		lead := d.lead(s.start, ms)
		if strings.HasPrefix(lead, "\n") {
			value = pretty(v, strings.TrimLeft(lead, "\n"))
		}
		d.edits = append(d.edits, edit{m.value, value})
		return
	}
	at := s.start + 1
	comma, lead := "", ""
	if len(ms) > 0 {
		at, comma, lead = ms[len(ms)-1].value.end, ",", d.lead(s.start, ms)
	}
	colon := ":"
	if lead != "" {
		colon, value = ": ", pretty(v, strings.TrimLeft(lead, "\r\n"))
	}
	d.edits = append(d.edits, edit{span{at, at}, comma + lead + quoted(key) + colon + value})
}

// lead is the white space before the members of an object that begins at a place.
func (d *document) lead(start int, ms []member) string {
	if len(ms) == 0 {
		return ""
	}
	rest := d.data[start+1 : ms[0].value.start]
	return string(rest[:len(rest)-len(bytes.TrimLeft(rest, " \t\r\n"))])
}

// add puts an entry behind the last one.
func (d *document) add(l lessons.Lesson, now time.Time) (base, state string) {
	e := learningOf(l)
	if l.Created.IsZero() {
		e.Timestamp = stamp(now)
	}
	e.ID = d.newID(l.ID, now)
	e.AgentID = AgentID(d.owner)
	m, _ := last(d.top, "learnings")
	d.grown++
	at, indent, wide := m.value.start+1, "", false
	if n := len(d.entries); n > 0 {
		first := d.data[m.value.start+1 : d.entries[0].start]
		at, indent, wide = d.entries[n-1].end, string(first[bytes.LastIndexByte(first, '\n')+1:]), bytes.IndexByte(first, '\n') >= 0
	} else if lead := d.lead(d.open, d.top); strings.Contains(lead, "\n") {
		indent, wide = strings.Repeat(lead[strings.LastIndexByte(lead, '\n')+1:], 2), true
	}
	comma := ","
	if len(d.entries) == 0 && d.grown == 1 {
		comma = ""
	}
	text := comma + quoted(e)
	if wide {
		text = comma + "\n" + indent + pretty(e, indent)
	}
	d.edits = append(d.edits, edit{span{at, at}, text})
	return e.ID, stateOf(e)
}

// newID names an entry as Gimli does: by the time, and four characters, which here
// follow from the lesson.
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

// bytes is the file after what was changed.
func (d *document) bytes(now time.Time) []byte {
	if len(d.edits) == 0 {
		return d.read
	}
	if m, _ := last(d.top, "learnings"); len(d.entries) == 0 && d.grown > 0 {
		end := ""
		if lead := d.lead(d.open, d.top); strings.Contains(lead, "\n") {
			end = "\n" + lead[strings.LastIndexByte(lead, '\n')+1:]
		}
		d.edits = append(d.edits, edit{span{m.value.start + 1, m.value.end - 1}, end})
	}
	d.member(span{d.open, len(d.data)}, d.top, "lastUpdated", stamp(now))
	return d.edited()
}

// edited is the bytes after all edits.
func (d *document) edited() []byte {
	slices.SortStableFunc(d.edits, func(a, b edit) int { return cmp.Compare(a.start, b.start) })
	var out bytes.Buffer
	at := 0
	for _, e := range d.edits {
		out.Write(d.data[at:e.start])
		out.WriteString(e.text)
		at = e.end
	}
	out.Write(d.data[at:])
	return out.Bytes()
}

// quoted is a value as JSON.stringify writes it.
func quoted(v any) string { return written(v, "", "") }

// pretty is the same with two blanks for each level, below an indent.
func pretty(v any, indent string) string { return written(v, indent, "  ") }

func written(v any, prefix, indent string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent(prefix, indent)
	if err := e.Encode(v); err != nil {
		panic(err) // it is made of texts
	}
	return strings.TrimRight(b.String(), "\n")
}
