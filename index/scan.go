package index

import (
	"cmp"
	"context"
	"iter"
	"math"
	"slices"
	"strings"
	"time"

	"learnings/lessons"
)

// A Scan answers queries by reading all lessons, for when there is no index to
// ask. Its conditions are those of an [Index]; its ranking is plainer.
type Scan struct {
	lessons iter.Seq2[lessons.Lesson, error]
}

// Over makes a Scan of a sequence that can be gone through more than once. What
// comes with an error in the sequence is left out: a broken file must not keep
// the others from being found.
func Over(ls iter.Seq2[lessons.Lesson, error]) *Scan { return &Scan{lessons: ls} }

// Search finds the lessons of a query. The only error is that of ctx.
func (s *Scan) Search(ctx context.Context, q Query) (Page, error) {
	start := time.Now()
	if q.Now.IsZero() {
		q.Now = start
	}
	g := newGauge(q)
	seen := map[string]uint64{}
	var all uint64
	var found []Hit
	var text []word
	for l, err := range s.lessons {
		if ctx.Err() != nil {
			return Page{}, ctx.Err()
		}
		if err != nil {
			continue
		}
		all++
		text = wordsOf(text[:0], l)
		g.count(text, seen)
		if q.holds(l, text) {
			found = append(found, Hit{Lesson: shorten(l)})
		}
	}
	g.weights = map[string]float64{}
	for _, w := range g.words {
		g.set(w, all, seen[w])
	}
	for _, p := range g.prefixes {
		g.set(p.start+"*", all, all/100)
	}
	for i, h := range found {
		found[i].Match, found[i].Cover = g.measure(h.Lesson)
		best := strings.Join(append([]string{h.Lesson.Content}, h.Lesson.Triggers...), "\n")
		found[i].Score = found[i].Match + g.share(best)
	}
	slices.SortFunc(found, q.compare)
	page := Page{Total: len(found)}
	from := min(q.from(), len(found))
	page.Hits = found[from:min(from+q.size(), len(found))]
	page.atLeast(q.Least)
	page.Took = time.Since(start)
	return page, nil
}

// Pages answers several queries, in their order.
func (s *Scan) Pages(ctx context.Context, queries ...Query) ([]Page, error) {
	pages := make([]Page, len(queries))
	for i, q := range queries {
		var err error
		if pages[i], err = s.Search(ctx, q); err != nil {
			return nil, err
		}
	}
	return pages, nil
}

// Shared finds nothing: without an index nobody can say how usual a word is.
func (s *Scan) Shared(context.Context, Query, []string, int, Judge) (Sharing, error) {
	return Sharing{}, nil
}

// count adds the words of a text that the gauge is about.
func (g *gauge) count(text []word, seen map[string]uint64) {
	for _, w := range g.words {
		if slices.ContainsFunc(text, func(x word) bool { return x.term == w }) {
			seen[w]++
		}
	}
}

// compare is the order of two hits.
func (q Query) compare(a, b Hit) int {
	newest := func(x, y time.Time) int { return y.Compare(x) }
	var c int
	switch q.Order() {
	case Relevance:
		c = cmp.Compare(b.Score, a.Score)
	case Confirmed:
		return cmp.Or(newest(a.Lesson.Confirmed(), b.Lesson.Confirmed()), cmp.Compare(a.Lesson.ID, b.Lesson.ID))
	case Score:
		c = cmp.Compare(b.Lesson.Confidence, a.Lesson.Confidence)
	case Queue:
		return lessons.InQueue(a.Lesson, b.Lesson)
	case Used:
		c = cmp.Compare(b.Lesson.Use.Used, a.Lesson.Use.Used)
	}
	return cmp.Or(c, newest(a.Lesson.Created, b.Lesson.Created), cmp.Compare(a.Lesson.ID, b.Lesson.ID))
}

// holds reports whether a lesson, with its text, meets a query.
func (q Query) holds(l lessons.Lesson, text []word) bool {
	all := q.AllWords || q.Order() != Relevance
	some, asked := false, false
	for from, to := range q.alternatives {
		any, every, empty := false, false, true
		for i := from; i < to; i++ {
			a, e, none := q.Terms[i].in(text, q.begun(i))
			any, every, empty = any || a, every || e && !none, empty && none
		}
		not := q.Terms[from].Not
		switch {
		case empty:
		case not && every, (q.required(from, to) || all) && !not && !every:
			return false
		case !not:
			asked = true
			some = some || any
		}
	}
	if asked && !some {
		return false
	}
	chosen := map[Field]bool{}
	for _, f := range q.Filters {
		ok, single := f.holds(l, q.Now)
		switch {
		case f.Not && ok, !f.Not && !single && !ok:
			return false
		case !f.Not && single:
			chosen[f.Field] = chosen[f.Field] || ok
		}
	}
	for _, ok := range chosen {
		if !ok {
			return false
		}
	}
	return true
}

// in reports whether a text has any or every word of a term; empty says that the
// term has none that are looked for.
func (t Term) in(text []word, prefix bool) (any, every, empty bool) {
	begin, last := t.Text, begun{}
	if prefix {
		begin, last = cutLast(begin)
	}
	ws := Words(begin)
	every = true
	for _, w := range ws {
		has := slices.ContainsFunc(text, func(x word) bool { return x.term == w })
		any, every = any || has, every && has
	}
	if last.start != "" {
		has := slices.ContainsFunc(text, func(x word) bool { return last.may(x.term) })
		any, every = any || has, every && has
	}
	if t.Phrase {
		every = phraseOf(t.Text).in(text)
	}
	return any, every, len(ws) == 0 && last.start == ""
}

// holds reports whether a lesson meets one filter; single is as for condition.
func (f Filter) holds(l lessons.Lesson, now time.Time) (ok, single bool) {
	v := strings.ToLower(f.Value)
	is := func(s string) bool { return strings.ToLower(s) == v }
	based := func(s string) bool {
		base, _, _ := strings.Cut(s, ":")
		return is(s) || is(base)
	}
	switch f.Field {
	case Kind:
		if shelf := lessons.Category(v).Shelf(); shelf != lessons.Other || is(string(lessons.Other)) {
			return l.Category.Shelf() == shelf, true
		}
		return is(string(l.Category)), true
	case Category:
		return is(string(l.Category)), true
	case Project:
		return is(l.Scope.Project), true
	case For:
		return l.Scope.Global || is(l.Scope.Project), true
	case Role:
		return based(l.Scope.Role), true
	case RoleAlone:
		return is(l.Scope.Role), true
	case Tag:
		return slices.ContainsFunc(l.Tags, is), true
	case Status:
		return is(string(l.Status)), true
	case Lane:
		return is(string(l.Waits())) || is(string(lessons.LaneOf(l))), true
	case By:
		return based(l.Origin.Extractor), true
	case Who:
		return slices.ContainsFunc(l.Evidence, func(e lessons.Evidence) bool { return is(string(e.By)) }), true
	case ID:
		return strings.HasPrefix(string(l.ID), v), true
	case Global:
		return l.Scope.Global == (v == "yes"), true
	case Pinned:
		return l.Pinned == (v == "yes"), true
	case Placed:
		return len(l.Limit.Paths) > 0 == (v == "yes"), true
	case Outside:
		return l.Outside == (v == "yes"), true
	case Record:
		return slices.ContainsFunc(lessons.Records(l), is), true
	case Refused:
		refusal, _ := l.Decided.Refusal()
		return l.Status == lessons.Rejected && is(string(refusal)), true
	case Judged:
		return judged(l) == (v == "yes"), true
	case Due:
		at, ok := l.Due()
		return (ok && hoursOf(at) <= hoursOf(now)) == (v == "yes"), true
	}
	return f.Range.has(f.number(l, now)), false
}

// number is what a range is about.
func (f Filter) number(l lessons.Lesson, now time.Time) float64 {
	switch f.Field {
	case Confidence:
		return float64(l.Confidence)
	case Age:
		return now.Sub(l.Created).Hours()
	case Decided:
		if l.Status == lessons.Pending {
			return math.NaN()
		}
		return Day(l.Confirmed().In(now.Location()))
	case UsedTimes:
		return float64(l.Use.Used)
	case Helped:
		return float64(l.Use.Helped)
	case Harmed:
		return float64(l.Use.Harmed)
	}
	return math.NaN()
}

func (r Range) has(f float64) bool {
	return (f > r.Min || f == r.Min && !r.OpenMin) && (f < r.Max || f == r.Max && !r.OpenMax)
}
