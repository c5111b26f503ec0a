package tui

import (
	"maps"

	"learnings/lessons"
)

// marks are the lessons that the next key is for. Every change gives a new
// value: a pane that was handed over must not change afterwards.
type marks map[lessons.ID]bool

func (m marks) with(on bool, ls ...lessons.Lesson) marks {
	next := maps.Clone(m)
	if next == nil {
		next = marks{}
	}
	for _, l := range ls {
		if on {
			next[l.ID] = true
		} else {
			delete(next, l.ID)
		}
	}
	return next
}

// of returns the marked ones of some lessons, in their order.
func (m marks) of(ls []lessons.Lesson) []lessons.Lesson {
	if len(m) == 0 {
		return nil
	}
	var out []lessons.Lesson
	for _, l := range ls {
		if m[l.ID] {
			out = append(out, l)
		}
	}
	return out
}
