package curate

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"learnings/index"
	"learnings/lessons"
	"learnings/lessons/pairs"
)

// Contradictions returns the contradictions among the lessons that count, each pair once:
// those of a project with those for every project, or all for "".
func (c *Library) Contradictions(ctx context.Context, project string) ([]pairs.Pair, error) {
	q := WhatCounts(index.Query{Now: c.Now()})
	if project != "" {
		q = q.Where(index.For, project)
	}
	// Take in the changes first: finding them again would take longer.
	_, _ = c.Sync(ctx)
	return Ask(ctx, c, func(ctx context.Context, x *index.Index) ([]pairs.Pair, error) {
		found, err := contradictions(ctx, x, q, 0)
		if err == nil {
			err = ctx.Err()
		}
		return found, err
	})
}

// SomeContradictions returns at most the given number of the newest contradictions among
// the lessons that count. Like [Library.SomeDuplicates] it reads the index without a sync,
// which [Follower] keeps up to date. It reads all lessons, about 15 ms for a thousand. When
// ctx ends, it returns what it has found.
func (c *Library) SomeContradictions(ctx context.Context, most int) ([]pairs.Pair, error) {
	pairs, err := contradictions(ctx, c.Index, WhatCounts(index.Query{Now: c.Now()}), most)
	if err != nil && ctx.Err() == nil {
		return nil, fmt.Errorf("reading the lessons to compare: %w", err)
	}
	return pairs, nil
}

// contradictions returns the contradictions among the lessons of a query, newest first and
// each once: at most the given number, or all for 0. It skips a pair if another process has
// just changed one of its lessons.
func contradictions(ctx context.Context, x *index.Index, q index.Query, most int) ([]pairs.Pair, error) {
	all, err := x.Outlines(ctx, q)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(all, func(a, b lessons.Outline) int { return cmp.Or(b.Created.Compare(a.Created), cmp.Compare(a.ID, b.ID)) })
	return opposed(ctx, x, all, most)
}

// opposed is [contradictions] for lessons that were read.
func opposed(ctx context.Context, x *index.Index, all []lessons.Outline, most int) ([]pairs.Pair, error) {
	found := pairs.Oppositions(ctx, all)
	if most > 0 {
		found = found[:min(len(found), most)]
	}
	var some []lessons.ID
	for _, o := range found {
		some = append(some, all[o.First].ID, all[o.Second].ID)
	}
	whole, err := x.Named(context.WithoutCancel(ctx), some)
	if err != nil {
		return nil, err
	}
	out := make([]pairs.Pair, 0, len(found))
	for _, o := range found {
		a, b := whole[all[o.First].ID], whole[all[o.Second].ID]
		if a.Rev != all[o.First].Rev || b.Rev != all[o.Second].Rev {
			continue
		}
		if o.Ground == pairs.Value { // told together is no contradiction; outlines do not record it
			if !pairs.Read(a).Against(pairs.Read(b)).Opposed() {
				continue
			}
		}
		out = append(out, o.Pair(a, b))
	}
	return out, nil
}
