package pairs

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Normal returns a text in normal form for comparison: single blanks, no punctuation or
// quotes around words, and lower case except for literals. What matters in a command
// stays: && and ||, the case of a flag, *.
func Normal(text string) string { return strings.Join(fields(text), " ") }

// fields returns the words of [Normal].
func fields(text string) []string {
	out := strings.Fields(text)
	for i, f := range out {
		if f = bare(f); !Literal(f) {
			f = strings.ToLower(f)
		}
		out[i] = f
	}
	return out
}

const quotes = "`'\"“”‘’«»"

// edges are the characters that may surround a word in prose.
const edges = quotes + ",;:!.()[]…*_"

// bare removes the edges of a word if a letter or digit is left: ./... and && stay as
// they are.
func bare(f string) string {
	alnum := func(r rune, _ int) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	if left := strings.TrimLeft(f, quotes); left != "" && (alnum(utf8.DecodeRuneInString(left)) || strings.ContainsAny(left[:1], "-/.~$")) {
		f = left
	}
	if left := strings.TrimLeft(f, edges); !strings.HasPrefix(f, ".") && alnum(utf8.DecodeRuneInString(left)) {
		f = left
	}
	if right := strings.TrimRight(f, edges); alnum(utf8.DecodeLastRuneInString(right)) {
		f = right
	}
	return f
}

// Literal reports whether a bare word looks like a literal rather than a word of a
// language: it has digits, signs or inner capitals, or is an abbreviation or variable
// (PATH, CI), but not just stressed (NEVER).
func Literal(w string) bool {
	return literal(w) || len(w) > 1 && allUpper(w) && w != strings.ToLower(w) && !is(strings.ToLower(w), isStressed)
}

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

func allUpper(w string) bool { return w == strings.ToUpper(w) }

// hyphenated words (re-run, e.g, and/or) are not literals: letters joined by single
// hyphens. A file name (main.go) is a literal, so dots and slashes join only a few known
// words.
func hyphenated(w string) bool {
	switch strings.ToLower(w) {
	case "and/or", "e.g", "i.e", "etc.":
		return true
	}
	for p := range strings.SplitSeq(w, "-") {
		if p == "" || strings.ContainsFunc(p, func(r rune) bool { return !unicode.IsLetter(r) }) {
			return false
		}
	}
	return strings.Contains(w, "-")
}

// Literals returns the literals of a text in order: numbers with their units, paths,
// flags, identifiers, variables, operators, and quoted text. Texts that differ in one say
// different things.
func Literals(text string) []string {
	var out []string
	end := rune(0) // of the quotation
	for f := range strings.FieldsSeq(text) {
		quoted := false
		for _, r := range f {
			switch {
			case end != 0 && r == end:
				end = 0
			case end != 0:
				quoted = true
			case r == '`' || r == '"':
				end = r
			case r == '“':
				end = '”'
			}
		}
		if b := bare(f); quoted || Literal(b) {
			out = append(out, b)
		}
	}
	return out
}

// SameLiterals reports whether each literal of one text is a word of the other, equally
// often, in any order, ignoring quotes.
func SameLiterals(a, b string) bool { return holds(a, b) && holds(b, a) }

func holds(text, other string) bool {
	words := bareWords(other)
	for _, l := range Literals(text) {
		if words[l]--; words[l] < 0 {
			return false
		}
	}
	return true
}

// bareWords counts the bare words of some texts.
func bareWords(texts ...string) map[string]int {
	words := map[string]int{}
	for _, text := range texts {
		for f := range strings.FieldsSeq(text) {
			words[bare(f)]++
		}
	}
	return words
}

// Unfounded returns the literals of a text that are in none of its sources, in order,
// each once. It ignores quotes and a possessive 's.
func Unfounded(text string, sources ...string) []string {
	words := bareWords(sources...)
	var out []string
	for _, l := range Literals(text) {
		if words[l] == 0 && words[strings.TrimSuffix(l, "'s")] == 0 && !slices.Contains(out, l) {
			out = append(out, l)
		}
	}
	return out
}
