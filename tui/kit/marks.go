package kit

import (
	"maps"

	"learnings/lessons"
)

// Marks are the lessons that the next key is for. Every change gives a new
// value: a pane that was handed over must not change afterwards.
type Marks map[lessons.ID]bool

// With marks lessons, or unmarks them.
func (m Marks) With(on bool, ls ...lessons.Lesson) Marks {
	next := Own(m)
	for _, l := range ls {
		if on {
			next[l.ID] = true
		} else {
			delete(next, l.ID)
		}
	}
	return next
}

// Of returns the marked ones of some lessons, in their order.
func (m Marks) Of(ls []lessons.Lesson) []lessons.Lesson {
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

// Own is a copy of a map to change, also of none.
func Own[M ~map[K]V, K comparable, V any](m M) M {
	next := make(M, len(m)+1)
	maps.Copy(next, m)
	return next
}
