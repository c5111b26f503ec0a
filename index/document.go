package index

import (
	"fmt"
	"iter"
	"strconv"
	"strings"
	"time"

	bleveindex "github.com/blevesearch/bleve_index_api"

	"learnings/lessons"
)

// version is that of all that an index on disk depends on: the fields below,
// their analysis and what is stored. Whoever changes one of them counts it up,
// and every index is built anew when it is next met.
const version = 15

// The fields of a document.
const (
	textField = "text" // all that is searched for words

	idField       = "id"
	projectField  = "project"
	writtenField  = "written" // the project, as it is written
	roleField     = "role"    // as it is
	rolesField    = "roles"   // and what stands before its colon
	categoryField = "cat"
	namedField    = "named" // the category, as it is written
	shelfField    = "shelf"
	statusField   = "status"
	tagField      = "tag"
	byField       = "by" // and what stands before its colon
	whoField      = "who"
	globalField   = "global"
	pinnedField   = "pinned"
	outsideField  = "outside"
	placedField   = "placed"
	laneField     = "lane"  // of a proposal
	asideField    = "aside" // the lane of a proposal that is set aside from those
	saidField     = "said"  // in how many sessions
	recordField   = "rec"   // of lessons.Records
	refusedField  = "refused"
	judgedField   = "judged"
	sessionField  = "session" // of its evidence
	intoField     = "into"    // what it was merged into, or what took its place

	// Numbers are words whose order as text is theirs as numbers: bleve's own
	// numeric fields make sixteen terms of each, which was half of the index.
	confidenceField = "conf"
	usedField       = "used"
	helpedField     = "helped"
	harmedField     = "harmed"
	hourField       = "hour"    // of its creation: few terms, for conditions
	createdField    = "created" // to the second: for order
	confirmedField  = "confirmed"
	dueField        = "due"   // the hour from which on it should be looked at again
	againField      = "again" // the hour of lessons.Lesson.DoubtedFrom
	triedField      = "tried" // outcomes can speak against it

	outlineField = "outline" // stored: what it takes to compare the lesson
	lessonField  = "lesson"  // stored: the lesson itself
	meaningField = "meaning" // stored: see meaning.Table.Lesson
	phrasesField = "phrases" // stored: what it takes to compare its words
	orderField   = "order"   // stored: in which order they stand
)

const (
	exact   = bleveindex.IndexField | bleveindex.SkipFreqNorm
	counted = exact | bleveindex.DocValues
)

// keysOf gives the terms by which a lesson is found, counted and ordered, beside its
// words. A field can have several.
func keysOf(l lessons.Lesson, give func(field, term string, options bleveindex.FieldIndexingOptions)) {
	key := func(field, s string, o bleveindex.FieldIndexingOptions) { give(field, strings.ToLower(s), o) }
	key(idField, string(l.ID), exact)
	key(statusField, string(l.Status), counted)
	key(categoryField, string(l.Category), counted)
	key(shelfField, string(l.Category.Shelf()), counted)
	key(roleField, l.Scope.Role, counted)
	withBase(l.Scope.Role, func(s string) { key(rolesField, s, exact) })
	withBase(l.Origin.Extractor, func(s string) { key(byField, s, exact) })
	marks(l, func(field, s string) { key(field, s, exact) })
	key(laneField, string(l.Waits()), counted)
	key(saidField, whole(float64(lessons.Sessions(l.Evidence))), counted)
	for _, t := range l.Tags {
		key(tagField, t, counted)
	}
	for _, e := range l.Evidence {
		if !e.Opposes() {
			key(whoField, string(e.By), exact)
		}
		key(sessionField, e.Session, exact)
	}
	// A project is counted under the name that people gave it, and found in any case.
	key(projectField, l.Scope.Project, exact)
	give(writtenField, l.Scope.Project, counted)
	give(namedField, string(l.Category), exact)

	key(confidenceField, share(float64(l.Confidence)), counted)
	key(usedField, whole(float64(l.Use.Used)), counted)
	key(helpedField, whole(float64(l.Use.Helped)), exact)
	key(harmedField, whole(float64(l.Use.Harmed)), exact)
	key(hourField, whole(hoursOf(l.Created)), exact)
	key(createdField, whole(float64(l.Created.Unix())), counted)
	key(confirmedField, whole(float64(l.Confirmed().Unix())), counted)
}

// marks gives the fields that most lessons are without.
func marks(l lessons.Lesson, key func(field, s string)) {
	if l.Scope.Global {
		key(globalField, "yes")
	}
	if len(l.Limit.Paths) > 0 {
		key(placedField, "yes")
	}
	if l.Pinned {
		key(pinnedField, "yes")
	}
	if l.Outside {
		key(outsideField, "yes")
	}
	if lane := lessons.LaneOf(l); lane != l.Waits() {
		key(asideField, string(lane))
	}
	for _, r := range lessons.Records(l) {
		key(recordField, r)
	}
	if l.Status == lessons.Rejected {
		refusal, _ := l.Decided.Refusal()
		key(refusedField, string(refusal))
	}
	key(intoField, string(l.Decided.Into))
	key(intoField, string(l.Decided.SupersededBy))
	if judged(l) {
		key(judgedField, "yes")
	}
	if at, ok := l.Due(); ok {
		key(dueField, whole(hoursOf(at)))
	}
	if at, ok := l.DoubtedFrom(); ok {
		key(againField, whole(hoursOf(at)))
	}
	if lessons.Tried(l) {
		key(triedField, "yes")
	}
}

// judged reports that a person decided on what an extractor proposed.
func judged(l lessons.Lesson) bool {
	return l.Origin.Score > 0 && l.Status != lessons.Pending && l.Decided.By != ""
}

// textsOf gives what search looks at in a lesson, one text after the other, the content
// first and then the triggers, and how much each counts. These two say best what the lesson
// is about and count double. As fields of their own with a boost they did worse (nDCG@10
// .71 instead of .79 on real lessons), because bleve takes each word that a field does not
// have for a miss; and they made the index larger and each search three times as long.
func textsOf(l lessons.Lesson) iter.Seq2[string, int] {
	return func(yield func(string, int) bool) {
		all := func(texts []string, weight int) bool {
			for _, t := range texts {
				if !yield(t, weight) {
					return false
				}
			}
			return true
		}
		_ = all([]string{l.Content}, 2) && all(l.Triggers, 2) && all([]string{l.Insight, l.Example}, 1) && all(l.Tags, 1)
	}
}

// searchText is all of them.
func searchText(l lessons.Lesson) string {
	var all []string
	for t := range textsOf(l) {
		all = append(all, t)
	}
	return strings.Join(all, "\n")
}

// wordsOf adds the words of all of them to others.
func wordsOf(words []word, l lessons.Lesson) []word {
	for t := range textsOf(l) {
		words = apart(words, t, root)
	}
	return words
}

// shorten drops what no list of results shows: the turns around each piece of
// evidence, which are most of a lesson's bytes.
func shorten(l lessons.Lesson) lessons.Lesson {
	short := make([]lessons.Evidence, len(l.Evidence))
	for i, e := range l.Evidence {
		e.Before, e.After = nil, nil
		short[i] = e
	}
	l.Evidence = short
	return l
}

// withBase calls f with a name and, when it has a colon, with what is before.
func withBase(name string, f func(string)) {
	f(name)
	if base, _, ok := strings.Cut(name, ":"); ok {
		f(base)
	}
}

// share is a number from 0 to 1 as a term.
func share(f float64) string { return strconv.FormatFloat(min(max(f, 0), 1), 'f', 6, 64) }

// whole is a number from 0 on as a term; of a fraction, what is before the point.
func whole(f float64) string { return fmt.Sprintf("%012d", int64(min(max(f, 0), 999_999_999_999))) }

func hoursOf(t time.Time) float64 { return float64(t.Unix()) / 3600 }
