package index

import (
	"math"
	"slices"
	"strings"
	"time"

	"learnings/lessons"
)

// A Query says which lessons to find, in which order. The zero Query finds all, newest
// first.
//
// Terms search the text. Phrases and negations are conditions, and so are alternatives that
// are all phrases. All other words rank if the order is by [Relevance]: a lesson needs one
// of them, and scores higher with more. In other orders, or with AllWords, they are
// conditions. Filters on one field are alternatives, and different fields are conditions;
// every negated filter and every range is a condition.
type Query struct {
	Terms   []Term
	Filters []Filter
	Sort    Sort
	Prefix  bool // the last word is still being typed: it matches any word with that prefix

	AllWords bool // a lesson needs every word, in any order of results
	// Rarest, if not 0, limits the words to that many of the rarest. It finds what is near
	// a lesson at a fraction of the cost of words that half of all lessons have.
	Rarest int

	// Least, if not 0, is the share of the words, weighted by rarity, that a lesson must
	// have: the Match of a [Hit]. Lessons that cannot have it are skipped, mostly leaving
	// few or none, and [Page].Total does not count them. It is not for words that are still
	// being typed.
	Least float64

	// Meaning says which lessons without any of the words are found by meaning. It only
	// applies to the order of relevance, and scans every lesson that meets the conditions,
	// unless they are more than 20,000.
	Meaning Meaning

	Also lessons.ID // a lesson that is found with any status

	Unjudged bool // leave out Hit.Match, which costs more than finding the hits

	Count []Field // for Page.Facets

	words []string // replaces Terms; set if Rarest or Least is

	Offset, Limit int       // Limit 0 is 20; a page ends at 10,000 lessons
	Now           time.Time // ages count from it; zero is the time of the call
}

// Meaning says what is found only by meaning.
type Meaning int

const (
	NoMeaning   Meaning = iota
	Outstanding         // a few that are far nearer to the query than most
	Faint               // more, however far
)

// A Term is a word or phrase to find in the text.
type Term struct {
	Text   string
	Phrase bool // the words in this order
	Prefix bool // all words with this prefix; not for phrases
	Or     bool // alternative to the term before it; both count as one word
	Not    bool
}

// A Filter is a condition on a field other than the text: Value for most fields, Range for
// numbers, ages and days.
type Filter struct {
	Field Field
	Not   bool
	Value string // in lower case
	Range Range
}

// A Range is a range of numbers, of hours for ages, or of days since 1 January 1970.
type Range struct {
	Min, Max         float64 // infinite for no bound
	OpenMin, OpenMax bool    // exclude the bound itself
}

// Day returns the day of a time in its location, for a [Range].
func Day(t time.Time) float64 {
	return float64(time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC).Unix() / (24 * 60 * 60))
}

// midnight returns the beginning of a day in a location.
func midnight(day float64, in *time.Location) time.Time {
	t := time.Unix(int64(day)*24*60*60, 0).UTC()
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, in)
}

// AtLeast returns the range from f on.
func AtLeast(f float64) Range { return Range{Min: f, Max: math.Inf(1)} }

// Below returns the range below f, without f.
func Below(f float64) Range { return Range{Min: math.Inf(-1), Max: f, OpenMax: true} }

// A Sort is an order of results. Equal lessons are ordered by id.
type Sort string

const (
	Relevance Sort = "relevance" // best match first; the default when there are words
	Created   Sort = "created"   // newest first; the default without words
	Confirmed Sort = "confirmed" // by the last decision, or else the creation, newest first
	Score     Sort = "score"     // highest confidence first
	Used      Sort = "used"      // most used first
	Queue     Sort = "queue"     // proposals as in the queue (lessons.InQueue), then all others
)

var sorts = []Sort{Relevance, Created, Confirmed, Score, Used, Queue}

// A Field is a field that a filter can ask for.
type Field string

const (
	Kind       Field = "kind"     // a category and those browsed with it: kind:error also finds errors and bugfix
	Category   Field = "category" // exactly
	Project    Field = "project"  // where it was learned, also for global lessons
	For        Field = "for"      // the project it holds in: its own lessons and all global ones
	Role       Field = "role"     // role:developer also finds developer:general
	RoleAlone  Field = "roleis"   // exactly
	Tag        Field = "tag"
	Status     Field = "status"
	Lane       Field = "lane"    // of a proposal: lessons.LaneOf
	By         Field = "by"      // the extractor; by:import also finds import:octomind
	Who        Field = "who"     // the source of the evidence: person, agent, tool
	ID         Field = "id"      // or the beginning of one
	Session    Field = "session" // that taught or repeated it; or the beginning of its id
	Into       Field = "into"    // the lesson that it was merged into, or that replaced it
	Global     Field = "global"  // yes or no
	Pinned     Field = "pinned"  // yes or no
	Placed     Field = "placed"  // yes or no: it only holds for some files
	Outside    Field = "outside" // yes or no: lessons.Lesson.Outside
	Record     Field = "record"  // what it was made of: one of lessons.Records
	Refused    Field = "refused" // why it was rejected: a lessons.Refusal
	Judged     Field = "judged"  // yes or no: an extractor proposed it and a person decided on it
	Due        Field = "due"     // yes or no: to be looked at again (lessons.Lesson.Due)
	Snoozed    Field = "snoozed" // yes or no: a proposal that is asked about again later
	Decided    Field = "decided" // the day of the last decision by a person, or outcome that confirmed it; not of proposals
	Confidence Field = "conf"
	Age        Field = "age" // since its creation
	UsedTimes  Field = "used"
	Helped     Field = "helped"
	Harmed     Field = "harmed"
)

// Where returns the query with one more filter, for a field that has values.
func (q Query) Where(f Field, value string) Query {
	q.Filters = append(slices.Clip(q.Filters), Filter{Field: f, Value: strings.ToLower(value)})
	return q
}

// Not returns the query without the lessons that have a value.
func (q Query) Not(f Field, value string) Query {
	q.Filters = append(slices.Clip(q.Filters), Filter{Field: f, Value: strings.ToLower(value), Not: true})
	return q
}

// Within returns the query with one more filter, for a field of numbers.
func (q Query) Within(f Field, r Range) Query {
	q.Filters = append(slices.Clip(q.Filters), Filter{Field: f, Range: r})
	return q
}

// Has reports whether a filter asks about a field, for example whether the person has
// chosen a status.
func (q Query) Has(f Field) bool {
	return slices.ContainsFunc(q.Filters, func(x Filter) bool { return x.Field == f })
}

// Text returns the query for the words of any text, such as a task or an error; nothing in
// it is a filter.
func Text(s string) Query {
	var q Query
	for _, w := range strings.Fields(s) {
		q.Terms = append(q.Terms, Term{Text: w})
	}
	return q
}

// Asked returns the query for a question after all lessons of a category, such as "what
// errors have I seen?". Any other query is returned as it is.
func Asked(q Query) Query {
	if len(q.Terms) < 3 || len(q.Filters) > 0 || !slices.Contains([]string{"what", "which", "show", "list"}, strings.ToLower(q.Terms[0].Text)) {
		return q
	}
	var kind lessons.Category
	for _, t := range q.Terms {
		w := strings.ToLower(strings.Trim(t.Text, "?!.,"))
		switch c := lessons.Category(w); {
		case t.Phrase || t.Prefix || t.Or || t.Not:
			return q
		case stopWords[w], slices.Contains(askingWords, w):
		case kind == "" && c.Known():
			kind = c
		default:
			return q
		}
	}
	if kind == "" {
		return q
	}
	q.Terms = nil
	return q.Where(Kind, string(kind))
}

// askingWords say nothing about what is asked for.
var askingWords = strings.Fields("what which show list me all any my our i we you have has had did do does know learn learned learnt see saw seen meet met make made so far yet here")

// begun reports whether the last word of a term is still being typed.
func (q Query) begun(i int) bool {
	t := q.Terms[i]
	return t.Prefix || q.Prefix && i == len(q.Terms)-1 && !t.Phrase
}

// alternatives yields the range in Terms of each group of alternatives. A negated term is a
// group of its own.
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

// required reports whether a group of alternatives is a condition in any order: all are
// phrases.
func (q Query) required(from, to int) bool {
	return !slices.ContainsFunc(q.Terms[from:to], func(t Term) bool { return !t.Phrase })
}

// Order returns Sort, or the default order if it is "".
func (q Query) Order() Sort {
	switch {
	case q.Sort != "":
		return q.Sort
	case slices.ContainsFunc(q.Terms, func(t Term) bool { return !t.Not }):
		return Relevance
	}
	return Created
}
