package curate

import (
	"cmp"
	"context"
	"iter"
	"slices"

	"learnings/index"
	"learnings/lessons"
	"learnings/lessons/stance"
)

// This file finds the contradictions of a corpus part by part: what is known of all
// lessons at once to compare them would take 2 KB for each.

// mostAtOnce is how many lessons are compared at once, unless one project has more.
const mostAtOnce = 1 << 12

// An opposed is a contradiction, before its lessons are read whole.
type opposed struct {
	a, b version // as the index lists them
	stance.Contradiction
}

// A version is a lesson as it was compared.
type version struct {
	id      lessons.ID
	rev     lessons.Rev
	created int64 // Unix seconds
}

func versionOf(l *lessons.Outline) version { return version{l.ID, l.Rev, l.Created.Unix()} }

// newer is the order in which the index lists lessons.
func (v version) newer(o version) int {
	return cmp.Or(cmp.Compare(o.created, v.created), cmp.Compare(v.id, o.id))
}

func (o opposed) newer(p opposed) int { return cmp.Or(o.a.newer(p.a), o.b.newer(p.b)) }

// opposedOf finds the contradictions among the lessons of a query, the newest first and
// each once: at most so many, or all for 0. Those come with an error that were found by then.
func opposedOf(ctx context.Context, x *index.Index, q index.Query, most, atOnce int) (all []opposed, err error) {
	keep := func() {
		slices.SortFunc(all, opposed.newer)
		all = slices.CompactFunc(all, func(a, b opposed) bool { return a.a == b.a && a.b == b.b })
		if most > 0 {
			all = all[:min(len(all), most)]
		}
	}
	for part, err := range meeting(ctx, x, q, atOnce) {
		if err != nil {
			return all, err
		}
		newestFirst(part)
		for _, o := range stance.Oppositions(ctx, part) {
			all = append(all, opposed{versionOf(&part[o.First]), versionOf(&part[o.Second]), o.Contradiction})
		}
		keep()
	}
	return all, nil
}

// meeting gives the lessons of a query in parts, so that any two which may contradict
// each other are together in one: those of one project, and of all with those for every
// project. It ends with ctx.
func meeting(ctx context.Context, x *index.Index, q index.Query, atOnce int) iter.Seq2[[]lessons.Outline, error] {
	return func(yield func([]lessons.Outline, error) bool) {
		own := q.Where(index.Global, "no")
		n, values, err := x.Facets(ctx, own, index.Project)
		if err == nil && n <= atOnce {
			yield(x.Outlines(ctx, q))
			return
		}
		var common []lessons.Outline
		if err == nil {
			common, err = x.Outlines(ctx, q.Where(index.Global, "yes"))
		}
		if err != nil {
			yield(nil, err)
			return
		}
		for _, part := range partsOf(own, index.Project, n, values[0].Values, max(atOnce, len(common))) {
			ls, err := x.Outlines(ctx, part)
			if ctx.Err() != nil || !yield(append(ls, common...), err) || err != nil {
				return
			}
		}
	}
}

// partsOf divides a query, which finds n lessons, by the values of a field. A part is of
// that many lessons or more, and has at least one value.
func partsOf(q index.Query, f index.Field, n int, values []index.Count, most int) (parts []index.Query) {
	rest, part, size := q, q, 0
	for i, v := range values {
		rest, part = rest.Not(f, v.Name), part.Where(f, v.Name)
		n, size = n-v.N, size+v.N
		if size >= most || i == len(values)-1 {
			parts = append(parts, part)
			part, size = q, 0
		}
	}
	if n > 0 { // with values that are too many to be counted, or without
		parts = append(parts, rest)
	}
	return parts
}

// paired reads the lessons of contradictions. One of which another process has just
// changed a lesson is left out.
func paired(ctx context.Context, x *index.Index, found []opposed) ([]stance.Pair, error) {
	var some []lessons.ID
	for _, o := range found {
		some = append(some, o.a.id, o.b.id)
	}
	slices.Sort(some)
	whole, err := x.Named(ctx, slices.Compact(some))
	if err != nil {
		return nil, err
	}
	out := make([]stance.Pair, 0, len(found))
	for _, o := range found {
		a, b := whole[o.a.id], whole[o.b.id]
		if a.Rev != o.a.rev || b.Rev != o.b.rev {
			continue
		}
		if o.Ground == stance.Value { // what was told together is none, which outlines do not say
			if _, ok := stance.Between(a, b); !ok {
				continue
			}
		}
		out = append(out, stance.Opposition{Contradiction: o.Contradiction}.Pair(a, b))
	}
	return out, nil
}
