package curate

import (
	"context"
	"fmt"

	"learnings/index"
	"learnings/lessons"
	"learnings/lessons/store"
)

// Affirm looks for the approved lesson of the same category, and for the same
// project or for all, with which a new one shares most keywords. When these are more
// than [lessons.Repeats] it does as amplihack does: the new one is not added, and the one that is
// there rises in confidence; see [lessons.Lesson.Affirmed]. What the new one says is
// kept as evidence. Without such a lesson ok is false, and nothing was done.
func (c *Corpus) Affirm(ctx context.Context, l lessons.Lesson) (before, after lessons.Lesson, ok bool, err error) {
	q := index.Query{Now: c.Now()}.Where(index.Status, string(lessons.Approved)).Where(index.Kind, string(l.Category))
	hits, err := c.Index.All(ctx, q)
	if err != nil {
		return before, after, false, err
	}
	most := lessons.Repeats
	for _, h := range hits {
		here := h.Lesson.Scope.Global || h.Lesson.Scope.Project == l.Scope.Project
		if s := lessons.SharedKeywords(h.Lesson, l); here && s > most && h.Lesson.ID != l.ID {
			most, before = s, h.Lesson
		}
	}
	if before.ID == "" {
		return before, after, false, nil
	}
	if before, err = c.Store.Get(before.ID); err != nil {
		return before, after, false, err
	}
	if len(l.Evidence) == 0 {
		said := l.Content
		if l.Insight != "" {
			said += "\n\n" + l.Insight
		}
		if l.Example != "" {
			said += "\n\n" + l.Example
		}
		l.Evidence = []lessons.Evidence{{Agent: "person", UUID: string(l.ID), By: lessons.ByPerson, From: "human", At: c.Now(), Quote: said}}
	}
	w := store.Write{Op: lessons.OpWitness, Why: fmt.Sprintf("learned again, with %.0f %% of the keywords", most*100)}
	after, err = one(c.put(w, before.Affirmed(l)))
	return before, after, err == nil, err
}
