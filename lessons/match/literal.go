package match

import (
	"slices"
	"strings"
	"unicode"
)

// Normal returns the form of a text in which equal texts are the same: white space is
// a single blank, punctuation and quotes around words are gone, and words that are no
// literals are in lower case. What matters in a command stays: && and ||, the case of
// a flag, *.
func Normal(text string) string {
	return strings.Join(fields(text), " ")
}

// fields are the pieces of a text between blanks, bared, those that are no
// literals in lower case.
func fields(text string) []string {
	out := strings.Fields(text)
	for i, f := range out {
		f = bare(f)
		if !literal(f) && !allCaps(f) {
			f = strings.ToLower(f)
		}
		out[i] = f
	}
	return out
}

// edges are the characters that may surround a word in prose.
const edges = "`'\"“”‘’«»,;:!.()[]…*_"

const quotes = "`'\"“”‘’«»"

// bare removes the edges of a word if a letter or digit is left: ./... and && stay as
// they are.
func bare(f string) string {
	if left := strings.TrimLeft(f, quotes); left != "" && (alnumFirst(left) || strings.ContainsAny(left[:1], "-/.~$")) {
		f = left
	}
	left := strings.TrimLeft(f, edges)
	if left != "" && !strings.HasPrefix(f, ".") && alnumFirst(left) {
		f = left
	}
	right := strings.TrimRight(f, edges)
	if right != "" && alnumLast(right) {
		f = right
	}
	return f
}

func alnumFirst(s string) bool {
	for _, r := range s {
		return unicode.IsLetter(r) || unicode.IsDigit(r)
	}
	return false
}

func alnumLast(s string) bool {
	last := ' '
	for _, r := range s {
		last = r
	}
	return unicode.IsLetter(last) || unicode.IsDigit(last)
}

// allCaps are abbreviations and variables (PATH, CI), apart from words that are
// only stressed (NEVER).
func allCaps(w string) bool {
	if len(w) < 2 || w != strings.ToUpper(w) || w == strings.ToLower(w) {
		return false
	}
	return !stressed[w]
}

var stressed = setOf(`ALWAYS NEVER NOT NO DO DONT DON'T MUST ONLY ALL ANY BEFORE AFTER AND OR EVERY PLEASE SHOULD USE AVOID
	STOP NOTE IMPORTANT WARNING THE IS A AN`)

// Literals are the words of a text that stand for themselves, in order: numbers
// with their units, paths, flags, identifiers, variables, operators, and everything
// between quotes. Two texts that differ in one of them say different things.
func Literals(text string) []string {
	var out []string
	quoted := quotedFields(text)
	for i, f := range strings.Fields(text) {
		if b := bare(f); quoted[i] || literal(b) || allCaps(b) {
			out = append(out, b)
		}
	}
	return out
}

// SameLiterals reports whether each literal of one text is a word of the other,
// as often, in any order; quotes around it do not matter.
func SameLiterals(a, b string) bool { return holds(a, b) && holds(b, a) }

// Unfounded are the literals of a text that are a word of none of its sources, in
// order and each once. As with [SameLiterals], quotes do not matter, nor does a
// possessive 's.
func Unfounded(text string, sources ...string) []string {
	words := map[string]int{}
	for _, s := range sources {
		count(words, s)
	}
	var out []string
	for _, l := range Literals(text) {
		if words[l] == 0 && words[strings.TrimSuffix(l, "'s")] == 0 && !slices.Contains(out, l) {
			out = append(out, l)
		}
	}
	return out
}

// count counts the bare words of a text.
func count(words map[string]int, text string) {
	for _, f := range strings.Fields(text) {
		words[bare(f)]++
	}
}

func holds(text, other string) bool {
	words := map[string]int{}
	count(words, other)
	for _, l := range Literals(text) {
		if words[l]--; words[l] < 0 {
			return false
		}
	}
	return true
}

// literal reports whether the form of a bare word shows that it is no word of a
// language: it has digits, signs, or capitals inside.
func literal(w string) bool {
	signs, capitals := false, false
	for i, r := range w {
		if unicode.IsDigit(r) {
			return true
		}
		signs = signs || strings.ContainsRune(`_/\=<>|&$#@%+*~^{}-.:`, r)
		capitals = capitals || i > 0 && unicode.IsUpper(r)
	}
	return signs && !hyphenated(w) || capitals && !allUpper(w)
}

// hyphenated words (re-run, e.g, and/or) are no literals: letters, in lower
// case, with single joints between them. A name of a file (main.go) is one, so
// dots and slashes do not make a joint, but for a few words.
func hyphenated(w string) bool {
	switch strings.ToLower(w) {
	case "and/or", "e.g", "i.e", "etc.":
		return true
	}
	parts := strings.Split(w, "-")
	if len(parts) < 2 {
		return false
	}
	for _, p := range parts {
		if p == "" || strings.ContainsFunc(p, func(r rune) bool { return !unicode.IsLetter(r) }) {
			return false
		}
	}
	return true
}

func allUpper(w string) bool { return w == strings.ToUpper(w) }

// quotedFields says which fields lie between quotes of one kind: `a b`, "a b".
func quotedFields(text string) map[int]bool {
	out := map[int]bool{}
	field, open := -1, rune(0)
	blank := true
	for _, r := range text {
		if unicode.IsSpace(r) {
			blank = true
			continue
		}
		if blank {
			field++
			blank = false
		}
		switch {
		case open != 0 && r == open:
			open = 0
		case open != 0:
			out[field] = true
		case r == '`' || r == '"':
			open = r
		case r == '“':
			open = '”'
		}
	}
	return out
}

// Literal reports that the form of a word shows that it stands for itself: a number, a
// path, a flag, a name in code, an abbreviation.
func Literal(word string) bool { return literal(word) || allCaps(word) }
