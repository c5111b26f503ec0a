package curate

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"learnings/index"
	"learnings/lessons"
	"learnings/lessons/pairs"
)

// Comparable reads, from the index and oldest first, what can be a duplicate of
// something: the lessons that count, those of a project with those for every
// project, or all for "".
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

// A Group is lessons that say the same: all are duplicates of the first one by
// the rule. A lesson can stand in several groups.
type Group struct {
	Lessons   []lessons.Lesson
	Rule      pairs.Rule
	Both, All int // words that the first and the one least like it share, of those that either has
}

// Share is how alike the lessons are, from 0 to 1.
func (g Group) Share() float64 { return float64(g.Both) / float64(max(g.All, 1)) }

// Alike says how alike the lessons are, in words.
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

// Paraphrased reports that its lessons say the same in other words.
func (g Group) Paraphrased() bool { return g.Rule == pairs.ByParaphrase }

// Diff returns a sentence as it became another, with what is gone and what is added as
// the functions give it.
func Diff(before, after string, gone, added func(string) string) string {
	var b strings.Builder
	for _, s := range pairs.WordDiff(before, after) {
		switch s.Op {
		case pairs.Delete:
			b.WriteString(gone(s.Text))
		case pairs.Insert:
			b.WriteString(added(s.Text))
		default:
			b.WriteString(s.Text)
		}
	}
	return b.String()
}

// SameLiterals reports that all lessons of a group have the same numbers, paths,
// flags and names as its first. Where one differs, they may not be duplicates.
func (g Group) SameLiterals() bool {
	return !slices.ContainsFunc(g.Lessons[1:], func(l lessons.Lesson) bool {
		return !pairs.SameLiterals(g.Lessons[0].Content, l.Content)
	})
}

// Surviving is the group with the lesson first that a merge would keep.
func (g Group) Surviving() Group {
	if i := lessons.Survivor(g.Lessons); i > 0 {
		g.Lessons = append([]lessons.Lesson{g.Lessons[i]}, slices.Delete(slices.Clone(g.Lessons), i, i+1)...)
	}
	return g
}

// Mergeable reports that nobody need compare the lessons before they are merged into
// the first.
func (g Group) Mergeable() bool {
	return !slices.ContainsFunc(g.Lessons[1:], func(l lessons.Lesson) bool { return !pairs.Mergeable(g.Lessons[0], l) })
}

// Several returns the projects that have learned the same, if they are more than one
// and none of the lessons holds in every project yet.
func (g Group) Several() []string {
	if slices.ContainsFunc(g.Lessons, func(l lessons.Lesson) bool { return l.Scope.Global }) {
		return nil
	}
	if all := Projects(g.Lessons); len(all) > 1 {
		return all
	}
	return nil
}

// Duplicates finds the groups of duplicates among lessons, by one rule after the
// other; see [pairs.Corpus.Groups] for how groups are made. By [pairs.ByParaphrase]
// the synonyms count that the merges of this corpus show ([Corpus.Synonyms]). Those of
// [Related] say no such thing, and are repeated whatever the others found.
//
// Two lessons of which a person has said that both hold, or that contradict each
// other, are no duplicates. What one rule has put together, the next ones do not
// repeat. The groups come as they are found, and end with ctx.
func (c *Library) Duplicates(ctx context.Context, ls []lessons.Outline, rules ...pairs.Rule) (iter.Seq[Group], error) {
	d := &duplicates{in: map[lessons.ID][]int{}, stances: pairs.Memory{}}
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
			d.before = d.groups
			each := func(g Group) bool { return ctx.Err() == nil && (d.repeats(g) || yield(g)) }
			if !d.find(r, ls, nil, mostPasses, each) {
				return
			}
		}
	}, nil
}

// mostPasses is how often a group is looked through again for what contradicts
// its first and so needs another: each time costs as much as the group has
// lessons, and real groups need one.
const mostPasses = 16

// duplicates are groups that are being found.
type duplicates struct {
	synonyms pairs.Synonyms
	stances  pairs.Memory
	in       map[lessons.ID][]int // the groups of a lesson, ascending
	groups   int
	before   int // how many groups earlier rules have found
}

// find yields the groups of lessons, only those with one of some if there are
// any. It reports whether yield wants more.
func (d *duplicates) find(r pairs.Rule, ls []lessons.Outline, some map[lessons.ID]bool, passes int, yield func(Group) bool) bool {
	byID := make(map[lessons.ID]int32, len(ls))
	for i := range ls {
		byID[ls[i].ID] = int32(i)
	}
	wanted := func(l lessons.Lesson) bool { return some == nil || some[l.ID] }
	for g := range pairs.NewCorpus(r, d.synonyms, lessons.FromOutlines(ls)).Groups() {
		all := make([]lessons.Lesson, len(g.IDs))
		for i, id := range g.IDs {
			all[i] = ls[byID[id]].Lesson()
		}
		kept := d.stances.Compatible(all)
		if len(kept) > 1 && slices.ContainsFunc(kept, wanted) && !yield(Group{kept, r, g.Both, g.All}) {
			return false
		}
		if len(kept) == len(all) || passes == 0 {
			continue
		}
		// What was left out may be a duplicate of others than the first.
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

// repeats reports whether an earlier rule has put all lessons of a group into
// one, and notes the group if not.
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
