package index

import (
	"context"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/mapping"
	"github.com/blevesearch/bleve/v2/search"
	"github.com/blevesearch/bleve/v2/search/query"
	bleveindex "github.com/blevesearch/bleve_index_api"

	"learnings/lessons"
)

// This file turns our queries into bleve's. Conditions go where bleve does not
// score.

// request is the query for bleve.
func (q Query) request() query.Query {
	var score, conditions, not []query.Query
	all := q.AllWords || q.Order() != Relevance
	for from, to := range q.alternatives {
		var any []query.Query
		for i := from; i < to; i++ {
			if c := q.Terms[i].condition(q.begun(i)); c != nil {
				any = append(any, c)
			}
		}
		switch t := q.Terms[from]; {
		case t.Not:
			not = append(not, any...)
			continue
		case len(any) == 1 && (all || q.required(from, to)):
			conditions = append(conditions, any[0])
		case len(any) > 1 && (all || q.required(from, to)):
			conditions = append(conditions, bleve.NewDisjunctionQuery(any...))
		}
		for i := from; i < to; i++ {
			score = append(score, scored(q.Terms[i].Text, q.begun(i), !q.AllWords || !all && !q.required(from, to))...)
		}
	}
	if q.words != nil {
		score = nil
		for _, w := range q.words {
			score = append(score, term(w, textField))
		}
	}
	wanted, narrow, unwanted := q.filters(len(score) > 0)
	conditions = append(conditions, wanted...)
	not = append(not, unwanted...)

	b := bleve.NewBooleanQuery()
	switch {
	case len(score) > 0 && q.AllWords && len(conditions) > 0:
		// What has all words is found first, which costs least unscored; its words, those
		// of which only the beginning is typed aside, say how near it is.
		b.AddMust(unscored{bleve.NewConjunctionQuery(append(conditions, narrow...)...)})
		b.AddShould(score...)
	case len(score) > 0:
		b.AddMust(append(narrow, bleve.NewDisjunctionQuery(score...))...)
		if len(conditions) > 0 {
			b.AddFilter(bleve.NewConjunctionQuery(conditions...))
		}
	case len(conditions) > 0:
		// Nobody asks for a score: the rarest condition leads, not all lessons.
		b.AddMust(unscored{bleve.NewConjunctionQuery(conditions...)})
	default:
		b.AddMust(bleve.NewMatchAllQuery())
	}
	if len(not) > 0 {
		b.AddMustNot(not...)
	}
	return b
}

// An unscored query finds the same and gives no score. bleve then joins whole sets of
// lessons instead of looking at each of them.
type unscored struct{ query.Query }

func (q unscored) Searcher(ctx context.Context, r bleveindex.IndexReader, m mapping.IndexMapping, o search.SearcherOptions) (search.Searcher, error) {
	o.Score, o.IncludeTermVectors, o.Explain = "none", false, false
	return q.Query.Searcher(ctx, r, m, o)
}

// scored are the words of a text. Of one that is being typed they are all that it can
// become, or, unless open is set, what it is if it is whole.
func scored(text string, prefix, open bool) []query.Query {
	var out []query.Query
	var last begun
	if prefix {
		text, last = cutLast(text)
	}
	for _, w := range Words(text) {
		out = append(out, term(w, textField))
	}
	switch {
	case last.start != "" && open:
		out = append(out, last.query())
	case last.start != "":
		for _, w := range last.stems {
			out = append(out, term(w, textField))
		}
	}
	return out
}

// query looks for all words that the one that is being typed can become.
func (b begun) query() query.Query {
	any := []query.Query{beginning(b.start, textField)}
	for _, w := range b.stems {
		any = append(any, term(w, textField))
	}
	return bleve.NewDisjunctionQuery(any...)
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

// condition is that the text has all words of the term; nil when it has none
// that are indexed.
func (t Term) condition(prefix bool) query.Query {
	text, last := t.Text, begun{}
	if prefix {
		text, last = cutLast(text)
	}
	if t.Phrase {
		return phraseOf(text).query()
	}
	var all []query.Query
	for _, w := range Words(text) {
		all = append(all, term(w, textField))
	}
	if last.start != "" {
		all = append(all, last.query())
	}
	if len(all) == 0 {
		return nil
	}
	return bleve.NewConjunctionQuery(all...)
}

// likeRequest asks for lessons that have some of the words of another one.
func likeRequest(l lessons.Lesson, words []string) query.Query {
	var score []query.Query
	for _, w := range words {
		score = append(score, term(w, textField))
	}
	must := []query.Query{bleve.NewDisjunctionQuery(score...)}
	if !l.Scope.Global && l.Scope.Project != "" {
		must = append(must, unscored{bleve.NewDisjunctionQuery(term(strings.ToLower(l.Scope.Project), projectField), term("yes", globalField))})
	}
	b := bleve.NewBooleanQuery()
	b.AddMust(must...)
	b.AddMustNot(bleve.NewDocIDQuery([]string{string(l.ID)}))
	return b
}

// filters are the conditions of a query's filters and those that must not hold. Where
// words lead, a status is asked for by the others: most lessons have the one that is
// wanted, so that there is less to look up. A project is narrow then: it may lead too.
func (q Query) filters(led bool) (wanted, narrow, unwanted []query.Query) {
	var order []Field
	anyOf := map[Field][]query.Query{}
	for _, f := range q.Filters {
		c, single := f.condition(q)
		switch {
		case f.Not:
			unwanted = append(unwanted, c)
		case single:
			if anyOf[f.Field] == nil {
				order = append(order, f.Field)
			}
			anyOf[f.Field] = append(anyOf[f.Field], c)
		default:
			wanted = append(wanted, c)
		}
	}
	for _, f := range order {
		if led && (f == For || f == Project) {
			narrow = append(narrow, unscored{bleve.NewDisjunctionQuery(anyOf[f]...)})
			continue
		}
		if f == Status && led {
			for _, other := range lessons.Statuses {
				if !slices.ContainsFunc(q.Filters, func(f Filter) bool { return f.Field == Status && !f.Not && strings.EqualFold(f.Value, string(other)) }) {
					unwanted = append(unwanted, term(string(other), statusField))
				}
			}
			continue
		}
		wanted = append(wanted, bleve.NewDisjunctionQuery(anyOf[f]...))
	}
	return wanted, narrow, unwanted
}

// condition is the filter for bleve; single says that it is about one value of
// which a lesson may have another.
func (f Filter) condition(q Query) (c query.Query, single bool) {
	v := strings.ToLower(f.Value)
	switch f.Field {
	case Kind:
		shelf := lessons.Category(v).Shelf()
		if shelf == lessons.Other && v != string(lessons.Other) {
			return term(v, categoryField), true
		}
		return term(string(shelf), shelfField), true
	case Category:
		return term(v, categoryField), true
	case Project:
		return term(v, projectField), true
	case For:
		return bleve.NewDisjunctionQuery(term(v, projectField), term("yes", globalField)), true
	case Role:
		return term(v, rolesField), true
	case RoleAlone:
		return term(v, roleField), true
	case Tag:
		return term(v, tagField), true
	case Status:
		return term(v, statusField), true
	case Lane:
		if slices.Contains(words(lessons.Lanes), v) {
			return term(v, laneField), true
		}
		return term(v, asideField), true
	case By:
		return term(v, byField), true
	case Who:
		return term(v, whoField), true
	case ID:
		return beginning(v, idField), true
	case Session:
		return beginning(v, sessionField), true
	case Into:
		return term(v, intoField), true
	case Global:
		return whether(v, term("yes", globalField)), true
	case Pinned:
		return whether(v, term("yes", pinnedField)), true
	case Placed:
		return whether(v, term("yes", placedField)), true
	case Outside:
		return whether(v, term("yes", outsideField)), true
	case Record:
		return term(v, recordField), true
	case Refused:
		return term(v, refusedField), true
	case Judged:
		return whether(v, term("yes", judgedField)), true
	case Due:
		return whether(v, within(dueField, whole, Range{Min: math.Inf(-1), Max: hoursOf(q.Now)})), true
	case Age:
		return within(hourField, whole, f.Range.before(hoursOf(q.Now))), false
	case Decided:
		b := bleve.NewBooleanQuery()
		b.AddMust(within(confirmedField, whole, f.Range.moments(q.Now.Location())))
		b.AddMustNot(term(string(lessons.Pending), statusField))
		return b, false
	case Confidence:
		return within(confidenceField, share, f.Range), false
	}
	return within(countFields[f.Field], whole, f.Range), false
}

// whether is a condition or, for "no", its contrary.
func whether(v string, c query.Query) query.Query {
	if v == "yes" {
		return c
	}
	no := bleve.NewBooleanQuery()
	no.AddMust(bleve.NewMatchAllQuery())
	no.AddMustNot(c)
	return no
}

var countFields = map[Field]string{UsedTimes: usedField, Helped: helpedField, Harmed: harmedField}

// before turns a range of ages into one of times.
func (r Range) before(now float64) Range {
	return Range{Min: now - r.Max, Max: now - r.Min, OpenMin: r.OpenMax, OpenMax: r.OpenMin}
}

// moments turns a range of days into one of seconds, in a place.
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

// within is that the term of a number lies in a range.
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
