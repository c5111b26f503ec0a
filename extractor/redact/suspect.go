package redact

import (
	"slices"
	"strings"

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

func suspects(s string) (out []span) {
	at := 0
	for line := range strings.Lines(s) {
		named := namesIDs().MatchString(line)
		for _, f := range roleWords(line, func(w string) bool { return suspect(w, named) }) {
			out = append(out, span{at + f.from, at + f.to, "suspect"})
		}
		at += len(line)
	}
	return outside(marks(s), out)
}

// namesIDs matches a line that speaks of hashes or ids.
var namesIDs = lessons.LazyRegexp(`(?i)\b(?:commit|sha-?\d*|rev(?:ision)?|hash|checksum|digest|etag|integrity|go\.sum|md5|blob|tree|branch|tag|git|image|trace|span|session|request|ulid|nanoid|uuid|guid|id|cache|pod|build|container)s?\b|_id\b|_sha\b`)

// suspect judges one word of a line; named says that the line speaks of hashes or ids.
func suspect(w string, named bool) bool {
	signs := strings.ContainsAny(w, strongSigns)
	switch {
	case len(w) < 8 || harmless(w) || pathLike(w) || codeLike(w) || techWords().MatchString(w) || ulid().MatchString(w) || uuidish().MatchString(w):
		return false
	case !signs && (named || wordy(w)) || strings.Contains(w, "/") && len(w) < 32:
		return false
	case hexOnly().MatchString(w):
		return len(w) >= 32
	}
	return generated(w) || peopleChoose(w) && strongMix(w)
}
