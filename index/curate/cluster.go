package curate

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"learnings/index"
	"learnings/lessons"
	"learnings/lessons/pairs"
)

// A Cluster is a group of lessons that say the same and can become one lesson by one
// decision. At least one is a proposal. Lessons that must be looked at one by one are in no
// cluster.
type Cluster struct {
	Group
	Lead int      // the lesson whose words are proposed: see [pairs.Wording]
	Weak []string // for each lesson, why only a person should add it; "" for most
}

// Limits on what is compared for clusters: the newest proposals, and the active lessons
// that the index finds near the newest of those. Nobody judges more in one sitting, and
// comparing all of a large corpus takes seconds.
const (
	mostClustered = 2000
	mostHeld      = 300
	nearOne       = 4
	askedAtOnce   = 50 // this many at a time, so that a writer of the index waits only milliseconds
)

// Clusters returns at most the given number of groups of duplicates with a proposal, and
// the proposals that change an approved lesson ([Replaces]). A lesson is in one cluster
// only. Clusters reads the index without syncing it; when ctx ends, it returns what it has
// found.
func Clusters(ctx context.Context, c *Library, most int) (out []Cluster, changes map[lessons.ID]bool, err error) {
	waiting, err := c.Index.Outlines(ctx, Waiting(index.Query{Now: c.Now()}))
	if err != nil {
		return nil, nil, fmt.Errorf("reading the proposals to compare: %w", err)
	}
	waiting = waiting[max(len(waiting)-mostClustered, 0):]
	known := map[lessons.ID]bool{}
	all := slices.Clone(waiting)
	for some := range slices.Chunk(waiting[max(len(waiting)-mostHeld, 0):], askedAtOnce) {
		near, err := c.Index.Around(ctx, some, nearOne)
		if err != nil && ctx.Err() == nil {
			return nil, nil, fmt.Errorf("looking for what is near %s: %w", some[0].ID, err)
		}
		for _, o := range near {
			if o.Status == lessons.Approved && !known[o.ID] {
				known[o.ID] = true
				all = append(all, o)
			}
		}
	}
	contrary, err := opposed(ctx, c.Index, all, 0)
	if err != nil && ctx.Err() == nil {
		return nil, nil, fmt.Errorf("reading what contradicts: %w", err)
	}
	changes = map[lessons.ID]bool{}
	for _, p := range contrary {
		if Replaces(p.Keep, pairs.Contrary{Lesson: p.Lose, Judgement: p.Judgement}) {
			changes[p.Keep.ID] = true
		}
	}
	taken := map[lessons.ID]bool{}
	found, err := someGroups(ctx, c, all, most, func(g Group) Group {
		g.Lessons = slices.DeleteFunc(g.Lessons, func(l lessons.Lesson) bool { return taken[l.ID] })
		if len(g.Lessons) > 1 {
			for _, l := range g.Lessons {
				taken[l.ID] = true
			}
		}
		return g
	})
	if err != nil {
		return nil, nil, err
	}
	for _, g := range found {
		if x, ok := NewCluster(g); ok {
			out = append(out, x)
		}
	}
	return out, changes, nil
}

// NewCluster makes a cluster of lessons that say the same. It returns false if fewer than
// two may be judged together, or none is a proposal.
func NewCluster(g Group) (Cluster, bool) {
	g.Lessons = slices.DeleteFunc(slices.Clone(g.Lessons), func(l lessons.Lesson) bool { return !Counts(l) || Alone(l) != "" })
	if len(g.Lessons) < 2 || !slices.ContainsFunc(g.Lessons, func(l lessons.Lesson) bool { return l.Status == lessons.Pending }) {
		return Cluster{}, false
	}
	x := Cluster{Group: g.Surviving(), Weak: make([]string, len(g.Lessons))}
	best := pairs.Wording(x.Lessons).ID
	x.Lead = slices.IndexFunc(x.Lessons, func(l lessons.Lesson) bool { return l.ID == best })
	lead := x.Lessons[x.Lead]
	for i, l := range x.Lessons {
		if !pairs.SameLiterals(lead.Content, l.Content) {
			x.Weak[i] = "a number, path, flag or name differs"
		}
	}
	return x, true
}

// Key names a cluster by its lessons.
func (x Cluster) Key() string {
	var b strings.Builder
	for _, l := range x.Lessons {
		b.WriteString(string(l.ID) + " ")
	}
	return b.String()
}

// Union is the merge of some lessons of a cluster into one active lesson, in the words of
// its lead, when that says what all of them do, and of the first of their [Categories]. It
// holds where the one that lives on does.
func (x Cluster) Union(some []lessons.Lesson) Merge {
	m := MergeOf(some)
	m.Approve = true
	lead := x.Lessons[x.Lead]
	if slices.ContainsFunc(some, func(l lessons.Lesson) bool { return l.ID == lead.ID }) && !slices.ContainsFunc(some, func(l lessons.Lesson) bool { return !keeps(lead.Content, l.Content) }) {
		m.Into.Wording = lead.Wording
	}
	if all := Categories(some); len(all) > 0 {
		m.Into.Category = all[0]
	}
	return m
}

// Categories are those of some lessons, the one that is proposed for all of them first:
// that of an approved one, on which a person has decided, then that of most.
func Categories(some []lessons.Lesson) []lessons.Category {
	times := map[lessons.Category]int{}
	var all []lessons.Category
	for _, l := range some {
		if times[l.Category] == 0 {
			all = append(all, l.Category)
		}
		if times[l.Category]++; l.Status == lessons.Approved {
			times[l.Category] += len(some)
		}
	}
	slices.SortStableFunc(all, func(a, b lessons.Category) int { return times[b] - times[a] })
	return all
}
