package index

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"learnings/lessons"
)

// Scan reads every lesson and gives those that a query finds, in its order unless that is by
// relevance: the plain meaning of the query language, which the index is held to.
func Scan(all []lessons.Lesson, q Query) (found []lessons.Lesson) {
	for _, l := range all {
		var text []word
		for t := range textsOf(l) {
			text = joined(text, t)
		}
		if q.holds(l, text) {
			found = append(found, l)
		}
	}
	slices.SortFunc(found, q.compare)
	return found
}

// hasPhrase reports whether some words stand in a text where they stand in a phrase, one at
// least at each place.
func hasPhrase(text, phrase []word) bool {
	at := map[int][]string{}
	for _, w := range text {
		at[w.pos] = append(at[w.pos], w.term)
	}
	places := map[int][]string{}
	for _, w := range phrase {
		places[w.pos-phrase[0].pos] = append(places[w.pos-phrase[0].pos], w.term)
	}
	for from := range at {
		fits := true
		for place, any := range places {
			fits = fits && slices.ContainsFunc(any, func(w string) bool { return slices.Contains(at[from+place], w) })
		}
		if fits {
			return true
		}
	}
	return len(phrase) == 0
}

// compare is the order of two lessons, but not by relevance.
func (q Query) compare(a, b lessons.Lesson) int {
	newest := func(x, y time.Time) int { return y.Compare(x) }
	var c int
	switch q.Order() {
	case Confirmed:
		return cmp.Or(newest(a.Confirmed(), b.Confirmed()), cmp.Compare(a.ID, b.ID))
	case Score:
		c = cmp.Compare(b.Confidence, a.Confidence)
	case Queue:
		return lessons.InQueue(a, b)
	case Used:
		c = cmp.Compare(b.Use.Used, a.Use.Used)
	}
	return cmp.Or(c, newest(a.Created, b.Created), cmp.Compare(a.ID, b.ID))
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
		every = hasPhrase(text, split(t.Text, root))
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
		return l.Origin.Score > 0 && l.Status != lessons.Pending && l.Decided.By != "" == (v == "yes"), true
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

func joined(words []word, text string) []word {
	at := 0
	for _, w := range words {
		at = max(at, w.pos+between)
	}
	for _, w := range split(text, root) {
		w.pos += at
		words = append(words, w)
	}
	return words
}
