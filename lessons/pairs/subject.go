package pairs

import (
	"maps"
	"slices"
)

// This file compares a text with a lesson by what each denies of its subject: whether it
// says the lesson, corrects it, or is about the same thing.

const (
	// onSubject is the share of the keywords of the shorter of two texts that the
	// longer one must have: amplihack's rule, relative to the smaller number.
	onSubject = 0.6
	// sharedKeywords keeps a text of one keyword from matching every subject.
	sharedKeywords = 2
	// leastCovered keeps a lesson of one keyword ("use pnpm") from being said
	// by every text that has the word.
	leastCovered = 2
)

// denials are words by which a sentence denies, forbids or replaces.
var denials = listed(`no not never don't dont doesn't didn't isn't aren't won't can't cannot shouldn't mustn't without avoid stop wrong nope instead
	rather longer nicht kein keine nie non pas jamais nunca nao не нет`)

func denies(w string) bool { return denials[w] }

// leanings are the stems of a text's keywords, with whether the text denies them: one of
// the two words before, articles and "as" aside, is a denial. A "no" that opens an answer is
// addressed to the agent and does not count.
func leanings(text string) map[string]bool {
	words := Words(text)
	if len(words) > 0 && (words[0] == "no" || words[0] == "nope") {
		words = words[1:]
	}
	words = slices.DeleteFunc(words, func(w string) bool { return w == "a" || w == "an" || w == "the" || w == "as" })
	out := map[string]bool{}
	for i, w := range words {
		if !common[w] {
			out[known().stem(w)] = slices.ContainsFunc(words[max(i-2, 0):i], denies)
		}
	}
	return out
}

// OnSubject reports whether two texts are about the same thing: they share at least
// 0.6 of the keywords of the shorter one, and at least two.
func OnSubject(a, b string) bool {
	x, y := leanings(a), leanings(b)
	both, _ := overlap(slices.Collect(maps.Keys(x)), slices.Collect(maps.Keys(y)))
	return both >= sharedKeywords && float64(both) >= onSubject*float64(min(len(x), len(y)))
}

// Corrects reports whether what a person said corrects a lesson: it is on its
// subject, denies or replaces something, and does not merely repeat the lesson.
func Corrects(said, lesson string) bool {
	return OnSubject(said, lesson) && slices.ContainsFunc(Words(said), denies) && !repeats(said, lesson)
}

// repeats reports whether a text has all keywords of a lesson, and denies those that
// the lesson denies.
func repeats(said, lesson string) bool {
	x := leanings(said)
	for w, denied := range leanings(lesson) {
		if other, ok := x[w]; !ok || other != denied {
			return false
		}
	}
	return true
}

// A Saying is a text prepared for [Saying.Covers], for texts that are compared with
// several others.
type Saying struct {
	text     string
	normal   string
	keywords map[string]bool // with whether the text denies them
	words    map[string]int  // bare, as often as they stand there
	literals []string
	hinges   []string
}

// NewSaying reads a text.
func NewSaying(text string) Saying {
	return Saying{text: text, normal: Normal(text), keywords: leanings(text), words: bareWords(text), literals: Literals(text), hinges: hinged(text)}
}

// Covers reports whether a text says what a lesson does, perhaps among other things:
// the text has four in five of the lesson's keywords and all of its literals, and of
// these it denies exactly what the lesson denies. A lesson of a single keyword is
// covered only by a text about nothing else, with the same negations and conjunctions.
// Both hold under the same conditions ([Narrower]).
//
// It is meant for instructions of a sentence or two: a long text has most words of
// many lessons.
func (s Saying) Covers(lesson Saying) bool {
	if s.normal == lesson.normal {
		return true
	}
	least := (4*len(lesson.keywords) + 4) / 5
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
	return both >= least && !slices.ContainsFunc(lesson.literals, func(l string) bool { return s.words[l] == 0 }) && SameConditions(s.text, lesson.text)
}
