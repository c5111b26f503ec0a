package lessons

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
)

// A moment is one record of a session and the words quoted from it. The same moment can
// be read by rules and by a model, and be in several files, because agents copy the
// records of a forked or resumed session. Readers word lessons differently, so lessons
// are compared by moment.

// leastOverlap is the share of the shorter quote's words that the longer one must contain
// for both to quote the same words.
const leastOverlap = 0.6

// SameMoment reports whether two pieces of evidence quote the same or overlapping words
// of one record: one reader quotes a sentence, another the message. Records with ids are
// the same if the ids are; others if they are on the same line of the same session, or
// have the same time, as copies do.
func (e Evidence) SameMoment(o Evidence) bool {
	switch {
	case e.UUID != "" && o.UUID != "":
		if e.UUID != o.UUID {
			return false
		}
	case e.Line > 0 && e.Line == o.Line && e.Session != "" && e.Session == o.Session:
	case !e.At.IsZero() && e.At.Equal(o.At):
	case e.Session != "" && e.Session == o.Session && (e.unplaced() || o.unplaced()):
	default:
		return false
	}
	return e.Quote == o.Quote || overlap(e.Quote, o.Quote) >= leastOverlap
}

// unplaced reports whether only a hook was told the words, before the transcript had them.
func (e Evidence) unplaced() bool { return e.From == FromAsked && e.Line == 0 && e.UUID == "" }

// Records returns keys for the records that a lesson was made from, the same for copies.
// Two lessons that share a moment have a key in common.
func Records(l Lesson) []string {
	var out []string
	for _, e := range l.Evidence {
		if e.Opposes() || e.Quote == "" {
			continue
		}
		if e.UUID != "" {
			out = append(out, e.UUID)
		}
		if e.Session != "" && e.Line > 0 {
			out = append(out, fmt.Sprintf("%s:%d", e.Session, e.Line))
		}
		if !e.At.IsZero() {
			out = append(out, e.At.UTC().Format(time.RFC3339Nano))
		}
	}
	return out
}

// overlap returns the share of the shorter text's words that the longer one contains.
func overlap(a, b string) float64 {
	x, y := quoteWords(a), quoteWords(b)
	if len(x) > len(y) {
		x, y = y, x
	}
	if len(x) == 0 {
		return 0
	}
	has := make(map[string]int, len(y))
	for _, w := range y {
		has[w]++
	}
	both := 0
	for _, w := range x {
		if has[w] > 0 {
			has[w]--
			both++
		}
	}
	return float64(both) / float64(len(x))
}

func quoteWords(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// Taken returns a proposal with the offered wording and its author; false if nothing is
// offered. Fields that the offer leaves empty stay. It is an edit, for a person to make.
func (o Offer) Taken(l Lesson) (Lesson, bool) {
	if o.Content == "" || l.Status != Pending {
		return l, false
	}
	l.Content, l.Category = o.Content, cmp.Or(o.Category, l.Category)
	l.Insight, l.Example = cmp.Or(o.Insight, l.Insight), cmp.Or(o.Example, l.Example)
	l.Origin.Rule = strings.TrimPrefix(l.Origin.Rule+"; worded by "+o.Extractor, "; ")
	text := l.Content + "\n" + l.Insight + "\n" + l.Example
	l.Origin.Unsaid = slices.DeleteFunc(slices.Clone(l.Origin.Unsaid), func(w string) bool { return !strings.Contains(text, w) })
	l.Offer = Offer{}
	return l, true
}

// Turn is what the place of a proposal in the queue is by before all else: its lane, as in
// [QueueLanes], and in a lane what a person asked to have remembered, then what is sure.
// Other lessons come last. lane is that of [LaneOf].
func (l Lesson) Turn(lane Lane) int {
	at := slices.Index(QueueLanes, lane)
	switch {
	case at < 0:
		return 3 * len(QueueLanes)
	case l.Asked():
		return 3 * at
	case l.Trust() == Sure:
		return 3*at + 1
	}
	return 3*at + 2
}

// InQueue compares proposals in queue order: by [Lesson.Turn], then by number of sessions,
// then the newest, then by id.
func InQueue(a, b Lesson) int {
	return cmp.Or(cmp.Compare(a.Turn(LaneOf(a)), b.Turn(LaneOf(b))), cmp.Compare(Sessions(b.Evidence), Sessions(a.Evidence)),
		b.Created.Compare(a.Created), cmp.Compare(a.ID, b.ID))
}

// SaidAgain says in how many sessions a lesson was said; "" if in one.
func SaidAgain(all []Evidence) string {
	if n := Sessions(all); n > 1 {
		return fmt.Sprintf("said in %d sessions", n)
	}
	return ""
}

// Sessions counts the sessions in which a lesson was said or shown. Copies of a record
// count once; evidence against the lesson does not count.
func Sessions(all []Evidence) int {
	var said []Evidence
	seen := map[string]bool{}
	for _, e := range all {
		if e.Opposes() || slices.ContainsFunc(said, e.SameMoment) {
			continue
		}
		said = append(said, e)
		seen[e.Session] = true
	}
	return len(seen)
}
