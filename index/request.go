package index

import (
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/search/query"

	"learnings/lessons"
)

// This file translates the conditions of our queries into bleve's. Bleve does not score:
// see [among].

// A parsed query is what bleve is asked, and the words that rank what it finds.
type parsed struct {
	conditions, not []query.Query
	words           []string
	begun           []begun // words that are still being typed, to rank by
	typed           []begun // and as conditions
	one             bool    // a lesson needs one of the words
}

func (q Query) parsed() (p parsed) {
	all := q.AllWords || q.Order() != Relevance
	for from, to := range q.alternatives {
		var any []query.Query
		required := all || q.required(from, to)
		alone := required && to == from+1 && !q.Terms[from].Not
		for i := from; i < to; i++ {
			c, last := q.Terms[i].condition(q.begun(i))
			if last.start != "" && alone {
				p.typed = append(p.typed, last)
			} else if last.start != "" {
				c = append(c, last.query())
			}
			if len(c) > 0 {
				any = append(any, bleve.NewConjunctionQuery(c...))
			}
		}
		switch {
		case q.Terms[from].Not:
			p.not = append(p.not, any...)
			continue
		case len(any) > 0 && required:
			p.conditions = append(p.conditions, anyOf(any...))
		}
		for i := from; i < to; i++ {
			text, last := q.Terms[i].Text, begun{}
			if q.begun(i) {
				text, last = cutLast(text)
			}
			p.words = append(p.words, Words(text)...)
			if all {
				p.words = append(p.words, last.stems...)
			} else if last.start != "" {
				p.begun = append(p.begun, last)
			}
		}
	}
	if q.words != nil {
		p.words, p.begun = q.words, nil
	}
	p.one = !all && (q.words != nil || len(p.words)+len(p.begun) > 0)
	wanted, unwanted := q.filters()
	p.conditions, p.not = append(p.conditions, wanted...), append(p.not, unwanted...)
	return p
}

// query finds the lessons that meet the conditions.
func (p parsed) query() query.Query {
	b := bleve.NewBooleanQuery()
	if b.AddMust(p.conditions...); len(p.conditions) == 0 {
		b.AddMust(bleve.NewMatchAllQuery())
	}
	b.AddMustNot(p.not...)
	return b
}

// query matches all words that the one being typed can become.
func (b begun) query() query.Query {
	return anyOf(append(terms(textField, b.stems...), beginning(b.start, textField))...)
}

// anyOf matches what any of the queries does.
func anyOf(queries ...query.Query) query.Query {
	if len(queries) == 1 {
		return queries[0]
	}
	return bleve.NewDisjunctionQuery(queries...)
}

func beginning(s, field string) query.Query {
	p := bleve.NewPrefixQuery(s)
	p.SetField(field)
	return p
}

func term(w, field string) query.Query {
	t := bleve.NewTermQuery(w)
	t.SetField(field)
	return t
}

// terms returns a query for each word in a field.
func terms(field string, words ...string) []query.Query {
	out := make([]query.Query, len(words))
	for i, w := range words {
		out[i] = term(w, field)
	}
	return out
}

// condition requires all words of the term in the text but the one being typed.
func (t Term) condition(prefix bool) (words []query.Query, last begun) {
	text := t.Text
	if prefix {
		text, last = cutLast(text)
	}
	if t.Phrase {
		if p := phrase(text); p != nil {
			words = append(words, p)
		}
		return words, last
	}
	return terms(textField, Words(text)...), last
}

// phrase matches the words of a text in sequence; nil if the text has no words. An
// identifier and its first part share a position and either matches there. At the position
// of a stop word any word matches.
func phrase(text string) query.Query {
	var places [][]string
	words := split(text, root)
	for _, w := range words {
		at := w.pos - words[0].pos
		for len(places) <= at {
			places = append(places, nil)
		}
		places[at] = append(places[at], w.term)
	}
	switch len(places) {
	case 0:
		return nil
	case 1:
		return anyOf(terms(textField, places[0]...)...)
	}
	return query.NewMultiPhraseQuery(places, textField)
}

// filters returns the conditions of a query's filters, and those that must not hold.
func (q Query) filters() (wanted, unwanted []query.Query) {
	anyIn := map[Field][]query.Query{}
	for _, f := range q.Filters {
		switch c, single := f.condition(q); {
		case f.Not:
			unwanted = append(unwanted, c)
		case single:
			anyIn[f.Field] = append(anyIn[f.Field], c)
		default:
			wanted = append(wanted, c)
		}
	}
	for _, f := range slices.Sorted(maps.Keys(anyIn)) {
		wanted = append(wanted, anyOf(anyIn[f]...))
	}
	return wanted, unwanted
}

// condition returns the filter for bleve; single means that it is about one value and a
// lesson may have others.
func (f Filter) condition(q Query) (c query.Query, single bool) {
	v := strings.ToLower(f.Value)
	switch f.Field {
	case Kind:
		shelf := lessons.Category(v).Shelf()
		if shelf == lessons.Other && v != string(lessons.Other) {
			return term(v, string(Category)), true
		}
		return term(string(shelf), string(Kind)), true
	case For:
		return anyOf(term(v, string(Project)), term("yes", string(Global))), true
	case ID, Session:
		return beginning(v, string(f.Field)), true
	case Due:
		return yes(v, within(string(Due), whole, Range{Min: math.Inf(-1), Max: hoursOf(q.Now)})), true
	case Snoozed:
		return yes(v, within(string(Snoozed), whole, Range{Min: float64(q.Now.Unix()), Max: math.Inf(1), OpenMin: true})), true
	case Age:
		return within(hourField, whole, f.Range.before(hoursOf(q.Now))), false
	case Decided:
		return but(within(string(Decided), whole, f.Range.moments(q.Now.Location())), term(string(lessons.Pending), string(Status))), false
	case Confidence:
		return within(string(Confidence), share, f.Range), false
	case UsedTimes, Helped, Harmed:
		return within(string(f.Field), whole, f.Range), false
	case Status:
		if q.Also != "" {
			return anyOf(term(v, string(Status)), term(string(q.Also), string(ID))), true
		}
	}
	return term(v, string(f.Field)), true
}

// yes matches c for "yes", and all else for "no".
func yes(v string, c query.Query) query.Query {
	if v == "yes" {
		return c
	}
	return but(bleve.NewMatchAllQuery(), c)
}

// but matches c without not.
func but(c, not query.Query) query.Query {
	b := bleve.NewBooleanQuery()
	b.AddMust(c)
	b.AddMustNot(not)
	return b
}

// before converts a range of ages to one of times.
func (r Range) before(now float64) Range {
	return Range{Min: now - r.Max, Max: now - r.Min, OpenMin: r.OpenMax, OpenMax: r.OpenMin}
}

// moments converts a range of days to one of seconds, in a location.
func (r Range) moments(in *time.Location) Range {
	out := Range{Min: r.Min, Max: r.Max, OpenMax: true}
	if !math.IsInf(r.Min, 0) {
		from := r.Min
		if r.OpenMin {
			from++
		}
		out.Min = float64(midnight(from, in).Unix())
	}
	if !math.IsInf(r.Max, 0) {
		to := r.Max
		if !r.OpenMax {
			to++
		}
		out.Max = float64(midnight(to, in).Unix())
	}
	return out
}

// within requires the term of a number to be in a range.
func within(field string, term func(float64) string, r Range) query.Query {
	var from, to string
	lo, hi := !r.OpenMin, !r.OpenMax
	if !math.IsInf(r.Min, -1) {
		from = term(r.Min)
	}
	if !math.IsInf(r.Max, 1) {
		to = term(r.Max)
	}
	if from == "" && to == "" {
		return bleve.NewMatchAllQuery()
	}
	q := bleve.NewTermRangeInclusiveQuery(from, to, &lo, &hi)
	q.SetField(field)
	return q
}
