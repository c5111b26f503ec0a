package curate

import (
	"slices"

	"learnings/lessons"
	"learnings/lessons/store"
)

// Release accepts approvals made elsewhere by people whom the person trusts. It returns the
// lessons it approved, as they are now. One with any of [lessons.Dangers] stays a proposal.
func (c *Corpus) Release(trust []string, ls []lessons.Lesson) ([]lessons.Lesson, error) {
	var out []lessons.Lesson
	for _, l := range ls {
		by := l.Elsewhere.By
		if next, ok := l.Released(); ok && by != "" && (by == c.By || slices.Contains(trust, by)) && len(lessons.Dangers(l)) == 0 {
			out = append(out, next)
		}
	}
	if len(out) == 0 {
		return nil, nil
	}
	return c.put(store.Write{Op: lessons.OpSync}, out...)
}
