package kit

import (
	"maps"

	"learnings/lessons"
)

// Marks are the lessons that the next key acts on. Every change returns a new value,
// because panes share them.
type Marks map[lessons.ID]bool

// With marks or unmarks lessons.
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

// Of returns the marked lessons of ls, in their order.
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

// Own returns a copy of m that may be changed, also of a nil map.
func Own[M ~map[K]V, K comparable, V any](m M) M {
	next := make(M, len(m)+1)
	maps.Copy(next, m)
	return next
}
