package match

import "math"

const (
	// coveredShare is the share of a lesson's keywords that a text must have to say
	// it: one in five may be missing, and none of fewer than five.
	coveredShare = 0.8
	// leastCovered keeps a lesson of one keyword ("use pnpm") from being said
	// by every text that has the word.
	leastCovered = 2
)

// Covers returns a function that reports whether a text says what a lesson does,
// perhaps among other things: the text has four in five of the lesson's keywords and
// all of its literals, and of these it denies exactly what the lesson denies. A lesson
// of a single keyword is covered only by a text about nothing else.
//
// It is meant for instructions of a sentence or two: a long text has most words of
// many lessons.
func Covers(lesson string) func(text string) bool {
	says := leanings(lesson, stem)
	least := int(math.Ceil(coveredShare*float64(len(says)) - slack))
	return func(text string) bool {
		if Normal(lesson) == Normal(text) {
			return true
		}
		told := leanings(text, stem)
		if len(says) == 0 || len(told) < least || len(says) < leastCovered && len(told) > len(says) {
			return false
		}
		both := 0
		for w, denied := range says {
			other, ok := told[w]
			switch {
			case ok && other != denied:
				return false
			case ok:
				both++
			}
		}
		return both >= least && holds(lesson, text)
	}
}
