package tui

import (
	"context"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"learnings/index"
	"learnings/index/curate"
	"learnings/lessons"
	"learnings/tui/decide"
	"learnings/tui/desk"
	"learnings/tui/kit"
	"learnings/tui/look"
)

// This file shows what was taken from a session where it was said, and decides on it there.

// takenMsg is the lessons that quote a session.
type takenMsg struct {
	path  string
	found []lessons.Lesson
}

// mostTaken is how many lessons of a session are shown in it.
const mostTaken = 300

// takenFrom finds the lessons that quote the session of a piece of evidence.
func takenFrom(fx desk.Desk, e lessons.Evidence) kit.Job {
	return func(ctx context.Context) tea.Msg {
		if e.Session == "" || !fx.Shared.Others.Take(ctx) {
			return nil
		}
		defer fx.Shared.Others.GiveBack()
		q := index.Query{Limit: mostTaken, Now: fx.Now(), Unjudged: true}.Where(index.Session, e.Session)
		p, err := fx.Look.Search(ctx, q)
		if err != nil {
			return nil // the session is readable without
		}
		m := takenMsg{path: e.Path}
		for _, h := range p.Hits {
			m.found = append(m.found, h.Lesson)
		}
		return m
	}
}

// opening reads a session and what was taken from it.
func opening(d reader) kit.Out {
	d, read := d.turnTo(0)
	return kit.Ask(d).And(kit.Run(read, takenFrom(d.fx, d.from)))
}

// quotesAt are the lessons that quote what is on the lines of an item, which is the first on
// them.
func quotesAt(d reader, i int) (out []lessons.Lesson) {
	items := d.page.items
	if i < 0 || i >= len(items) {
		return nil
	}
	turns := d.part.Turns[items[i].From:items[i].To]
	for _, l := range d.taken {
		if slices.ContainsFunc(l.Evidence, func(e lessons.Evidence) bool {
			return e.Line > 0 && (e.Path == d.from.Path || e.Session == d.from.Session) && turns[0].Line <= e.Line && e.Line <= turns[len(turns)-1].Line
		}) && (i == 0 || d.part.Turns[items[i-1].To-1].Line < turns[0].Line || len(turns) > 1) {
			out = append(out, l)
		}
	}
	return out
}

// quotedIn is the lesson that a key of the reader is for: the one that is read, or else one
// that quotes what is under the cursor, those first that wait.
func quotedIn(d reader) (lessons.Lesson, bool) {
	if d.of.ID != "" {
		return d.of, true
	}
	some := quotesAt(d, d.cur)
	if len(some) == 0 {
		return lessons.Lesson{}, false
	}
	if i := slices.IndexFunc(some, func(l lessons.Lesson) bool { return l.Status == lessons.Pending }); i >= 0 {
		return some[i], true
	}
	return some[0], true
}

// decideIn does what a key of the lists is for. Review and Browse do it for the lesson that
// is read; elsewhere it is for one that quotes what is under the cursor.
func decideIn(d reader, k string) (kit.Dialog, kit.Out) {
	l, ok := quotedIn(d)
	switch {
	case d.kept != nil:
		return d, kit.Say("esc goes back to where it is decided")
	case k == "V" && (d.of.ID == "" || d.of.Status != lessons.Pending):
		return d, kit.Say("no proposal is read here: Review lists what waits of a session")
	case !ok:
		return d, kit.Say("no lesson quotes what is under the cursor; those that are marked %s are quoted", look.Other)
	case k == "i":
		e := newEditor(d.fx, desk.OnReview, l)
		e.kept, e.reader = d, true
		return e, kit.Out{Writes: []kit.Job{loadEdit(d.fx, l.ID)}}
	case d.of.ID != "":
		left(d)
		return nil, kit.Out{Answer: desk.ReadOnMsg{Key: k, ID: l.ID}}
	}
	l, err := d.fx.Corpus.Store.Get(l.ID) // whole, as it is now
	switch {
	case err != nil:
		return d, kit.Warn("reading %s: %v", l.ID, err)
	case k == "x":
		return d, kit.Ask(decide.NewWhy(desk.Only(l), nil, curate.Given{}))
	case curate.Alone(l) != "":
		return d, kit.Ask(decide.TypedYes{Chosen: desk.Only(l), Action: curate.Approve, In: kit.NewField("")})
	}
	return d, kit.Out{Writes: []kit.Job{d.fx.Decide(curate.Approve, desk.Only(l))}}
}

// takenNow takes in what lessons are now.
func takenNow(d reader, now []lessons.Lesson) reader {
	d.taken, d.page = slices.Clone(d.taken), &page{items: d.page.items}
	for _, l := range now {
		if i := slices.IndexFunc(d.taken, func(o lessons.Lesson) bool { return o.ID == l.ID }); i >= 0 {
			d.taken[i] = l
		}
	}
	return d
}

// otherQuotes tell which other lessons quote an item.
func otherQuotes(d reader, i int, st *look.Style) string {
	for n, all := 0, quotesAt(d, i); n < len(all); n++ {
		l := all[n]
		if l.ID == d.of.ID {
			continue
		}
		more := ""
		if k := len(all) - n - 1; k > 0 {
			more = fmt.Sprintf(" and %d more", k)
		}
		return st.Tool.Render(look.Other) + st.Dim.Render(fmt.Sprintf(" %s %.2f %s “%s”%s ", look.Tag(lessons.Line(string(l.Category))), float64(l.Confidence), l.Status, lessons.Line(l.Title(32)), more))
	}
	return ""
}
