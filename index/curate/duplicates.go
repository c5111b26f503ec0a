package curate

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"learnings/index"
	"learnings/lessons"
	"learnings/lessons/pairs"
)

// Comparable reads from the index, oldest first, the lessons that count and so can be
// duplicates: those of a project and those for every project, or all for "".
func (c *Library) Comparable(ctx context.Context, project string) ([]lessons.Outline, error) {
	q := WhatCounts(index.Query{Now: c.Now()})
	if project != "" {
		q = q.Where(index.For, project)
	}
	return c.outlines(ctx, q)
}

func (c *Library) outlines(ctx context.Context, q index.Query) ([]lessons.Outline, error) {
	return Ask(ctx, c, func(ctx context.Context, x *index.Index) ([]lessons.Outline, error) { return x.Outlines(ctx, q) })
}

// A Group is lessons that say the same: by the rule, all are duplicates of the first. A
// lesson can be in several groups.
type Group struct {
	Lessons   []lessons.Lesson
	Rule      pairs.Rule
	Both, All int // words that the first and the one least like it share, of those that either has
}

// Share returns how alike the lessons are, from 0 to 1.
func (g Group) Share() float64 { return float64(g.Both) / float64(max(g.All, 1)) }

// Alike describes how alike the lessons are.
func (g Group) Alike() string {
	words := "words"
	switch {
	case g.Rule == Related:
		return "one subject"
	case g.Both == g.All:
		return "the same words"
	case g.Paraphrased():
		words = "key words"
	}
	return fmt.Sprintf("%d of %d %s in common", g.Both, g.All, words)
}

// Paraphrased reports whether the lessons say the same in other words.
func (g Group) Paraphrased() bool { return g.Rule == pairs.ByParaphrase || g.Rule == pairs.ByFrame }

// SameLiterals reports whether all lessons of the group have the same numbers, paths, flags
// and names. Where one differs, they may not be duplicates.
func (g Group) SameLiterals() bool {
	return !slices.ContainsFunc(g.Lessons[1:], func(l lessons.Lesson) bool {
		return !pairs.SameLiterals(g.Lessons[0].Content, l.Content)
	})
}

// Surviving returns the group with the lesson that a merge would keep first.
func (g Group) Surviving() Group {
	if i := lessons.Survivor(g.Lessons); i > 0 {
		g.Lessons = append([]lessons.Lesson{g.Lessons[i]}, slices.Delete(slices.Clone(g.Lessons), i, i+1)...)
	}
	return g
}

// Mergeable reports whether the lessons can be merged into the first without a person
// comparing them.
func (g Group) Mergeable() bool {
	return !slices.ContainsFunc(g.Lessons[1:], func(l lessons.Lesson) bool { return !pairs.Mergeable(g.Lessons[0], l) })
}

// Several returns the projects that learned the same, if there is more than one and none of
// the lessons holds in every project yet.
func (g Group) Several() []string {
	if slices.ContainsFunc(g.Lessons, func(l lessons.Lesson) bool { return l.Scope.Global }) {
		return nil
	}
	if all := Projects(g.Lessons); len(all) > 1 {
		return all
	}
	return nil
}

// Duplicates finds the groups of duplicates among lessons, applying the rules in order; see
// [pairs.Corpus.Groups] for how groups are made. [pairs.ByParaphrase] includes
// [pairs.ByFrame], for lessons that hold under the same conditions, and uses the synonyms
// that the merges of this corpus show ([Corpus.Synonyms]). Categories do not matter: one
// extractor calls a correction a preference, another a way of working.
//
// Two lessons are no duplicates if they contradict each other or a person has said that
// both hold. A group that an earlier rule has found is not repeated, except by [Related],
// whose groups do not say the same. Groups are yielded as they are found, until ctx ends.
func (c *Library) Duplicates(ctx context.Context, ls []lessons.Outline, rules ...pairs.Rule) (iter.Seq[Group], error) {
	d := &duplicates{in: map[lessons.ID][]int{}, stances: pairs.NewMemory()}
	if slices.Contains(rules, pairs.ByParaphrase) {
		var err error
		if d.synonyms, err = c.Synonyms(ctx); err != nil {
			return nil, err
		}
	}
	return func(yield func(Group) bool) {
		for _, r := range rules {
			if r == Related {
				if !related(ls, d.stances, func(g Group) bool { return ctx.Err() == nil && yield(g) }) {
					return
				}
				continue
			}
			by := []pairs.Rule{r}
			if r == pairs.ByParaphrase {
				by = append(by, pairs.ByFrame)
			}
			for _, r := range by {
				d.before = d.groups
				each := func(g Group) bool { return ctx.Err() == nil && (d.repeats(g) || yield(g)) }
				if !d.find(r, ls, nil, mostPasses, each) {
					return
				}
			}
		}
	}, nil
}

// mostPasses limits how often a group is searched again for lessons that contradict its
// first and so need another. Each pass is linear in the group, and real groups need one.
const mostPasses = 16

// duplicates is a search for groups.
type duplicates struct {
	synonyms pairs.Synonyms
	stances  *pairs.Memory
	in       map[lessons.ID][]int // the indexes of a lesson's groups, ascending
	groups   int
	before   int // how many groups earlier rules found
}

// find yields the groups of ls, restricted to those with a lesson of some unless it is
// nil. It reports whether yield wants more.
func (d *duplicates) find(r pairs.Rule, ls []lessons.Outline, some map[lessons.ID]bool, passes int, yield func(Group) bool) bool {
	byID := make(map[lessons.ID]int32, len(ls))
	for i := range ls {
		byID[ls[i].ID] = int32(i)
	}
	wanted := func(l lessons.Lesson) bool { return some == nil || some[l.ID] }
	texts := func(yield func(lessons.Lesson) bool) {
		for l := range lessons.FromOutlines(ls) {
			l.Category = "" // a corpus compares those of one category
			if !yield(l) {
				return
			}
		}
	}
	for g := range pairs.NewCorpus(r, d.synonyms, texts).Groups() {
		all := make([]lessons.Lesson, len(g.IDs))
		for i, id := range g.IDs {
			all[i] = ls[byID[id]].Lesson()
		}
		kept := d.stances.Compatible(r, all)
		if len(kept) > 1 && slices.ContainsFunc(kept, wanted) && !yield(Group{kept, r, g.Both, g.All}) {
			return false
		}
		if len(kept) == len(all) || passes == 0 {
			continue
		}
		// A lesson that was left out may be a duplicate of another than the first.
		left, others := map[lessons.ID]bool{}, make([]lessons.Outline, len(all)-1)
		for i, l := range all {
			if left[l.ID] = wanted(l); i > 0 {
				others[i-1] = ls[byID[l.ID]]
			}
		}
		for _, l := range kept {
			delete(left, l.ID)
		}
		if !d.find(r, others, left, passes-1, yield) {
			return false
		}
	}
	return true
}

// repeats reports whether an earlier rule has put all lessons of g into one group. If not,
// it records g.
func (d *duplicates) repeats(g Group) bool {
	common := slices.Clone(d.in[g.Lessons[0].ID])
	for _, l := range g.Lessons[1:] {
		common = slices.DeleteFunc(common, func(n int) bool { return !slices.Contains(d.in[l.ID], n) })
	}
	if len(common) > 0 && common[0] < d.before {
		return true
	}
	for _, l := range g.Lessons {
		d.in[l.ID] = append(d.in[l.ID], d.groups)
	}
	d.groups++
	return false
}
