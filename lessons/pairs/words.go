package pairs

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Words are the words of a text in order: runs of letters and digits in lower
// case, and what joins them inside of identifiers, paths and flags. In scripts
// without blanks each character is a word.
func Words(text string) []string {
	var out []string
	for s := range segments(text) {
		if first, _ := utf8.DecodeRuneInString(s); wordRune(first) {
			out = append(out, strings.ToLower(s))
		}
	}
	return out
}

// segments cuts a text into words and what is between them. Together they are the text.
func segments(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for len(text) > 0 {
			r, n := utf8.DecodeRuneInString(text)
			more := func(string, rune) bool { return false }
			switch {
			case ideograph(r):
			case wordRune(r):
				more = func(rest string, r rune) bool { return (wordRune(r) || joins(rest, r)) && !ideograph(r) }
			case unicode.IsSpace(r):
				more = func(_ string, r rune) bool { return unicode.IsSpace(r) }
			}
			for n < len(text) {
				r, size := utf8.DecodeRuneInString(text[n:])
				if !more(text[n+size:], r) {
					break
				}
				n += size
			}
			if !yield(text[:n]) {
				return
			}
			text = text[n:]
		}
	}
}

func wordRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '_'
}

// joins reports whether a character before the rest of a text stands inside of an
// identifier, a path, a version or a contraction.
func joins(rest string, r rune) bool {
	if !strings.ContainsRune("-./'’", r) {
		return false
	}
	next, _ := utf8.DecodeRuneInString(rest)
	return wordRune(next) && !ideograph(next)
}

func ideograph(r rune) bool {
	return r >= 0x0e00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// Jaccard is the share of the distinct words of two texts that both have, from 0
// to 1. Two texts without words have nothing in common.
func Jaccard(a, b string) float64 {
	both, all := overlap(Words(a), Words(b))
	return float64(both) / float64(max(all, 1))
}

// overlap is how many distinct words two lists have in common, and how many they have
// together.
func overlap(a, b []string) (both, all int) {
	in := setOf(a)
	all = len(in)
	for w := range setOf(b) {
		if in[w] {
			both++
		} else {
			all++
		}
	}
	return both, all
}

func setOf(words []string) map[string]bool {
	m := make(map[string]bool, len(words))
	for _, w := range words {
		m[w] = true
	}
	return m
}

func listed(words string) map[string]bool { return setOf(strings.Fields(words)) }

// Keywords are the words that say what a text is about: each once, in order,
// in lower case, without stop words, and English ones without their
// inflection. Words that negate or join (not, or) are no stop words here.
func Keywords(text string) []string {
	var out []string
	seen := map[string]bool{}
	for _, w := range Words(text) {
		for _, w := range expand(w) {
			if fillers[w] || prepositions[w] {
				continue
			}
			if w = known().stem(w); !seen[w] {
				seen[w] = true
				out = append(out, w)
			}
		}
	}
	return out
}

// expand takes contractions apart: in "don't" there is a "not".
func expand(w string) []string {
	w = strings.ReplaceAll(w, "’", "'")
	switch {
	case w == "can't" || w == "cannot":
		return []string{"can", "not"}
	case w == "won't":
		return []string{"will", "not"}
	case strings.HasSuffix(w, "n't"):
		return []string{strings.TrimSuffix(w, "n't"), "not"}
	}
	if stem, suffix, ok := strings.Cut(w, "'"); ok {
		switch suffix {
		case "s", "re", "ve", "ll", "d", "m":
			return []string{stem}
		}
	}
	return []string{w}
}

// fillers are words that a sentence can gain or lose without a change of meaning.
// Words that negate, join, give a direction, or say how binding something is (and,
// not, to, should, only) are not among them.
var fillers = listed(`a an the this that these those is are was were be been being am it its we our us you your i my
	do does did of there here just please also very really so then which`)

// prepositions, and the like, say nothing about the subject of a text.
var prepositions = listed(`as at by for from in into on to with will would should must can could may have has had when if but
	their they them than all any each every`)

// common are words that do not tell what a person speaks about.
var common = listed(`a an and are as at be but by can could do does for from had has have here how i if in into is it its just let
	make me must my need no not of on one only or our please should so some than that the their them then there these they this those to too up
	use used using was we were what when where which while who why will with would you your again also any both each every ever get go got more most new now
	before did does first yet only always never don't dont doesn't didn't isn't wrong actually instead rather stop avoid yes ok okay well said told want really still`)

// Common reports whether a word, in lower case, says nothing about a subject.
func Common(word string) bool { return common[word] }
