package curate

import (
	"slices"
	"strings"

	"learnings/lessons"
	"learnings/lessons/store"
)

// Release accepts approvals that one of some keys has signed. It returns the lessons it
// approved, as they are now. One with any of [lessons.Dangers] stays a proposal.
func (c *Corpus) Release(keys []string, ls []lessons.Lesson) ([]lessons.Lesson, error) {
	var out []lessons.Lesson
	for _, l := range ls {
		key, _, signed := strings.Cut(l.Elsewhere.Signed, " ")
		if next, ok := l.Released(); ok && signed && slices.Contains(keys, key) && len(lessons.Dangers(l)) == 0 {
			out = append(out, next)
		}
	}
	if len(out) == 0 {
		return nil, nil
	}
	out, err := c.Store.Put(store.Write{Op: lessons.OpSync, By: c.By, Undoable: true, How: "signed by a key of sync.trust"}, out...)
	c.wrote(out...)
	return out, err
}
