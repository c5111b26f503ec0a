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

// leastSimilar is the least share of its words for another lesson to be shown as similar.
const leastSimilar = 0.3

// spareSimilar is how many extra lessons are requested, because some are left out.
const spareSimilar = 5

// similar returns at most n lessons that count and are most like l, most alike first: those
// that share its words, and then, marked as [index.Hit].ByMeaning, those that mean nearly
// the same in other words.
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

// Rewordings returns the n lessons most likely to say the same as l in other words. It
// applies no threshold: only a person can tell.
func (c *Library) Rewordings(ctx context.Context, l lessons.Lesson, n int) ([]pairs.Candidate, error) {
	synonyms, err := c.Synonyms(ctx)
	if err != nil {
		return nil, err
	}
	hits, err := Ask(ctx, c, func(ctx context.Context, x *index.Index) ([]index.Hit, error) { return x.Similar(ctx, l, ranked) })
	if err != nil {
		return nil, fmt.Errorf("looking for neighbours of %s: %w", l.ID, err)
	}
	near := slices.DeleteFunc(index.Page{Hits: hits}.Shown(), func(l lessons.Lesson) bool { return !Counts(l) })
	return synonyms.Rank(l, near, n), nil
}

const ranked = 60

// Synonyms returns the words that mean the same, as the merges of this corpus show.
func (c *Library) Synonyms(ctx context.Context) (pairs.Synonyms, error) {
	merged, err := c.outlines(ctx, index.Query{Now: c.Now()}.Where(index.Status, string(lessons.Merged)))
	return pairs.LearnMerged(slices.Collect(lessons.FromOutlines(merged)), c.Store.Get), err
}
