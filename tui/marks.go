package tui

import (
	"maps"

	"learnings/lessons"
)

// marks are the lessons that the next key is for. Every change gives a new
// value, for a pane that was handed over must not change afterwards.
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

// of gives the marked ones of some lessons, in their order.
func (m marks) of(ls []lessons.Lesson) []lessons.Lesson {
	var out []lessons.Lesson
	for _, l := range ls {
		if m[l.ID] {
			out = append(out, l)
		}
	}
	return out
}

// more counts one more for each of some lessons; fewer takes one away again.
func more(counts map[lessons.ID]int, ls []lessons.Lesson) map[lessons.ID]int {
	next := map[lessons.ID]int{}
	maps.Copy(next, counts)
	for _, l := range ls {
		next[l.ID]++
	}
	return next
}

func fewer(counts map[lessons.ID]int, ls []lessons.Lesson) map[lessons.ID]int {
	next := map[lessons.ID]int{}
	maps.Copy(next, counts)
	for _, l := range ls {
		if next[l.ID]--; next[l.ID] <= 0 {
			delete(next, l.ID)
		}
	}
	return next
}
