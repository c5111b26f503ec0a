package view

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"learnings/cmd/internal/term"
	"learnings/lessons"
	"learnings/lessons/match"
)

// A OneText is a lesson in the words that a model proposes for several, to be shown
// before anybody takes it.
type OneText struct {
	By      string
	Lesson  lessons.Lesson // the one that lives on
	All     []string       // the ids of all of them
	Changes []Rewrite
}

// A Rewrite is what these words change in one field of one lesson.
type Rewrite struct {
	ID lessons.ID
	lessons.Difference
}

// OneTextOf is what a merge into one of some lessons comes to when the words are
// another's. A field that these leave empty stays.
func OneTextOf(by string, into lessons.Lesson, words lessons.Wording, ls []lessons.Lesson) OneText {
	before := into
	into.Content = words.Content
	into.Insight = cmp.Or(words.Insight, into.Insight)
	into.Example = cmp.Or(words.Example, into.Example)
	t := OneText{By: by, Lesson: into}
	change := func(id lessons.ID, field, before, after string) {
		if before != after {
			t.Changes = append(t.Changes, Rewrite{ID: id, Difference: lessons.Difference{Field: field, Before: before, After: after}})
		}
	}
	for _, l := range ls {
		t.All = append(t.All, string(l.ID))
		change(l.ID, "content", l.Content, into.Content)
	}
	change(into.ID, "insight", before.Insight, into.Insight)
	change(into.ID, "example", before.Example, into.Example)
	return t
}

func (t OneText) Terminal(p *term.Page) {
	p.Heading(2, "One text by %s", t.By)
	p.Text("", lessons.Line(t.Lesson.Content))
	for _, c := range t.Changes {
		p.Text("  ", fmt.Sprintf("%s %s: %s", c.ID, c.Field, match.Marked(c.Before, c.After)))
	}
}

func (t OneText) Plain(w io.Writer) {
	term.TSV(w, t.By, strings.Join(t.All, ","), t.Lesson.Content)
	for _, c := range t.Changes {
		term.TSV(w, string(c.ID), c.Field, match.Marked(c.Before, c.After))
	}
}

func (t OneText) Objects() []any {
	type change struct {
		ID     lessons.ID `json:"id"`
		Field  string     `json:"field"`
		Before string     `json:"before"`
		After  string     `json:"after"`
	}
	changes := make([]change, 0, len(t.Changes))
	for _, c := range t.Changes {
		changes = append(changes, change{c.ID, c.Field, c.Before, c.After})
	}
	return []any{struct {
		IDs      []string   `json:"ids"`
		Into     lessons.ID `json:"into"`
		Proposed string     `json:"proposed"`
		Insight  string     `json:"insight,omitempty"`
		Example  string     `json:"example,omitempty"`
		By       string     `json:"by"`
		Changes  []change   `json:"changes"`
	}{t.All, t.Lesson.ID, t.Lesson.Content, t.Lesson.Insight, t.Lesson.Example, t.By, changes}}
}
