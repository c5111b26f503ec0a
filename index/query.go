package index

import (
	"math"
	"slices"
	"strings"
	"time"

	"learnings/lessons"
)

// A Query says which lessons, in which order. The zero Query is all of them,
// newest first.
//
// Terms search the text. A phrase and a negation are conditions, alternatives are a word, or a
// condition where each is a phrase; the other
// words rank when the order is by [Relevance] (a lesson needs one of them, and
// has more of a score the more it has), and are conditions when it is not, or
// when AllWords asks for that.
// Filters on one field are alternatives, and different fields are conditions;
// every negated filter and every range is a condition.
type Query struct {
	Terms   []Term
	Filters []Filter
	Sort    Sort
	Prefix  bool // the last word is still being typed: it stands for all that begin with it

	AllWords bool // a lesson needs every word, whatever the order
	// Rarest, when it is not 0, is how many of the words are asked for: those that the
	// fewest lessons have. What is near a lesson is found by them, at a fraction of the
	// cost of words that half of all lessons have.
	Rarest int

	// Least, when it is not 0, is the share of the words, weighed by rarity, that a lesson
	// must have: the Match of a [Hit]. What cannot have it is not looked at, which most
	// often leaves few lessons and sometimes none; [Page].Total counts what is. Not for words that are being typed.
	Least float64

	// Meaning says which lessons are found that have none of the words, by what they
	// mean; in the order of relevance alone. It looks at every lesson that meets the
	// conditions, and does not where those are more than 20,000.
	Meaning Meaning

	Also lessons.ID // a lesson that is found whatever its status is

	Unjudged bool // nobody asks for Hit.Match, which costs more than finding the hits

	words []string // in place of Terms; set where Rarest or Least is

	Offset, Limit int       // Limit 0 is 20; a page ends at 10,000 lessons
	Now           time.Time // what ages are counted from; zero is the time of the call
}

// Meaning is what is found by meaning alone.
type Meaning int

const (
	NoMeaning   Meaning = iota
	Outstanding         // a few that are far nearer to the query than most are
	Faint               // more, however far
)

// A Term is a word or phrase of the text.
type Term struct {
	Text   string
	Phrase bool // the words in this order
	Prefix bool // all words that begin so; not for phrases
	Or     bool // it and the term before it are alternatives, which are one word where words are counted
	Not    bool
}

// A Filter is a condition on a field other than the text: Value for most,
// Range for numbers, ages and days.
type Filter struct {
	Field Field
	Not   bool
	Value string // in lower case
	Range Range
}

// A Range is of numbers; for ages, of hours, and for days, of days since that of 1 January 1970.
type Range struct {
	Min, Max         float64 // infinite when there is no bound
	OpenMin, OpenMax bool    // the bound itself is not within
}

// Day is the one of a time where that is told, as a [Range] has it.
func Day(t time.Time) float64 {
	return float64(time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC).Unix() / (24 * 60 * 60))
}

// midnight is when a day begins in a place.
func midnight(day float64, in *time.Location) time.Time {
	t := time.Unix(int64(day)*24*60*60, 0).UTC()
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, in)
}

// AtLeast has no upper bound.
func AtLeast(f float64) Range { return Range{Min: f, Max: math.Inf(1)} }

// Below has no lower bound, and does not hold f.
func Below(f float64) Range { return Range{Min: math.Inf(-1), Max: f, OpenMax: true} }

// A Sort is an order of results. Equals are in the order of their ids.
type Sort string

const (
	Relevance Sort = "relevance" // best match first; the default when there are words
	Created   Sort = "created"   // newest first; the default when there are none
	Confirmed Sort = "confirmed" // what was decided on or else made last, first
	Score     Sort = "score"     // most confidence first
	Used      Sort = "used"      // most used first
	Queue     Sort = "queue"     // as proposals wait for a person (lessons.InQueue), then all others
)

var sorts = []Sort{Relevance, Created, Confirmed, Score, Used, Queue}

// A Field is what a filter can ask for.
type Field string

const (
	Kind       Field = "kind"     // a category or any that is browsed with it: kind:error is also errors and bugfix
	Category   Field = "category" // exactly
	Project    Field = "project"  // where it was learned, also for global lessons
	For        Field = "for"      // the project in which it holds: its own lessons and all global ones
	Role       Field = "role"     // role:developer is also developer:general
	RoleAlone  Field = "roleis"   // exactly
	Tag        Field = "tag"
	Status     Field = "status"
	Lane       Field = "lane"    // of a proposal: how sure its extractor was, likely or maybe, or what sets it aside (lessons.LaneOf)
	By         Field = "by"      // the extractor; by:import is also import:octomind
	Who        Field = "who"     // who is quoted as evidence: person, agent, tool
	ID         Field = "id"      // the beginning is enough
	Session    Field = "session" // that taught it, or said it again; the beginning of its id is enough
	Into       Field = "into"    // the lesson that it was merged into, or that took its place
	Global     Field = "global"  // yes or no
	Pinned     Field = "pinned"  // yes or no
	Placed     Field = "placed"  // yes or no: it holds for some files alone
	Outside    Field = "outside" // yes or no: lessons.Lesson.Outside
	Record     Field = "record"  // of which it was made: one of lessons.Records
	Refused    Field = "refused" // why it was rejected: a lessons.Refusal
	Judged     Field = "judged"  // yes or no: an extractor proposed it and a person decided on it
	Due        Field = "due"     // yes or no: to be looked at again (lessons.Lesson.Due)
	Decided    Field = "decided" // the days on which a person decided on it last, or what came of it confirmed it; not of proposals
	Confidence Field = "conf"
	Age        Field = "age" // since it was made
	UsedTimes  Field = "used"
	Helped     Field = "helped"
	Harmed     Field = "harmed"
)

// Where gives the query with one more filter, for a field that has values.
func (q Query) Where(f Field, value string) Query {
	q.Filters = append(slices.Clip(q.Filters), Filter{Field: f, Value: strings.ToLower(value)})
	return q
}

// Not gives the query without the lessons that have a value.
func (q Query) Not(f Field, value string) Query {
	q.Filters = append(slices.Clip(q.Filters), Filter{Field: f, Value: strings.ToLower(value), Not: true})
	return q
}

// Within gives the query with one more filter, for a field of numbers.
func (q Query) Within(f Field, r Range) Query {
	q.Filters = append(slices.Clip(q.Filters), Filter{Field: f, Range: r})
	return q
}

// Has reports whether some filter asks about a field: whether, say, the person
// has already said which status is wanted.
func (q Query) Has(f Field) bool {
	return slices.ContainsFunc(q.Filters, func(x Filter) bool { return x.Field == f })
}

// Text is the query for any text as it comes, such as a task or an error: all
// of it is words and nothing is a filter.
func Text(s string) Query {
	var q Query
	for _, w := range strings.Fields(s) {
		q.Terms = append(q.Terms, Term{Text: w})
	}
	return q
}

// begun reports whether the last word of a term is not finished.
func (q Query) begun(i int) bool {
	t := q.Terms[i]
	return t.Prefix || q.Prefix && i == len(q.Terms)-1 && !t.Phrase
}

// alternatives are the terms, those together that are alternatives of each other: where
// each begins in Terms, and where it ends. What must not be there is by itself.
func (q Query) alternatives(yield func(from, to int) bool) {
	for from := 0; from < len(q.Terms); {
		to := from + 1
		for to < len(q.Terms) && q.Terms[to].Or && !q.Terms[to].Not && !q.Terms[from].Not {
			to++
		}
		if !yield(from, to) {
			return
		}
		from = to
	}
}

// required reports that some alternatives are a condition whatever the order: where each
// is a phrase.
func (q Query) required(from, to int) bool {
	return !slices.ContainsFunc(q.Terms[from:to], func(t Term) bool { return !t.Phrase })
}

// Order is the order of the results: Sort, or what stands for it when it is "".
func (q Query) Order() Sort {
	switch {
	case q.Sort != "":
		return q.Sort
	case slices.ContainsFunc(q.Terms, func(t Term) bool { return !t.Not }):
		return Relevance
	}
	return Created
}
