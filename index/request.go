package index

import (
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/blevesearch/bleve/v2/search/query"

	"learnings/lessons"
)

// This file translates our queries into sets of documents. Bleve has the lists of them by
// term, and finds phrases.

// A condition adds the documents that meet it to a set.
type condition func(*reader, set) error

// A parsed query is the conditions that documents must and must not meet, and the words that
// rank them.
type parsed struct {
	conditions, not []condition
	words           []string
	begun           []begun // words that are still being typed, to rank by
	one             bool    // a lesson needs one of the words
}

func (q Query) parsed() (p parsed) {
	all := q.AllWords || q.Order() != Relevance
	for from, to := range q.alternatives {
		var any []condition
		required := all || q.required(from, to)
		for i := from; i < to; i++ {
			if c := q.Terms[i].conditions(q.begun(i)); len(c) > 0 {
				any = append(any, allOf(c...))
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

// anyOf is met by what meets any of the conditions.
func anyOf(some ...condition) condition {
	return func(r *reader, in set) error {
		for _, c := range some {
			if err := c(r, in); err != nil {
				return err
			}
		}
		return nil
	}
}

// allOf is met by what meets each of the conditions; everything, if there are none.
func allOf(some ...condition) condition {
	return func(r *reader, in set) error {
		missing, with := r.none(), r.none()
		for _, c := range some {
			clear(with)
			if err := c(r, with); err != nil {
				return err
			}
			missing.without(with)
		}
		in.without(missing)
		return nil
	}
}

// but is met by what meets c without not.
func but(c, not condition) condition {
	return allOf(c, func(r *reader, in set) error {
		with := r.none()
		err := not(r, with)
		in.without(with)
		return err
	})
}

// span is met by what has a term of a field from one on and below another, "" for no
// bound.
func span(field, from, to string) condition {
	return func(r *reader, in set) error {
		return r.listed(field, from, to, func(_ string, first uint64, docs []uint32) bool {
			for _, doc := range docs {
				in.put(first + uint64(doc))
			}
			return true
		})
	}
}

// after is the first term after another.
func after(term string) string { return term + "\x00" }

func term(w, field string) condition { return span(field, w, after(w)) }

// beginning is met by what has a term with this beginning.
func beginning(s, field string) condition {
	end := []byte(s)
	if len(end) > 0 {
		end[len(end)-1]++ // in UTF-8 no byte is the last one
	}
	return span(field, s, string(end))
}

// terms returns a condition for each word in a field.
func terms(field string, words ...string) []condition {
	out := make([]condition, len(words))
	for i, w := range words {
		out[i] = term(w, field)
	}
	return out
}

// typed is met by all words that the one being typed can become.
func (b begun) typed(r *reader, in set) error {
	with, err := r.begun(b)
	in.add(with)
	return err
}

// conditions require all words of the term in the text.
func (t Term) conditions(prefix bool) (out []condition) {
	text, last := t.Text, begun{}
	if prefix {
		text, last = cutLast(text)
	}
	if t.Phrase {
		if p := phrase(text); p != nil {
			out = append(out, p)
		}
		return out
	}
	out = terms(textField, Words(text)...)
	if last.start != "" {
		out = append(out, last.typed)
	}
	return out
}

// phrase matches the words of a text in sequence; nil if the text has no words. An
// identifier and its first part share a position and either matches there. At the position
// of a stop word any word matches.
func phrase(text string) condition {
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
	return func(r *reader, in set) error { return r.ask(query.NewMultiPhraseQuery(places, textField), in) }
}

// filters returns the conditions of a query's filters, and those that must not hold.
func (q Query) filters() (wanted, unwanted []condition) {
	anyIn := map[Field][]condition{}
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

// condition returns what the filter asks for; single means that it is about one value and a
// lesson may have others.
func (f Filter) condition(q Query) (c condition, single bool) {
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
func yes(v string, c condition) condition {
	if v == "yes" {
		return c
	}
	return but(allOf(), c)
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
func within(field string, term func(float64) string, r Range) condition {
	var from, to string
	if !math.IsInf(r.Min, -1) {
		if from = term(r.Min); r.OpenMin {
			from = after(from)
		}
	}
	if !math.IsInf(r.Max, 1) {
		if to = term(r.Max); !r.OpenMax {
			to = after(to)
		}
	}
	if from == "" && to == "" {
		return allOf()
	}
	return span(field, from, to)
}
