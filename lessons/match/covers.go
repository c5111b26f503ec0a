package match

import (
	"math"
	"slices"
)

const (
	// coveredShare is the share of a lesson's keywords that a text must have to say
	// it: one in five may be missing, and none of fewer than five.
	coveredShare = 0.8
	// leastCovered keeps a lesson of one keyword ("use pnpm") from being said
	// by every text that has the word.
	leastCovered = 2
)

// A Saying is a text prepared for [Saying.Covers], for texts that are compared with
// several others.
type Saying struct {
	normal   string
	keywords map[string]bool // with whether the text denies them
	words    map[string]int  // bare, as often as they stand there
	literals []string
	hinges   []string
}

// NewSaying reads a text.
func NewSaying(text string) Saying {
	s := Saying{normal: Normal(text), keywords: leanings(text, stem), words: map[string]int{}, literals: Literals(text), hinges: hinged(text)}
	count(s.words, text)
	return s
}

// Covers reports whether a text says what a lesson does, perhaps among other things:
// the text has four in five of the lesson's keywords and all of its literals, and of
// these it denies exactly what the lesson denies. A lesson of a single keyword is
// covered only by a text about nothing else, with the same negations and conjunctions.
//
// It is meant for instructions of a sentence or two: a long text has most words of
// many lessons.
func (s Saying) Covers(lesson Saying) bool {
	if s.normal == lesson.normal {
		return true
	}
	least := int(math.Ceil(coveredShare*float64(len(lesson.keywords)) - slack))
	switch n := len(lesson.keywords); {
	case n == 0 || len(s.keywords) < least:
		return false
	case n < leastCovered && (len(s.keywords) > n || !slices.Equal(s.hinges, lesson.hinges)):
		return false
	}
	both := 0
	for w, denied := range lesson.keywords {
		other, ok := s.keywords[w]
		if ok && other != denied {
			return false
		} else if ok {
			both++
		}
	}
	return both >= least && !slices.ContainsFunc(lesson.literals, func(l string) bool { return s.words[l] == 0 })
}
