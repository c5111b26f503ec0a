package review

import (
	"fmt"

	"learnings/lessons"
	"learnings/tui/decide"
	"learnings/tui/kit"
	"learnings/tui/look"
)

// This file shows the likely lane in tens: the best of the project the person is in, then
// the next. The lists stay whole, so counts, undo and duplicates do not depend on it.

// ten is how many proposals are shown at once.
const ten = 10

// A batch is the part of the likely lane that has been shown.
type batch struct {
	of   map[lessons.ID]bool // with those decided on since
	size int                 // as asked for; less than ten for ten

	here, others int // proposals behind it: in the project the person is in, and elsewhere
}

// inTens reports whether the current rows are a batch. A person who filters or sorts sees
// everything that matches.
func (q Queue) inTens() bool {
	return q.Lane == lessons.Likely && !q.partial && !q.ranked && !q.named
}

// tenth sets the rows to those of the batch: what is new comes in while it is not full, and
// the next ten once all are decided on. What a person asked to have remembered, and what
// changes an approved lesson, never waits behind the others.
func (q Queue) tenth() Queue {
	all := q.lists[lessons.Likely]
	b := batch{of: kit.Own(q.batch.of), size: max(q.batch.size, ten)}
	left := 0
	for i := range all {
		if l := &all[i]; q.change[l.ID] || l.Asked() {
			b.of[l.ID] = true
		}
		if b.of[all[i].ID] {
			left++
		}
	}
	if left == 0 {
		b.size = max(b.size, len(b.of)+ten)
	}
	q.Rows = make([]lessons.Lesson, 0, b.size)
	for i := range all {
		if id := all[i].ID; len(b.of) < b.size {
			b.of[id] = true
		}
		switch l := &all[i]; {
		case b.of[l.ID]:
			q.Rows = append(q.Rows, *l)
		case q.project != "" && decide.Belongs(l) == q.project:
			b.here++
		default:
			b.others++
		}
	}
	q.batch = b
	return q
}

// anew forgets the batch and the order of projects: nobody is working through them.
func (q Queue) anew() Queue {
	q.places, q.batch = nil, batch{}
	return q
}

// brought adds lessons to the batch.
func (q Queue) brought(ids ...lessons.ID) Queue {
	q.batch.of = kit.Own(q.batch.of)
	for _, id := range ids {
		q.batch.of[id] = true
	}
	return q
}

// more brings the next ten.
func (q Queue) more() Queue {
	q.batch.size = len(q.batch.of) + ten
	return q.stayed(q.filled())
}

// behindSays says how many proposals wait behind the rows, and which key brings some; "" if
// none does.
func (p Review) behindSays(brief bool, st *look.Style) (many, key string) {
	here, others := p.batch.here, p.batch.others
	many = kit.Grouped(here+others) + " more"
	switch {
	case !p.inTens() || here+others == 0:
		return "", ""
	case !brief && here > 0 && others > 0:
		many = fmt.Sprintf("%s more in this project, %s in others", kit.Grouped(here), kit.Grouped(others))
	case !brief && here > 0:
		many += " in this project"
	case !brief && p.project != "":
		many += " in other projects"
	}
	return st.Dim.Render(many), st.Accent.Render("n") + st.Dim.Render(" brings "+kit.Grouped(min(ten, here+others)))
}

// behindLines draws what waits behind the rows below them; nil without room.
func (p Review) behindLines(st *look.Style) []string {
	many, key := p.behindSays(false, st)
	if many == "" || p.Cur.Span(0, len(p.Rows)-1)+3 > p.Cur.H {
		return nil
	}
	return []string{"", "  " + many, "  " + key}
}

// leftSays says how many proposals are left in the lane, for the line of what was done:
// what the rows do not say.
func (p Review) leftSays(brief bool, st *look.Style) string {
	many, key := p.behindSays(brief, st)
	if many == "" {
		return st.Strong.Render(kit.Grouped(p.counts()[p.Lane])) + st.Dim.Render(" left")
	}
	if len(p.behindLines(st)) > 0 {
		return st.Strong.Render(kit.Grouped(len(p.Rows))) + st.Dim.Render(" here")
	}
	return st.Strong.Render(kit.Grouped(len(p.Rows))) + st.Dim.Render(" here · ") + many + st.Dim.Render(" · ") + key
}
