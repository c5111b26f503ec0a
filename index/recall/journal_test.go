package recall_test

import (
	"iter"
	"strconv"

	"learnings/lessons"
)

// A journal is a log of lessons that were made one after the other.
type journal []lessons.Lesson

func (j journal) Since(c lessons.Cursor) iter.Seq2[lessons.Change, error] {
	return func(yield func(lessons.Change, error) bool) {
		from, _ := strconv.Atoi(string(c))
		for i, l := range j[min(from, len(j)):] {
			if !yield(lessons.Change{ID: l.ID, After: &l, Cursor: lessons.Cursor(strconv.Itoa(from + i + 1))}, nil) {
				return
			}
		}
	}
}
