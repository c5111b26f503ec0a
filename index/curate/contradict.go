package curate

import (
	"context"
	"fmt"
	"slices"
	"time"

	"learnings/index"
	"learnings/lessons"
	"learnings/lessons/pairs"
	"learnings/lessons/store"
)

const (
	// mostCompared limits how many of the lessons near one are compared with it.
	mostCompared = 100
	// tellingWords is the number of its rarest words that find the lessons near one.
	tellingWords = 8
	// From readAllFrom lessons on, reading the corpus once is faster than one search each.
	readAllFrom = 20
)

// WhatCounts limits a query to lessons that count; see [Counts].
func WhatCounts(q index.Query) index.Query {
	return q.Where(index.Status, string(lessons.Approved)).Where(index.Status, string(lessons.Pending))
}

// mostKnown is how many lessons of each status [Corpus.Known] gives.
const mostKnown = 500

// Known returns the lessons of a project, or of all: approved, then pending, and rejected
// ones, the last confirmed first. It omits proposals that only quote, as those of the
// rules do: a model that knows one would not propose its better words. It does not sync the
// index and returns what it found before any error.
func (c *Library) Known(ctx context.Context, project string) (counting, rejected []lessons.Lesson) {
	for _, status := range []lessons.Status{lessons.Approved, lessons.Pending, lessons.Rejected} {
		q := index.Query{Limit: mostKnown, Sort: index.Confirmed, Now: c.Now()}.Where(index.Status, string(status))
		if project != "" {
			q = q.Where(index.For, project)
		}
		page, err := c.Index.Search(ctx, q)
		if err != nil {
			break
		}
		switch found := page.Shown(); status {
		case lessons.Rejected:
			rejected = found
		case lessons.Pending:
			for _, l := range found {
				if l.Origin.ByModel() || l.Origin.Extractor == "person" {
					counting = append(counting, l)
				}
			}
		default:
			counting = append(counting, found...)
		}
	}
	return counting, rejected
}

// Against returns the lessons that contradict each of the given ones, keyed by its id. It
// is a help beside a decision, so it returns fewer lessons instead of an error.
func (c *Library) Against(ctx context.Context, ls ...lessons.Lesson) map[lessons.ID][]pairs.Contrary {
	out := map[lessons.ID][]pairs.Contrary{}
	some := func(l lessons.Lesson) []lessons.Lesson {
		found, _ := Ask(ctx, c, func(ctx context.Context, x *index.Index) ([]lessons.Lesson, error) { return near(ctx, x, l, c.Now()) })
		return found
	}
	if len(ls) >= readAllFrom {
		found, err := c.Contradictions(ctx, "")
		if err != nil {
			return out
		}
		against := map[lessons.ID][]lessons.Lesson{}
		for _, p := range found {
			against[p.Keep.ID], against[p.Lose.ID] = append(against[p.Keep.ID], p.Lose), append(against[p.Lose.ID], p.Keep)
		}
		some = func(l lessons.Lesson) []lessons.Lesson { return against[l.ID] }
	}
	for _, l := range ls {
		if !Counts(l) {
			continue
		}
		if against := opposing(c.Store, l, some(l)); len(against) > 0 {
			out[l.ID] = against
		}
	}
	return out
}

// opposing returns the lessons of near that contradict l. It reads their files, because a
// decision of a moment ago may have settled one.
func opposing(s *store.Store, l lessons.Lesson, near []lessons.Lesson) []pairs.Contrary {
	var some []lessons.Lesson
	for _, o := range pairs.Against(l, near) {
		if now, err := s.Get(o.Lesson.ID); err == nil && Counts(now) {
			some = append(some, now)
		}
	}
	if len(some) == 0 {
		return nil
	}
	return pairs.Against(l, some)
}

// near returns the lessons that count and either share words with l or have words that
// exclude its own.
func near(ctx context.Context, x *index.Index, l lessons.Lesson, now time.Time) ([]lessons.Lesson, error) {
	q := WhatCounts(index.Text(pairs.LookFor(l)))
	q.Rarest = tellingWords
	q.Sort, q.Limit, q.Now, q.Unjudged = index.Relevance, mostCompared, now, true
	if !l.Scope.Global {
		q = q.Where(index.For, l.Scope.Project)
	}
	page, err := x.Search(ctx, q)
	return page.Shown(), err
}

// Near returns what a card shows beside a lesson: at most n lessons that are like it, and
// those that contradict it, among what the index, without a sync, finds near it. It is a
// help for a face that asks on every key, so it skips what cannot be read.
func (c *Library) Near(ctx context.Context, l lessons.Lesson, n int) (like []index.Hit, against []pairs.Contrary) {
	return c.beside(ctx, c.Index, l, n)
}

// Beside is [Library.Near] as of what the corpus holds now.
func (c *Library) Beside(ctx context.Context, l lessons.Lesson, n int) (like []index.Hit, against []pairs.Contrary) {
	_, _ = Ask(ctx, c, func(ctx context.Context, x *index.Index) (struct{}, error) {
		like, against = c.beside(ctx, x, l, n)
		return struct{}{}, nil
	})
	return like, against
}

func (c *Library) beside(ctx context.Context, x *index.Index, l lessons.Lesson, n int) (like []index.Hit, against []pairs.Contrary) {
	var found []lessons.Lesson
	err := index.Open(ctx, x, func(x *index.Index) (err error) {
		if n > 0 {
			like, _ = similar(ctx, x, l, n, c.Now()) // against is useful without it
		}
		if Counts(l) {
			found, err = near(ctx, x, l, c.Now())
		}
		return err
	})
	if err != nil {
		return nil, nil
	}
	against = opposing(c.Store, l, found)
	return Alike(like, against), against
}

// Alike returns what is near a lesson without what contradicts it: that is nothing to merge
// with.
func Alike(near []index.Hit, against []pairs.Contrary) []index.Hit {
	return slices.DeleteFunc(near, func(h index.Hit) bool {
		return slices.ContainsFunc(against, func(o pairs.Contrary) bool { return o.Lesson.ID == h.Lesson.ID })
	})
}

// Propose proposes how to settle a contradiction, with a reason that follows "because".
// Both lessons hold, each where it was said, if they were said in different places
// ([Narrowed]); otherwise it names the one to keep ([pairs.Prefer]).
func Propose(a, b lessons.Lesson) (s Settlement, because string) {
	first, why := pairs.Prefer(a, b)
	s = Settlement{Keep: a, Lose: b}
	if !first {
		s = Settlement{Keep: b, Lose: a}
	}
	if n, ok := Narrowed(s.Keep, s.Lose); ok {
		s.Narrow = true
		return s, map[string]string{
			"project": "the two were said in different projects",
			"role":    "the two were said to different roles",
			"files":   "the two are about different files",
		}[n.By]
	}
	return s, fmt.Sprintf("%s is %s", s.Keep.ID, why)
}
