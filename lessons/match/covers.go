package match

import "math"

const (
	// coveredShare is how many of a lesson's keywords a text must have to say
	// it: of four keywords one may be missing when there are more, of fewer
	// than five none.
	coveredShare = 0.8
	// leastCovered keeps a lesson of one keyword ("use pnpm") from being said
	// by every text that has the word.
	leastCovered = 2
)

// Covers returns a test whether a text says what a lesson does, perhaps among
// other things: the text has four of five of the lesson's keywords and all of
// its literals, and denies what the lesson denies and nothing else of it. A
// lesson of a single keyword is covered only by a text that is about nothing
// else.
//
// It is meant for instructions, a sentence or two at a time: a long text has
// most words of many lessons.
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
