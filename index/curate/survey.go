package curate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"learnings/index"
	"learnings/lessons"
	"learnings/lessons/pairs"
)

// SomeDuplicates returns at most the given number of groups of lessons that say the same,
// by [pairs.ByJaccard] and then by [pairs.ByParaphrase].
func (c *Library) SomeDuplicates(ctx context.Context, most int) ([]Group, error) {
	all, err := c.Index.Outlines(ctx, WhatCounts(index.Query{Now: c.Now()}))
	if err != nil && ctx.Err() == nil {
		return nil, fmt.Errorf("reading the lessons to compare: %w", err)
	}
	return someGroups(ctx, c, all, most, func(g Group) Group { return g })
}

// someGroups returns at most the given number of groups of lessons that say the same, each
// reduced by take. It reads the lessons whole and leaves out those that are gone.
func someGroups(ctx context.Context, c *Library, all []lessons.Outline, most int, take func(Group) Group) (found []Group, err error) {
	groups, err := c.Duplicates(ctx, all, pairs.ByJaccard, pairs.ByParaphrase)
	if err != nil {
		return nil, err
	}
	var some []lessons.ID
	for g := range groups {
		if g = take(g); len(g.Lessons) < 2 {
			continue
		}
		for _, l := range g.Lessons {
			some = append(some, l.ID)
		}
		if found = append(found, g); len(found) == most {
			break
		}
	}
	whole, err := c.Index.Named(context.WithoutCancel(ctx), some)
	if err != nil {
		return nil, fmt.Errorf("reading duplicates: %w", err)
	}
	for i, g := range found {
		found[i].Lessons = nil
		for _, l := range g.Lessons {
			if l, ok := whole[l.ID]; ok {
				found[i].Lessons = append(found[i].Lessons, l)
			}
		}
	}
	return slices.DeleteFunc(found, func(g Group) bool { return len(g.Lessons) < 2 }), nil
}

// Active returns the first of the lessons that sessions get.
func Active(against []pairs.Contrary) (lessons.Lesson, bool) {
	for _, o := range against {
		if o.Lesson.Status == lessons.Approved {
			return o.Lesson, true
		}
	}
	return lessons.Lesson{}, false
}

// Replaces reports whether a proposal gives an approved lesson's slot a newer value, so that
// one decision can put it in that lesson's place. It does not if it must be looked at by
// itself, or if the other one is to be kept ([pairs.Prefer]).
func Replaces(l lessons.Lesson, o pairs.Contrary) bool {
	if l.Status != lessons.Pending || o.Lesson.Status != lessons.Approved || o.Relation != pairs.NewerValue || Alone(l) != "" {
		return false
	}
	first, _ := pairs.Prefer(l, o.Lesson)
	return first
}

// ErrSettled is the error for a contradiction that no longer exists.
var ErrSettled = errors.New("nothing is left to settle")

// Contradiction reads two contradicting lessons, to settle them. The error is [ErrSettled]
// if the second is gone or no longer counts, or if they no longer contradict each other;
// the first is then still returned whole.
func (c *Library) Contradiction(id, other lessons.ID) (l lessons.Lesson, against pairs.Contrary, err error) {
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
	if against.Judgement = pairs.Judge(l, against.Lesson); !against.Opposed() {
		return l, against, fmt.Errorf("%s and %s no longer contradict each other: %w", id, other, ErrSettled)
	}
	return l, against, nil
}

// Doubts are lessons to look at again.
type Doubts []lessons.Doubted

// Shown returns the lessons themselves.
func (ds Doubts) Shown() []lessons.Lesson {
	out := make([]lessons.Lesson, len(ds))
	for i, d := range ds {
		out[i] = d.Lesson
	}
	return out
}

// For returns the lessons with a doubt of a kind.
func (ds Doubts) For(c lessons.Concern) []lessons.Lesson {
	return slices.DeleteFunc(ds, func(d lessons.Doubted) bool {
		return !slices.ContainsFunc(d.Why, func(w lessons.Doubt) bool { return w.Concern == c })
	}).Shown()
}

// LookAgain returns the approved lessons of a project, or of all for "", that a person
// should look at again; see [lessons.LookAgain].
func LookAgain(ctx context.Context, x *index.Index, project string, now time.Time, more func(lessons.Lesson) []lessons.Doubt) (Doubts, error) {
	q := index.Query{Now: now}.Where(index.Status, string(lessons.Approved))
	if project != "" {
		q = q.Where(index.Project, project)
	}
	var some []lessons.Lesson
	counted := false
	err := x.Each(ctx, q, func(l lessons.Lesson) {
		if project != "" && l.Scope.Project != project {
			return // it differs in case
		}
		doubtful := len(l.Doubts(now, true)) > 0 || len(more(l)) > 0
		if used := l.Use.Used > 0 && !counted; used || doubtful { // a lesson that was used says that uses count
			counted = counted || used
			some = append(some, l)
		}
	})
	return lessons.LookAgain(some, now, more), err
}
