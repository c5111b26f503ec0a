// Package match says which lessons say the same, and where two texts differ.
// It is pure, and knows nothing of rarity: it compares two texts as they are.
package match

import (
	"strings"
	"unicode"
)

// Alike is the word Jaccard from which on two lessons of one category say the
// same: Gimli's rule. It proposes and does not decide, because in technical
// texts one number or path that differs makes another lesson.
const Alike = 0.8

// Words are the words of a text in order: runs of letters and digits in lower
// case, and what joins them inside of identifiers, paths and flags. In scripts
// without blanks each character is a word.
func Words(text string) []string {
	var out []string
	for _, t := range tokens(text) {
		if isWord(t) {
			out = append(out, strings.ToLower(t))
		}
	}
	return out
}

// Jaccard is the share of the distinct words of two texts that both have, from 0
// to 1. Two texts without words have nothing in common.
func Jaccard(a, b string) float64 { return jaccard(set(Words(a)), set(Words(b))) }

func jaccard(a, b map[string]bool) float64 {
	both := 0
	for w := range a {
		if b[w] {
			both++
		}
	}
	if both == 0 {
		return 0
	}
	return float64(both) / float64(len(a)+len(b)-both)
}

func set(words []string) map[string]bool {
	m := make(map[string]bool, len(words))
	for _, w := range words {
		m[w] = true
	}
	return m
}

// tokens cuts a text into words and what is between them. Together they are the
// text.
func tokens(text string) []string {
	rs := []rune(text)
	var out []string
	for i := 0; i < len(rs); {
		start := i
		switch {
		case ideograph(rs[i]):
			i++
		case letter(rs[i]):
			for i < len(rs) && (letter(rs[i]) || joins(rs, i)) && !ideograph(rs[i]) {
				i++
			}
		case unicode.IsSpace(rs[i]):
			for i < len(rs) && unicode.IsSpace(rs[i]) {
				i++
			}
		default:
			i++
		}
		out = append(out, string(rs[start:i]))
	}
	return out
}

func isWord(token string) bool {
	for _, r := range token {
		return letter(r)
	}
	return false
}

func letter(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '_'
}

// joins reports whether a character stands inside of an identifier, a path, a
// version or a contraction.
func joins(rs []rune, i int) bool {
	return strings.ContainsRune("-./'’", rs[i]) && i+1 < len(rs) && letter(rs[i+1]) && !ideograph(rs[i+1])
}

func ideograph(r rune) bool {
	return r >= 0x0e00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}
