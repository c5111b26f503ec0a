package lessons

import (
	"math"
	"strings"
)

// Repeats is the share of keywords above which amplihack takes a new learning for one
// that is there.
const Repeats = 0.6

// SharedKeywords is the share of the keywords of the one lesson, of the two that has
// fewer, which the other has, too, in whatever case. A lesson with fewer than two
// keywords shares none: one word is a subject, and no lesson.
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

// Affirmed is a lesson that was learned again as another one: its confidence rises
// by a fifth of what the higher of both lacks to 1, unless a person has set it, and
// the evidence of the other is added to its own. It is the lesson as it was when it
// has that evidence already.
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
