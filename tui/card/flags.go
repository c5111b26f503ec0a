package card

import (
	"sync"

	"learnings/lessons"
)

// Flags are the reasons to look twice at a lesson before approving it, the gravest
// first. They are the caller's to read, not to change.
func Flags(l lessons.Lesson) []string { return flagged.of(l) }

// flagged has what was found of lessons: a frame asks for those of each row, and to look
// costs more than the row.
var flagged = warnings{found: map[flagOf][]string{}}

// warnings keeps the flags of the lessons that were shown lately.
type warnings struct {
	mu    sync.Mutex
	found map[flagOf][]string
}

// A flagOf is a lesson in a state. Before a decision is stored its text may be another
// under the same revision.
type flagOf struct {
	id      lessons.ID
	rev     lessons.Rev
	status  lessons.Status
	content string
}

// mostFlagged is of how many lessons flags are kept: more than are looked at without a
// pause.
const mostFlagged = 2000

func (w *warnings) of(l lessons.Lesson) []string {
	key := flagOf{l.ID, l.Rev, l.Status, l.Content}
	w.mu.Lock()
	defer w.mu.Unlock()
	out, ok := w.found[key]
	if ok && l.Rev != "" {
		return out
	}
	out = nil
	for _, d := range lessons.Dangers(l) {
		says := d.Says
		if d.Found != "" {
			says += ": " + d.Found
		}
		out = append(out, says)
	}
	if len(w.found) >= mostFlagged {
		clear(w.found)
	}
	w.found[key] = out
	return out
}
