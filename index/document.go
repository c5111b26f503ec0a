package index

import (
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/blevesearch/bleve/v2/analysis"
	"github.com/blevesearch/bleve/v2/document"
	"github.com/blevesearch/bleve/v2/mapping"

	"learnings/index/meaning"
	"learnings/lessons"
)

// version covers all that an index on disk depends on: the fields below, their analysis and
// what is stored. Increment it with each change to them; older indexes are then rebuilt
// when next opened.
const version = 22

// Fields of a document that no [Field] names. The others have the names of their Field.
const (
	textField    = "text"    // all text that is searched for words
	letterField  = "letter"  // with what its words begin: listing all words with a letter takes long
	writtenField = "written" // the project in its original spelling
	queueField   = "queue"   // sort key: the turn of a proposal, then those said in most sessions
	hourField    = "hour"    // of its creation
	newestField  = "newest"  // sort key: newest lesson first, by id within one second

	outlineField = "outline" // stored: what it takes to compare the lesson
	lessonField  = "lesson"  // stored: the lesson itself
	meaningField = "meaning" // stored: see meaning.Lesson
)

// How bleve indexes a field.
var (
	exact   = (&mapping.FieldMapping{Index: true, SkipFreqNorm: true}).Options()                  // to filter by
	counted = (&mapping.FieldMapping{Index: true, SkipFreqNorm: true, DocValues: true}).Options() // also to count and sort by
	worded  = (&mapping.FieldMapping{Index: true, IncludeTermVectors: true}).Options()            // as words, with their positions
	kept    = (&mapping.FieldMapping{Store: true}).Options()                                      // to read back
)

// countedFields are the fields that lessons are counted or sorted by.
var countedFields = []Field{
	Kind, Category, writtenField, Role, Status, Lane, Tag, By, queueField, newestField, Confidence, Decided, UsedTimes,
}

// termsOf returns the terms of a lesson in the fields that are not split into words.
// Numbers are padded so that they sort as text: bleve's numeric fields make sixteen terms
// of each number, which was half of the index.
func termsOf(l lessons.Lesson) map[Field][]string {
	is := func(yes bool) []string {
		if yes {
			return []string{"yes"}
		}
		return []string{"no"}
	}
	lane := lessons.LaneOf(l)
	out := map[Field][]string{
		ID: {string(l.ID)}, Project: {l.Scope.Project}, writtenField: {l.Scope.Project}, RoleAlone: {l.Scope.Role}, Role: withBase(l.Scope.Role),
		Kind: {string(l.Category.Shelf())}, Category: {string(l.Category)}, Status: {string(l.Status)}, By: withBase(l.Origin.Extractor), Tag: l.Tags,
		Lane: {string(lane)}, queueField: {fmt.Sprintf("%02d%06d", l.Turn(lane), max(999_999-lessons.Sessions(l.Evidence), 0))}, Record: lessons.Records(l),
		Into:   {string(l.Decided.Into), string(l.Decided.SupersededBy)},
		Global: is(l.Scope.Global), Placed: is(len(l.Limit.Paths) > 0), Pinned: is(l.Pinned), Outside: is(l.Outside),
		Judged:     is(l.Origin.Score > 0 && l.Status != lessons.Pending && l.Decided.By != ""),
		Confidence: {share(float64(l.Confidence))}, UsedTimes: {whole(float64(l.Use.Used))}, Helped: {whole(float64(l.Use.Helped))}, Harmed: {whole(float64(l.Use.Harmed))},
		hourField: {whole(hoursOf(l.Created))}, Decided: {whole(float64(l.Confirmed().Unix()))},
		newestField: {whole(float64(999_999_999_999-l.Created.Unix())) + string(l.ID)},
	}
	for _, e := range l.Evidence {
		if !e.Opposes() {
			out[Who] = append(out[Who], string(e.By))
		}
		out[Session] = append(out[Session], e.Session)
	}
	if l.Status == lessons.Rejected {
		refusal, _ := l.Decided.Refusal()
		out[Refused] = []string{string(refusal)}
	}
	if at, ok := l.Due(); ok {
		out[Due] = []string{whole(hoursOf(at))}
	}
	if end := l.Decided.Until; l.Status == lessons.Pending && !end.IsZero() {
		out[Snoozed] = []string{whole(float64(end.Unix()))}
	}
	return out
}

// withBase returns a name and, if it has a colon, the part before it.
func withBase(name string) []string {
	if base, _, ok := strings.Cut(name, ":"); ok {
		return []string{name, base}
	}
	return []string{name}
}

// share formats a number from 0 to 1 as a term.
func share(f float64) string { return strconv.FormatFloat(min(max(f, 0), 1), 'f', 6, 64) }

// whole formats the integer part of a number from 0 on as a term.
func whole(f float64) string { return fmt.Sprintf("%012d", int64(min(max(f, 0), 999_999_999_999))) }

func hoursOf(t time.Time) float64 { return float64(t.Unix()) / 3600 }

// textsOf yields the searched texts of a lesson with their weights. The content and the
// triggers say best what the lesson is about and count double. Separate fields with a boost
// did worse (nDCG@10 .71 instead of .79 on real lessons), because bleve counts a word that
// a field lacks as a miss; they also made the index larger and each search three times as
// long.
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

// shorten drops what no list of results shows: the turns around each piece of evidence,
// which are most of a lesson's bytes.
func shorten(l lessons.Lesson) lessons.Lesson {
	l.Evidence = slices.Clone(l.Evidence)
	for i := range l.Evidence {
		l.Evidence[i].Before, l.Evidence[i].After = nil, nil
	}
	return l
}

// mostKnown is the size of a maker's cache of roots: most words soon occur again, or never.
const mostKnown = 1 << 15

// A maker makes documents of many lessons. It caches the roots of words, because most
// lessons share them. It is not safe for concurrent use.
type maker struct{ roots map[string]string }

func newMaker() *maker { return &maker{roots: map[string]string{}} }

// Tokens are words that are already split.
type tokens analysis.TokenStream

func (t tokens) Analyze([]byte) analysis.TokenStream { return analysis.TokenStream(t) }

// document returns what the index keeps of a lesson.
func (m *maker) document(l lessons.Lesson) (*document.Document, error) {
	all, err := json.Marshal(shorten(l))
	if err != nil {
		return nil, fmt.Errorf("encoding lesson %s: %w", l.ID, err)
	}
	outline, err := json.Marshal(l.Outline())
	if err != nil {
		return nil, fmt.Errorf("encoding the outline of lesson %s: %w", l.ID, err)
	}
	d := document.NewDocument(string(l.ID))
	text, named := m.text(l), termsOf(l)
	d.AddField(document.NewTextFieldCustom(textField, nil, nil, worded, text))
	for _, t := range text {
		if _, n := utf8.DecodeRune(t.Term); !slices.Contains(named[letterField], string(t.Term[:n])) {
			named[letterField] = append(named[letterField], string(t.Term[:n]))
		}
	}
	for f, values := range named {
		var terms tokens
		for _, t := range values {
			if f != writtenField {
				t = strings.ToLower(t)
			}
			if t != "" {
				terms = append(terms, &analysis.Token{Term: []byte(t), Position: 1})
			}
		}
		options := exact
		if slices.Contains(countedFields, f) {
			options = counted
		}
		if len(terms) > 0 {
			d.AddField(document.NewTextFieldCustom(string(f), nil, nil, options, terms))
		}
	}
	for name, value := range map[string][]byte{
		outlineField: outline, lessonField: all, meaningField: meaning.Lesson(l.Content, l.Triggers, l.Insight),
	} {
		d.AddField(document.NewTextFieldCustom(name, nil, value, kept, nil))
	}
	return d, nil
}

// between is the number of empty positions between two texts of a lesson, so that no phrase
// spans both.
const between = 8

// text returns the words of a lesson, those that count double twice.
func (m *maker) text(l lessons.Lesson) (out tokens) {
	at := 0
	for text, weight := range textsOf(l) {
		words := split(text, m.root)
		from := at
		for _, w := range words {
			at = max(at, from+w.pos)
			t := &analysis.Token{Term: []byte(w.term), Position: from + w.pos}
			for range weight {
				out = append(out, t)
			}
		}
		at += between
	}
	return out
}

// root is the function [root] with a cache.
func (m *maker) root(w string) string {
	r, ok := m.roots[w]
	if !ok {
		if len(m.roots) >= mostKnown {
			clear(m.roots)
		}
		w = strings.Clone(w)
		r = root(w)
		m.roots[w] = r
	}
	return r
}
