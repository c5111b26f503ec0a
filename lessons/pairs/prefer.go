package pairs

import (
	"time"

	"learnings/lessons"
)

// Prefer reports whether the first of two lessons that contradict each other is
// the one to keep, and why, in words that follow "because it is". The order is:
//
//  1. one that a person pinned,
//  2. one with which a person corrected an agent, over one that only an agent or
//     a tool speaks for,
//  3. the newer one: by the last time that somebody said it;
//  4. the better proven one, by the outcomes of giving it.
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

// corrects reports that a person said it: typed it in as a lesson, or told an
// agent.
func corrects(l lessons.Lesson) bool { return l.SaidBy() == lessons.ByPerson }

// lastSaid is when a lesson was made or last said again. When it was approved says
// nothing: whoever clears a queue approves the old with the new.
func lastSaid(l lessons.Lesson) time.Time {
	at := l.Created
	for _, e := range l.Evidence {
		if e.At.After(at) {
			at = e.At
		}
	}
	return at
}
