package curate

import (
	"context"
	"fmt"
	"slices"
	"time"

	"learnings/index"
	"learnings/lessons"
	"learnings/lessons/pairs"
)

// leastSimilar is from which share of its words on another lesson is shown as
// similar: with less in common it is about something else.
const leastSimilar = 0.3

// spareSimilar is how many more lessons are asked for than are shown, for some
// are left out.
const spareSimilar = 5

// Similar are at most n lessons that count and are most like one, the most alike first:
// those that share its words, and then, marked as [index.Hit].ByMeaning, those that mean
// nearly the same in others. It asks the index as it is, for it is a help beside a decision.
func (c *Library) Similar(ctx context.Context, l lessons.Lesson, n int) (hits []index.Hit, err error) {
	err = index.Open(ctx, c.Index, func(x *index.Index) error {
		hits, err = similar(ctx, x, l, n, c.Now())
		return err
	})
	return hits, err
}

func similar(ctx context.Context, x *index.Index, l lessons.Lesson, n int, now time.Time) ([]index.Hit, error) {
	hits, err := x.Similar(ctx, l, n+spareSimilar)
	hits = slices.DeleteFunc(hits, func(h index.Hit) bool {
		return h.Lesson.ID == l.ID || h.Match < leastSimilar || !Counts(h.Lesson)
	})
	if hits = hits[:min(n, len(hits))]; err != nil || len(hits) == n {
		return hits, err
	}
	ids := make([]lessons.ID, len(hits))
	for i, h := range hits {
		ids[i] = h.Lesson.ID
	}
	akin, err := x.Akin(ctx, l, n-len(hits), WhatCounts(index.Query{Now: now}), ids...)
	return append(hits, akin...), err
}

// Rewordings are the n lessons most likely to say the same as one in other
// words. Nobody but a person can tell: no threshold is applied.
func (c *Library) Rewordings(ctx context.Context, l lessons.Lesson, n int) ([]pairs.Candidate, error) {
	synonyms, err := c.Synonyms(ctx)
	if err != nil {
		return nil, err
	}
	hits, err := Ask(ctx, c, func(ctx context.Context, x *index.Index) ([]index.Hit, error) { return x.Similar(ctx, l, ranked) })
	if err != nil {
		return nil, fmt.Errorf("looking for neighbours of %s: %w", l.ID, err)
	}
	near := slices.DeleteFunc(lessonsOf(hits), func(l lessons.Lesson) bool { return !Counts(l) })
	return synonyms.Rank(l, near, n), nil
}

// ranked is how many neighbours are ranked.
const ranked = 60

// Synonyms are the words that, as the merges of this corpus show, mean the same.
func (c *Library) Synonyms(ctx context.Context) (pairs.Synonyms, error) {
	merged, err := c.outlines(ctx, index.Query{Now: c.Now()}.Where(index.Status, string(lessons.Merged)))
	return pairs.LearnMerged(slices.Collect(lessons.FromOutlines(merged)), c.Store.Get), err
}
