package pairs

import (
	"time"

	"learnings/lessons"
)

// Prefer reports whether the first of two contradicting lessons is the one to keep, and
// why, in words that follow "because it is". It prefers, in this order:
//
//  1. one that a person pinned,
//  2. a person's correction to one that only an agent or a tool supports,
//  3. the one last said more recently,
//  4. the one with better outcomes.
//
// It is a proposal: a person decides.
func Prefer(a, b lessons.Lesson) (first bool, why string) {
	if a.Pinned != b.Pinned {
		return a.Pinned, "pinned"
	}
	if x, y := corrects(a), corrects(b); x != y {
		return x, "a person's own words"
	}
	x, y := lastSaid(a), lastSaid(b)
	if !x.Equal(y) {
		return x.After(y), "newer"
	}
	if p, q := a.Bound(x), b.Bound(x); p != q {
		return p > q, "better proven"
	}
	return a.ID < b.ID, "the first by its id; nothing else tells them apart"
}

// corrects reports whether a person said the lesson, typed in or told to an agent.
func corrects(l lessons.Lesson) bool { return l.SaidBy() == lessons.ByPerson }

// lastSaid returns when a lesson was made or last said again. The time of approval does
// not count: clearing a queue approves old and new together.
func lastSaid(l lessons.Lesson) time.Time {
	at := l.Created
	for _, e := range l.Evidence {
		if e.At.After(at) {
			at = e.At
		}
	}
	return at
}
