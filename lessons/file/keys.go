package file

import (
	"math"
	"strconv"
	"strings"
	"time"

	"learnings/lessons"
)

// A key is a frontmatter key that only this program knows. of returns a pointer, whose
// type says how to read, write and normalise it; or a text to write, if there is more to
// it. Empty values are left out.
type key struct {
	name string
	of   func(l *lessons.Lesson) any
}

// keys are all of them, in the order in which they are written.
var keys = []key{
	{"id", func(l *lessons.Lesson) any { return quoteYAML(string(l.ID)) }},
	{"category", func(l *lessons.Lesson) any { return word(string(l.Category)) }},
	{"score", func(l *lessons.Lesson) any { return l.Confidence.String() }},
	{"status", func(l *lessons.Lesson) any { return string(l.Status) }},
	{"scope", func(l *lessons.Lesson) any { return when(l.Scope.Global, "global") }},
	{"triggers", func(l *lessons.Lesson) any { return &l.Triggers }},
	{"paths", func(l *lessons.Lesson) any { return &l.Limit.Paths }},
	{"agent", func(l *lessons.Lesson) any { return &l.Limit.Agent }},
	{"expires", func(l *lessons.Lesson) any { return &l.Limit.Until }},
	{"extractor", func(l *lessons.Lesson) any { return &l.Origin.Extractor }},
	{"rule", func(l *lessons.Lesson) any { return &l.Origin.Rule }},
	{"raw_score", func(l *lessons.Lesson) any { return &l.Origin.Score }},
	{"declined", func(l *lessons.Lesson) any { return (*string)(&l.Origin.Declined) }},
	{"declined_at", func(l *lessons.Lesson) any { return &l.Origin.DeclinedAt }},
	{"lane", func(l *lessons.Lesson) any { return when(l.Lane == lessons.Maybe, string(lessons.Maybe)) }},
	{"stands", func(l *lessons.Lesson) any { return &l.Origin.Stands }},
	{"stands_against", func(l *lessons.Lesson) any { return &l.Origin.Against }},
	{"advice", func(l *lessons.Lesson) any { return &l.Origin.Advice }},
	{"unsaid", func(l *lessons.Lesson) any { return &l.Origin.Unsaid }},
	{"offer", func(l *lessons.Lesson) any { return &l.Offer.Content }},
	{"offer_insight", func(l *lessons.Lesson) any { return &l.Offer.Insight }},
	{"offer_example", func(l *lessons.Lesson) any { return &l.Offer.Example }},
	{"offer_category", func(l *lessons.Lesson) any { return (*string)(&l.Offer.Category) }},
	{"offer_by", func(l *lessons.Lesson) any { return &l.Offer.Extractor }},
	{"approved_by", func(l *lessons.Lesson) any { return &l.Elsewhere.By }},
	{"approved_at", func(l *lessons.Lesson) any { return &l.Elsewhere.At }},
	{"approved_signed", func(l *lessons.Lesson) any { return &l.Elsewhere.Signed }},
	{"approved_reason", func(l *lessons.Lesson) any { return &l.Elsewhere.Reason }},
	{"decided", func(l *lessons.Lesson) any { return &l.Decided.At }},
	{"decided_by", func(l *lessons.Lesson) any { return &l.Decided.By }},
	{"signed", func(l *lessons.Lesson) any { return &l.Decided.Signed }},
	{"reason", func(l *lessons.Lesson) any { return &l.Decided.Reason }},
	{"into", func(l *lessons.Lesson) any { return (*string)(&l.Decided.Into) }},
	{"until", func(l *lessons.Lesson) any { return &l.Decided.Until }},
	{"superseded_by", func(l *lessons.Lesson) any { return (*string)(&l.Decided.SupersededBy) }},
	{"holds_with", func(l *lessons.Lesson) any { return holdings(l) }},
	{"holds_without", func(l *lessons.Lesson) any { return &l.Without }},
	{"used", func(l *lessons.Lesson) any { return &l.Use.Used }},
	{"helped", func(l *lessons.Lesson) any { return &l.Use.Helped }},
	{"harmed", func(l *lessons.Lesson) any { return &l.Use.Harmed }},
	{"last_used", func(l *lessons.Lesson) any { return &l.Use.Last }},
	{"pinned", func(l *lessons.Lesson) any { return &l.Pinned }},
	{"guard", func(l *lessons.Lesson) any { return &l.Guard.Patterns }},
	{"guard_denies", func(l *lessons.Lesson) any { return &l.Guard.Deny }},
	{"guard_by", func(l *lessons.Lesson) any { return &l.Guard.By }},
	{"guard_of", func(l *lessons.Lesson) any { return (*string)(&l.Guard.Of) }},
	{"score_by", func(l *lessons.Lesson) any { return when(l.Proof.Own, byPerson) }},
	{"prior", func(l *lessons.Lesson) any { return &l.Proof.Prior }},
	{"alpha", func(l *lessons.Lesson) any { return &l.Proof.Alpha }},
	{"beta", func(l *lessons.Lesson) any { return &l.Proof.Beta }},
	{"outcomes", func(l *lessons.Lesson) any { return &l.Proof.Outcomes }},
	{"last_outcome", func(l *lessons.Lesson) any { return &l.Proof.Last }},
	{"confirmed", func(l *lessons.Lesson) any { return &l.Proof.Confirmed }},
	{"confirmations", func(l *lessons.Lesson) any { return &l.Proof.Confirmations }},
	{"evidence", func(l *lessons.Lesson) any { return links(l) }},
}

// octominds are the keys whose values are Octomind's to judge.
var octominds = lessons.WordSet("title memory_type importance confidence tags source role project scope created related evidence outcome last_used use_count")

// ours are the keys that [Decode] understands.
var ours = func() map[string]bool {
	m := lessons.WordSet("content memory_type importance confidence tags source role project created use_count title")
	for _, k := range keys {
		m[k.name] = true
	}
	return m
}()

// lists are the keys of lists that Octomind's rules cut at commas.
var lists = func() map[string]bool {
	m := lessons.WordSet("tags evidence holds_with")
	for _, k := range keys {
		if _, is := k.of(&lessons.Lesson{}).(*[]string); is && k.name != "guard" {
			m[k.name] = true
		}
	}
	return m
}()

// byPerson is the value of score_by for a score that a person set.
const byPerson = "person"

func when(is bool, value string) string {
	if is {
		return value
	}
	return ""
}

func holdings(l *lessons.Lesson) string {
	items := make([]string, len(l.HoldsWith))
	for i, h := range l.HoldsWith {
		items[i] = h.String()
	}
	return when(len(items) > 0, list(items))
}

func links(l *lessons.Lesson) string {
	all := make([]string, sessionEvidence(l.Evidence))
	for i := range all {
		all[i] = quoteYAML(l.Evidence[i].Path)
	}
	return when(len(all) > 0, "["+strings.Join(all, ",")+"]")
}

// text is what stands behind the key; "" for nothing.
func (k key) text(l *lessons.Lesson) string {
	switch v := k.of(l).(type) {
	case string:
		return v
	case *string:
		return when(*v != "", quoteYAML(*v))
	case *time.Time:
		return when(!v.IsZero(), quoteYAML(v.Format(stamp)))
	case *int:
		return when(*v != 0, strconv.Itoa(*v))
	case *float64:
		return when(*v != 0, strconv.FormatFloat(*v, 'f', -1, 64))
	case *lessons.Confidence:
		return when(*v != 0, strconv.FormatFloat(float64(*v), 'f', -1, 64))
	case *[]string:
		return when(len(*v) > 0, list(*v))
	case *bool:
		return when(*v, "true")
	}
	return ""
}

// read takes the value of the key from a file.
func (k key) read(d *decoder, l *lessons.Lesson) {
	switch v := k.of(l).(type) {
	case *string:
		*v = d.text(k.name)
	case *time.Time:
		*v = d.time(k.name)
	case *int:
		*v = d.count(k.name)
	case *float64:
		*v = d.weight(k.name)
	case *lessons.Confidence:
		*v = lessons.Confidence(d.weight(k.name))
	case *[]string:
		*v = d.list(k.name)
	case *bool:
		*v = d.truth(k.name)
	}
}

// normal brings the value of the key to its normal form.
func (k key) normal(l *lessons.Lesson) {
	switch v := k.of(l).(type) {
	case *string:
		*v = utf8Text(*v)
	case *time.Time:
		*v = normalTime(*v)
	case *int:
		*v = max(*v, 0)
	case *float64:
		*v = normalWeight(*v, maxWeight)
	case *lessons.Confidence:
		*v = lessons.Confidence(normalWeight(float64(v.Round()), 1))
	case *[]string:
		*v = terms(*v)
	}
}

// maxWeight is more than outcomes can add up to. It keeps a damaged file from
// outweighing everything else.
const maxWeight = 1e6

// normalWeight rounds to the four decimals that a file keeps.
func normalWeight(x, most float64) float64 {
	if !(x > 0) { // or NaN
		return 0
	}
	return math.Round(min(x, most)*1e4) / 1e4
}
