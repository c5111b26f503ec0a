package lessons

import (
	"math"
	"strings"
)

// Repeats is the share of common keywords above which amplihack treats a new learning as
// a repeat of an existing one.
const Repeats = 0.6

// SharedKeywords returns the share of the shorter keyword list that the other lesson has
// too, ignoring case. It is 0 if either lesson has fewer than two keywords: one word is a
// subject, not a lesson.
func SharedKeywords(a, b Lesson) float64 {
	one, other := keywords(a), keywords(b)
	if len(one) < 2 || len(other) < 2 {
		return 0
	}
	both := 0
	for w := range one {
		if other[w] {
			both++
		}
	}
	return float64(both) / float64(min(len(one), len(other)))
}

func keywords(l Lesson) map[string]bool {
	out := map[string]bool{}
	for _, t := range l.Tags {
		if t = strings.ToLower(Line(t)); t != "" {
			out[t] = true
		}
	}
	return out
}

// Affirmed returns l after it was learned again as by: its confidence rises by a fifth of
// the distance between the higher of the two and 1, unless a person set it, and by's
// evidence is added. If l has that evidence already, Affirmed returns l unchanged.
func (l Lesson) Affirmed(by Lesson) Lesson {
	again := l.Witnessed(by.Evidence)
	if len(again.Evidence) == len(l.Evidence) {
		return l
	}
	if !again.Proof.Own {
		c := max(priorOf(again), by.Confidence)
		c += (1 - c) / 5
		again = raised(again, Confidence(math.Min(float64(c), 1)).Round())
	}
	return again
}
