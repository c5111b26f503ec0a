package index

import (
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/blevesearch/bleve/v2/mapping"

	"learnings/lessons"
)

// version is that of all that an index on disk depends on: the fields below,
// their analysis and what is stored. Whoever changes one of them counts it up,
// and every index is built anew when it is next met.
const version = 17

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
	hourField       = "hour"   // of its creation: few terms, for conditions
	newestField     = "newest" // for order: see newest
	confirmedField  = "confirmed"
	dueField        = "due"   // the hour from which on it should be looked at again
	againField      = "again" // the hour of lessons.Lesson.DoubtedFrom
	triedField      = "tried" // outcomes can speak against it

	outlineField = "outline" // stored: what it takes to compare the lesson
	lessonField  = "lesson"  // stored: the lesson itself
	meaningField = "meaning" // stored: see meaning.Table.Lesson
	phrasesField = "phrases" // stored: what it takes to compare its words
)

// How bleve keeps a field.
var (
	exact   = (&mapping.FieldMapping{Index: true, SkipFreqNorm: true}).Options()                  // to be found
	counted = (&mapping.FieldMapping{Index: true, SkipFreqNorm: true, DocValues: true}).Options() // also to be counted and ordered by
	worded  = (&mapping.FieldMapping{Index: true, IncludeTermVectors: true}).Options()            // by words, with their places
	kept    = (&mapping.FieldMapping{Store: true}).Options()                                      // to be read again
)

// A key is the terms of a field that is not cut into words: those by which a lesson is
// found and, where values is set, counted and ordered too.
type key struct {
	field  string
	terms  []string
	values bool
}

// keysOf are those of a lesson. A field is there once.
func keysOf(l lessons.Lesson) (keys []key) {
	add := func(values bool, field string, terms ...string) {
		k := key{field, make([]string, len(terms)), values}
		for i, t := range terms {
			k.terms[i] = strings.ToLower(t)
		}
		keys = append(keys, k)
	}
	yes := func(is, values bool, field string) {
		if is {
			add(values, field, "yes")
		}
	}
	add(false, idField, string(l.ID))
	add(true, statusField, string(l.Status))
	add(true, categoryField, string(l.Category))
	add(true, shelfField, string(l.Category.Shelf()))
	add(true, roleField, l.Scope.Role)
	add(true, rolesField, withBase(l.Scope.Role)...)
	add(true, byField, withBase(l.Origin.Extractor)...)
	add(true, laneField, string(l.Waits()))
	add(true, saidField, whole(float64(lessons.Sessions(l.Evidence))))
	add(true, tagField, l.Tags...)
	var who, sessions []string
	for _, e := range l.Evidence {
		if !e.Opposes() {
			who = append(who, string(e.By))
		}
		sessions = append(sessions, e.Session)
	}
	add(false, whoField, who...)
	add(false, sessionField, sessions...)
	// A project is counted under the name that people gave it, and found in any case.
	add(false, projectField, l.Scope.Project)
	keys = append(keys, key{writtenField, []string{l.Scope.Project}, true}, key{namedField, []string{string(l.Category)}, true})

	add(true, confidenceField, share(float64(l.Confidence)))
	add(true, usedField, whole(float64(l.Use.Used)))
	add(true, helpedField, whole(float64(l.Use.Helped)))
	add(true, harmedField, whole(float64(l.Use.Harmed)))
	add(true, hourField, whole(hoursOf(l.Created)))
	add(true, newestField, newest(l))
	add(true, confirmedField, whole(float64(l.Confirmed().Unix())))

	yes(l.Scope.Global, false, globalField)
	yes(len(l.Limit.Paths) > 0, false, placedField)
	yes(l.Pinned, true, pinnedField)
	yes(l.Outside, false, outsideField)
	yes(judged(l), false, judgedField)
	yes(lessons.Tried(l), true, triedField)
	if lane := lessons.LaneOf(l); lane != l.Waits() {
		add(false, asideField, string(lane))
	}
	add(false, recordField, lessons.Records(l)...)
	if l.Status == lessons.Rejected {
		refusal, _ := l.Decided.Refusal()
		add(false, refusedField, string(refusal))
	}
	add(false, intoField, string(l.Decided.Into), string(l.Decided.SupersededBy))
	if at, ok := l.Due(); ok {
		add(false, dueField, whole(hoursOf(at)))
	}
	if at, ok := l.DoubtedFrom(); ok {
		add(true, againField, whole(hoursOf(at)))
	}
	return keys
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

// shorten drops what no list of results shows: the turns around each piece of
// evidence, which are most of a lesson's bytes.
func shorten(l lessons.Lesson) lessons.Lesson {
	l.Evidence = slices.Clone(l.Evidence)
	for i := range l.Evidence {
		l.Evidence[i].Before, l.Evidence[i].After = nil, nil
	}
	return l
}

// withBase is a name and, when it has a colon, what is before.
func withBase(name string) []string {
	if base, _, ok := strings.Cut(name, ":"); ok {
		return []string{name, base}
	}
	return []string{name}
}

// share is a number from 0 to 1 as a term.
func share(f float64) string { return strconv.FormatFloat(min(max(f, 0), 1), 'f', 6, 64) }

// whole is a number from 0 on as a term; of a fraction, what is before the point.
func whole(f float64) string { return fmt.Sprintf("%012d", int64(min(max(f, 0), 999_999_999_999))) }

// newest is a term by which the lesson made last comes first, and those of one second come in
// the order of their ids.
func newest(l lessons.Lesson) string {
	return whole(float64(999_999_999_999-l.Created.Unix())) + string(l.ID)
}

func hoursOf(t time.Time) float64 { return float64(t.Unix()) / 3600 }
