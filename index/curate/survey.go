package curate

import (
	"context"
	"errors"
	"fmt"

	"learnings/index"
	"learnings/lessons"
	"learnings/lessons/match"
	"learnings/lessons/stance"
)

// A Survey is the lessons that count, compared with each other, as of the time
// at which it was made. It answers quickly which of them contradict a lesson,
// for a face that asks on every key.
type Survey struct {
	Pairs  []stance.Pair // those that contradict each other
	Groups []Group       // those that say the same: by [match.ByJaccard], then by [match.ByParaphrase]

	corpus  *Library
	against map[lessons.ID][]lessons.ID // of every lesson those that contradict it
}

// Survey compares the lessons that count, and keeps at most as many contradictions
// and groups as are asked for. It reads the index as it is, which [Follower] keeps
// up to date, and takes some 30 ms for a thousand lessons. When ctx ends, what was
// found by then is all.
func (c *Library) Survey(ctx context.Context, most int) (*Survey, error) {
	all, err := c.Index.Outlines(ctx, WhatCounts(index.Query{Now: c.Now()}))
	if err != nil {
		return nil, fmt.Errorf("reading the lessons to compare: %w", err)
	}
	s := &Survey{corpus: c, against: map[lessons.ID][]lessons.ID{}}
	for p := range stance.Pairs(newestFirst(all)) {
		if len(s.Pairs) < most {
			s.Pairs = append(s.Pairs, p)
		}
		a, b := p.Keep.ID, p.Lose.ID
		s.against[a], s.against[b] = append(s.against[a], b), append(s.against[b], a)
	}
	if s.Pairs, err = c.wholePairs(context.WithoutCancel(ctx), all, s.Pairs); err != nil {
		return nil, fmt.Errorf("reading what contradicts: %w", err)
	}
	groups, err := c.Duplicates(ctx, all, match.ByJaccard, match.ByParaphrase)
	if err != nil {
		return nil, err
	}
	var some []lessons.Lesson
	for g := range groups {
		some = append(some, g.Lessons...)
		if s.Groups = append(s.Groups, g); len(s.Groups) == most {
			break
		}
	}
	whole, err := c.whole(context.WithoutCancel(ctx), some)
	if err != nil {
		return nil, fmt.Errorf("reading duplicates: %w", err)
	}
	for _, g := range s.Groups {
		for i, l := range g.Lessons {
			if w, ok := whole[l.ID]; ok {
				g.Lessons[i] = w
			}
		}
	}
	return s, nil
}

// Against gives at most n lessons that contradict one, of those that did when the
// survey was made. They are read again, so that what was decided since then is left
// out. A nil Survey knows none.
func (s *Survey) Against(l lessons.Lesson, n int) []stance.Contrary {
	if s == nil || !Counts(l) {
		return nil
	}
	out := s.contrary(l)
	return out[:min(len(out), n)]
}

func (s *Survey) contrary(l lessons.Lesson) []stance.Contrary {
	var some []lessons.Lesson
	for _, id := range s.against[l.ID] {
		if o, err := s.corpus.Store.Get(id); err == nil && Counts(o) {
			some = append(some, o)
		}
	}
	return stance.Against(l, some)
}

// Active gives an active lesson that contradicts one. A nil Survey knows none.
func (s *Survey) Active(l lessons.Lesson) (lessons.ID, bool) {
	if s != nil {
		for _, o := range s.contrary(l) {
			if o.Lesson.Status == lessons.Approved {
				return o.Lesson.ID, true
			}
		}
	}
	return "", false
}

// ErrSettled is the answer about a contradiction that there is no longer.
var ErrSettled = errors.New("nothing is left to settle")

// Contradiction reads two lessons, to settle what they contradict each other in.
// The error is [ErrSettled] when the second of them is gone or no longer counts,
// or when they do not contradict each other any more; the first is whole then.
func (c *Library) Contradiction(id, other lessons.ID) (l lessons.Lesson, against stance.Contrary, err error) {
	if l, err = c.Store.Get(id); err != nil {
		return l, against, fmt.Errorf("reading %s: %w", id, err)
	}
	if !Counts(l) {
		return l, against, fmt.Errorf("%s is %s meanwhile", id, l.Status)
	}
	against.Lesson, err = c.Store.Get(other)
	switch {
	case gone(err):
		return l, against, fmt.Errorf("%s is gone: %w", other, ErrSettled)
	case err != nil:
		return l, against, fmt.Errorf("reading %s: %w", other, err)
	case !Counts(against.Lesson):
		return l, against, fmt.Errorf("%s is %s meanwhile: %w", other, against.Lesson.Status, ErrSettled)
	}
	var ok bool
	if against.Contradiction, ok = stance.Between(l, against.Lesson); !ok {
		return l, against, fmt.Errorf("%s and %s no longer contradict each other: %w", id, other, ErrSettled)
	}
	return l, against, nil
}
