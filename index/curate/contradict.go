package curate

import (
	"context"
	"fmt"
	"time"

	"learnings/index"
	"learnings/lessons"
	"learnings/lessons/pairs"
	"learnings/lessons/store"
)

const (
	// mostCompared is how many of the lessons that a search finds near one are
	// compared with it.
	mostCompared = 100
	// tellingWords is by how many of its rarest words the lessons near one are found.
	tellingWords = 8
	// readAllFrom is from how many lessons on it is quicker to read the corpus
	// once than to search for each.
	readAllFrom = 20
)

// WhatCounts limits a query to the lessons that count; see [Counts].
func WhatCounts(q index.Query) index.Query {
	return q.Where(index.Status, string(lessons.Approved)).Where(index.Status, string(lessons.Pending))
}

// mostKnown is how many lessons of each status [Corpus.Known] gives.
const mostKnown = 40

// Known gives the lessons of a project, or of all, that were confirmed last:
// approved and then pending ones, and rejected ones. A proposal that quotes, as the
// rules' do, is not among them: a model that was told of it as known would keep
// better words to itself. It does not wait for the
// index to follow, and gives what it finds there until an error.
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
		switch found := lessonsOf(page.Hits); status {
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

func lessonsOf(hits []index.Hit) []lessons.Lesson {
	out := make([]lessons.Lesson, 0, len(hits))
	for _, h := range hits {
		out = append(out, h.Lesson)
	}
	return out
}

// Against are the lessons that contradict each of those given, by the id of the
// given one. It is a help beside a decision: what fails in it is not worth
// failing for, and then lessons are missing.
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

// opposing gives those of some lessons that contradict one, read from their files, so that
// what was decided a moment ago is left out.
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

// near are the lessons that count and share words with one, or that have words
// which exclude its own.
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

// Opposing gives the lessons that contradict one, of those that the index, as it is, finds
// near it. They are read from their files, so that what was decided a moment ago is left
// out. It is a help beside a decision, for a face that asks on every key: what cannot be
// read is left out too.
func (c *Library) Opposing(ctx context.Context, l lessons.Lesson) []pairs.Contrary {
	if !Counts(l) {
		return nil
	}
	found, err := near(ctx, c.Index, l, c.Now())
	if err != nil {
		return nil
	}
	return opposing(c.Store, l, found)
}

// Beside gives what a card shows beside a lesson: [Library.Similar] and [Library.Against]
// of it. The index is opened once for both.
func (c *Library) Beside(ctx context.Context, l lessons.Lesson, n int) (like []index.Hit, against []pairs.Contrary) {
	found, err := Ask(ctx, c, func(ctx context.Context, x *index.Index) (found []lessons.Lesson, err error) {
		err = index.Open(ctx, x, func(x *index.Index) (err error) {
			like, _ = similar(ctx, x, l, n, c.Now()) // the other is good without them
			if Counts(l) {
				found, err = near(ctx, x, l, c.Now())
			}
			return err
		})
		return found, err
	})
	if err != nil {
		return nil, nil
	}
	return like, opposing(c.Store, l, found)
}

// Propose proposes how to settle a contradiction of two lessons, and why, in words that
// follow "because": both hold, each where it was said, when they were said in different
// places, or else the one to keep; see [Narrowed] and [pairs.Prefer].
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
