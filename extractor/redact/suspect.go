package redact

import (
	"slices"

	"learnings/lessons"
)

// This file says what may be a secret although no rule is sure of it. Nothing is changed
// in a corpus for it: a person is asked before such a text leaves the machine, and programs
// and models get it masked.

// Suspects returns the words of a text that look like secrets and stand where no rule knows
// secrets: long random ones, and those that people make up as passwords. Paths, addresses,
// identifiers, versions and what calls itself a hash or an id are not among them.
func (r *Redactor) Suspects(s string) (words []string) {
	for _, f := range suspects(s) {
		words = append(words, s[f.from:f.to])
	}
	return words
}

// SuspectsIn returns the suspects of all texts of a lesson, each once.
func (r *Redactor) SuspectsIn(l lessons.Lesson) (words []string) {
	for _, t := range ownTexts(&l) {
		words = append(words, r.Suspects(*t)...)
	}
	for _, w := range slices.Concat(l.Tags, l.Triggers) {
		words = append(words, r.Suspects(w)...)
	}
	slices.Sort(words)
	return slices.Compact(words)
}

// Masked returns s without secrets and suspects.
func (r *Redactor) Masked(s string) string {
	s = r.Redact(s)
	return without(s, suspects(s))
}

// MaskedLesson returns l with a mark for each suspect, and without the tags and triggers
// that are one.
func (r *Redactor) MaskedLesson(l lessons.Lesson) lessons.Lesson {
	for _, t := range ownTexts(&l) {
		*t = without(*t, suspects(*t))
	}
	for _, terms := range []*[]string{&l.Tags, &l.Triggers} {
		*terms = slices.DeleteFunc(slices.Clone(*terms), func(w string) bool { return len(suspects(w)) > 0 })
	}
	return l
}

// Veiled returns a word in a form in which it can be shown: its ends, if it is long.
func Veiled(word string) string {
	if len(word) < 12 {
		return word[:1] + "…"
	}
	return word[:2] + "…" + word[len(word)-2:]
}

func suspects(s string) []span {
	found := judged(s, true)
	for _, at := range quotedWords().FindAllStringSubmatchIndex(s, -1) {
		if phraseValue(match{value: s[at[2]:at[3]]}) {
			found = append(found, span{at[2], at[3], "password"})
		}
	}
	return outside(marks(s), joined(found))
}

// quotedWords matches small words in quotes, as passphrases are, where code takes a value.
var quotedWords = lessons.LazyRegexp(`[(,=] ?["']((?:[a-z]{3,10} ){3,9}[a-z]{3,10})["']`)
