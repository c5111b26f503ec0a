package match

import (
	"slices"
	"strings"
)

// This file decides whether a person who corrects an agent speaks about a lesson.

const (
	// onSubject is the share of the keywords of the shorter of two texts that the
	// longer one must have: amplihack's rule, relative to the smaller number.
	onSubject = 0.6
	// sharedKeywords keeps a text of one keyword from matching every subject.
	sharedKeywords = 2
)

// common are words that say nothing about a subject.
var common = set(strings.Fields(`a an and are as at be but by can could do does for from had has have here how i if in into is it its just let
	make me must my need no not of on one only or our please should so some than that the their them then there these they this those to too up
	use used using was we were what when where which while who why will with would you your again also any both each every ever get go got more most new now
	before did does first yet only always never don't dont doesn't didn't isn't wrong actually instead rather stop avoid yes ok okay well said told want really still`))

// Common reports whether a word, in lower case, says nothing about a subject.
func Common(word string) bool { return common[word] }

// denials are words by which a sentence denies, forbids or replaces.
var denials = set(strings.Fields(`no not never don't dont doesn't didn't isn't aren't won't can't cannot shouldn't mustn't without avoid stop wrong nope instead
	rather longer nicht kein keine nie non pas jamais nunca nao не нет`))

// keywords are the words of a text that say what it is about.
func keywords(text string) map[string]bool {
	out := map[string]bool{}
	for _, w := range Words(text) {
		if !common[w] {
			out[singular(w)] = true
		}
	}
	return out
}

func singular(w string) string {
	if len(w) > 3 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") {
		return w[:len(w)-1]
	}
	return w
}

// OnSubject reports whether two texts are about the same thing: they share at least
// 0.6 of the keywords of the shorter one, and at least two.
func OnSubject(a, b string) bool {
	x, y := keywords(a), keywords(b)
	both := 0
	for w := range x {
		if y[w] {
			both++
		}
	}
	return both >= sharedKeywords && float64(both) >= onSubject*float64(min(len(x), len(y)))
}

// Corrects reports whether what a person said corrects a lesson: it is on its
// subject, denies or replaces something, and does not merely repeat the lesson.
func Corrects(said, lesson string) bool {
	return OnSubject(said, lesson) && slices.ContainsFunc(Words(said), func(w string) bool { return denials[w] }) && !repeats(said, lesson)
}

// repeats reports whether a text has all keywords of a lesson, and denies those that
// the lesson denies.
func repeats(said, lesson string) bool {
	x, y := leanings(said, singular), leanings(lesson, singular)
	for w, denied := range y {
		if other, ok := x[w]; !ok || other != denied {
			return false
		}
	}
	return true
}

// leanings are the keywords of a text, with whether the text denies them: one
// of the two words before is a denial. A "no" that opens an answer is addressed to
// the agent and does not count. The second argument gives words the form in which they
// are compared.
func leanings(text string, form func(string) string) map[string]bool {
	words := Words(text)
	if len(words) > 0 && (words[0] == "no" || words[0] == "nope") {
		words = words[1:]
	}
	out := map[string]bool{}
	for i, w := range words {
		if !common[w] {
			before := words[max(i-2, 0):i]
			out[form(w)] = slices.ContainsFunc(before, func(w string) bool { return denials[w] })
		}
	}
	return out
}
