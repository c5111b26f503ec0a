package curate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"learnings/index"
	"learnings/lessons"
	"learnings/lessons/match"
	"learnings/lessons/stance"
)

// SomeContradictions are the newest contradictions of the lessons that count, at most so
// many. Like [Library.SomeDuplicates] it reads the index as it is, which [Follower] keeps
// up to date, and all lessons: it takes some 15 ms for a thousand. When ctx ends, what was
// found by then is all.
func (c *Library) SomeContradictions(ctx context.Context, most int) ([]stance.Pair, error) {
	found, err := opposedOf(ctx, c.Index, WhatCounts(index.Query{Now: c.Now()}), most, mostAtOnce)
	if err != nil && ctx.Err() == nil {
		return nil, fmt.Errorf("reading the lessons to compare: %w", err)
	}
	pairs, err := paired(context.WithoutCancel(ctx), c.Index, found)
	if err != nil {
		return nil, fmt.Errorf("reading what contradicts: %w", err)
	}
	return pairs, nil
}

// SomeDuplicates are groups of lessons that say the same, by [match.ByJaccard] and then by
// [match.ByParaphrase], at most so many. What is in two categories is in no group, so they
// are compared one after the other.
func (c *Library) SomeDuplicates(ctx context.Context, most int) ([]Group, error) {
	found, err := alikeOf(ctx, c, WhatCounts(index.Query{Now: c.Now()}), most, mostAtOnce)
	if err != nil && ctx.Err() == nil {
		return nil, fmt.Errorf("reading the lessons to compare: %w", err)
	}
	return wholeGroups(ctx, c, found)
}

// alikeOf finds groups of duplicates among the lessons of a query: at most so many, the
// best first. Those come with an error that were found by then.
func alikeOf(ctx context.Context, c *Library, q index.Query, most, atOnce int) (all []Group, err error) {
	n, kinds, err := c.Index.Facets(ctx, q, index.Kind)
	if err != nil {
		return nil, err
	}
	parts := partsOf(q, index.Kind, n, kinds[0].Values, atOnce)
	for _, part := range parts {
		ls, err := c.Index.Outlines(ctx, part)
		if err != nil {
			return all, err
		}
		found, err := someGroups(ctx, c, ls, most, func(g Group) Group { return g })
		if err != nil {
			return all, err
		}
		all = append(all, found...)
	}
	if len(parts) > 1 {
		slices.SortStableFunc(all, Group.before)
	}
	return all[:min(len(all), most)], nil
}

// before is the order of groups: those in nearly the same words first, and of these the
// ones that are about an active lesson, and then an old one.
func (g Group) before(o Group) int {
	rank := func(g Group) int {
		r := 0
		if g.Paraphrased() {
			r = 2
		}
		if g.Lessons[0].Status != lessons.Approved {
			r++
		}
		return r
	}
	a, b := g.Lessons[0], o.Lessons[0]
	return cmp.Or(cmp.Compare(rank(g), rank(o)), a.Created.Compare(b.Created), cmp.Compare(a.ID, b.ID))
}

// someGroups are at most so many groups of lessons that say the same, of which only what
// is taken counts.
func someGroups(ctx context.Context, c *Library, all []lessons.Outline, most int, take func(Group) Group) (found []Group, err error) {
	groups, err := c.Duplicates(ctx, all, match.ByJaccard, match.ByParaphrase)
	if err != nil {
		return nil, err
	}
	for g := range groups {
		if g = take(g); len(g.Lessons) < 2 {
			continue
		}
		if found = append(found, g); len(found) == most {
			break
		}
	}
	return found, nil
}

// wholeGroups reads the lessons of groups. One that is gone by now is left out, and a
// group of less than two is none.
func wholeGroups(ctx context.Context, c *Library, found []Group) ([]Group, error) {
	var some []lessons.ID
	for _, g := range found {
		for _, l := range g.Lessons {
			some = append(some, l.ID)
		}
	}
	whole, err := c.whole(context.WithoutCancel(ctx), some)
	if err != nil {
		return nil, fmt.Errorf("reading duplicates: %w", err)
	}
	for i := range found {
		g := &found[i]
		g.Lessons = slices.DeleteFunc(g.Lessons, func(l lessons.Lesson) bool { return whole[l.ID].ID == "" })
		for j, l := range g.Lessons {
			g.Lessons[j] = whole[l.ID]
		}
	}
	return slices.DeleteFunc(found, func(g Group) bool { return len(g.Lessons) < 2 }), nil
}

// Opposing gives the lessons that contradict one, of those that the index, as it is, finds
// near it. They are read from their files, so that what was decided a moment ago is left
// out. It is a help beside a decision, for a face that asks on every key: what cannot be
// read is left out too.
func (c *Library) Opposing(ctx context.Context, l lessons.Lesson) []stance.Contrary {
	if !Counts(l) {
		return nil
	}
	found, err := index.Brief(ctx, c.Index, nearTo(c, l))
	if err != nil {
		return nil
	}
	return opposing(c.Store, l, slices.Collect(lessons.FromOutlines(found)))
}

// Active gives the first of some lessons that is given to sessions.
func Active(against []stance.Contrary) (lessons.Lesson, bool) {
	for _, o := range against {
		if o.Lesson.Status == lessons.Approved {
			return o.Lesson, true
		}
	}
	return lessons.Lesson{}, false
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

// Doubts are lessons to look at again.
type Doubts []lessons.Doubted

// Shown are the lessons themselves.
func (ds Doubts) Shown() []lessons.Lesson {
	out := make([]lessons.Lesson, len(ds))
	for i, d := range ds {
		out[i] = d.Lesson
	}
	return out
}

// For are the lessons of which some doubt is of a kind.
func (ds Doubts) For(c lessons.Concern) []lessons.Lesson {
	return slices.DeleteFunc(ds, func(d lessons.Doubted) bool {
		return !slices.ContainsFunc(d.Why, func(w lessons.Doubt) bool { return w.Concern == c })
	}).Shown()
}

// LookAgain gives the approved lessons of a project, or of all for "", that a person
// should look at again, as [lessons.LookAgain] does of all of them.
func LookAgain(ctx context.Context, x *index.Index, project string, now time.Time, more func(lessons.Lesson) []lessons.Doubt) (Doubts, error) {
	q := index.Query{Now: now}.Where(index.Status, string(lessons.Approved))
	if project != "" {
		q = q.Where(index.Project, project)
	}
	var mu sync.Mutex
	var some []lessons.Lesson
	counted := false
	err := x.Each(ctx, q, func(l lessons.Lesson) {
		if project != "" && l.Scope.Project != project {
			return // it differs in case
		}
		mu.Lock()
		defer mu.Unlock()
		doubtful := len(l.Doubts(now, true)) > 0 || len(more(l)) > 0
		if used := l.Use.Used > 0 && !counted; used || doubtful { // one that was used says that uses count
			counted = counted || used
			some = append(some, l)
		}
	})
	return lessons.LookAgain(some, now, more), err
}
