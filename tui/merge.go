package tui

import (
	"learnings/lessons"
)

// mergeMsg is the answer of a merge dialog: the wording that the person
// accepted, for the lesson that lives on.
type mergeMsg struct {
	wording lessons.Wording
	into    lessons.Lesson
	from    []lessons.Lesson
}

// merge shows the merge as made and asks for it to be.
func (p review) merge(m mergeMsg) (review, out) {
	p.marks, p.anchor = nil, -1
	o := out{writes: []job{p.fx.merge(m.wording, m.into, m.from...)}}
	gone := m.from
	if m.into.Status != lessons.Pending {
		gone = append([]lessons.Lesson{m.into}, gone...)
	}
	p = p.without(gone)
	p, look := p.look()
	return p, o.and(look)
}
