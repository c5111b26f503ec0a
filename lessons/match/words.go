package match

import (
	"strings"
	"unicode/utf8"
)

// eachWord calls f with each of the [Words] of a text. The argument of f is valid
// only during the call; buf is scratch memory, returned for use with the next text.
// For ASCII, as most lessons are, it allocates nothing.
func eachWord(text string, buf []byte, f func(word []byte)) []byte {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			for _, w := range Words(text) {
				buf = append(buf[:0], w...)
				f(buf)
			}
			return buf
		}
	}
	for i := 0; i < len(text); {
		if !asciiLetter(text[i]) {
			i++
			continue
		}
		buf = buf[:0]
		for i < len(text) && (asciiLetter(text[i]) || asciiJoins(text, i)) {
			c := text[i]
			if c >= 'A' && c <= 'Z' {
				c += 'a' - 'A'
			}
			buf = append(buf, c)
			i++
		}
		f(buf)
	}
	return buf
}

func asciiLetter(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_'
}

func asciiJoins(s string, i int) bool {
	switch s[i] {
	case '-', '.', '/', '\'':
		return i+1 < len(s) && asciiLetter(s[i+1])
	}
	return false
}

// Keywords are the words that say what a text is about: each once, in order,
// in lower case, without stop words, and English ones without their
// inflection. Words that negate or join (not, or) are no stop words here.
func Keywords(text string) []string {
	var out []string
	seen := map[string]bool{}
	for _, w := range Words(text) {
		for _, w := range expand(w) {
			if commonWords[w] {
				continue
			}
			if w = stem(w); !seen[w] {
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
var fillers = setOf(`a an the this that these those is are was were be been being am it its we our us you your i my
	do does did of there here just please also very really so then which`)

// commonWords are fillers and others that say nothing about the subject of a text.
var commonWords = func() map[string]bool {
	m := setOf(`as at by for from in into on to with will would should must can could may have has had when if but
		their they them than all any each every`)
	for w := range fillers {
		m[w] = true
	}
	return m
}()

func setOf(words string) map[string]bool { return set(strings.Fields(words)) }

// stem takes the inflection off an English word: plural, past, -ing and a last
// e, after the steps 1 and 5a of M. F. Porter's algorithm (Program 14, 1980).
// Two words with one stem are forms of one word; the steps that join
// derivations (-ation, -ness) are left out. A word that has other characters than
// the letters a to z is returned as it is.
func stem(w string) string {
	if len(w) < 3 {
		return w
	}
	for i := range len(w) {
		if w[i] < 'a' || w[i] > 'z' {
			return w
		}
	}
	switch {
	case strings.HasSuffix(w, "sses"), strings.HasSuffix(w, "ies") && len(w) > 4:
		w = w[:len(w)-2]
	case strings.HasSuffix(w, "ss"), strings.HasSuffix(w, "us"), strings.HasSuffix(w, "is"):
	case strings.HasSuffix(w, "s") && hasVowel(w[:len(w)-1]) && len(w) > 3:
		w = w[:len(w)-1]
	}
	switch {
	case strings.HasSuffix(w, "eed"):
		if vowelRuns(w[:len(w)-3]) > 0 {
			w = w[:len(w)-1]
		}
	case strings.HasSuffix(w, "ed") && hasVowel(w[:len(w)-2]):
		w = mend(w[:len(w)-2])
	case strings.HasSuffix(w, "ing") && hasVowel(w[:len(w)-3]):
		w = mend(w[:len(w)-3])
	}
	if strings.HasSuffix(w, "y") && len(w) > 2 && hasVowel(w[:len(w)-1]) {
		w = w[:len(w)-1] + "i"
	}
	if s, ok := strings.CutSuffix(w, "e"); ok {
		if m := vowelRuns(s); m > 1 || m == 1 && !shortEnd(s) {
			w = s
		}
	}
	return w
}

// mend puts right what -ed and -ing leave: creat(e), stop(p), us(e).
func mend(w string) string {
	n := len(w)
	switch {
	case strings.HasSuffix(w, "at"), strings.HasSuffix(w, "bl"), strings.HasSuffix(w, "iz"):
		return w + "e"
	case n > 1 && w[n-1] == w[n-2] && !vowel(w, n-1) && !strings.ContainsRune("lsz", rune(w[n-1])):
		return w[:n-1]
	case vowelRuns(w) == 1 && shortEnd(w) || n == 2 && vowel(w, 0) && !vowel(w, 1):
		return w + "e"
	}
	return w
}

func vowel(w string, i int) bool {
	switch w[i] {
	case 'a', 'e', 'i', 'o', 'u':
		return true
	case 'y':
		return i > 0 && !vowel(w, i-1)
	}
	return false
}

func hasVowel(w string) bool {
	for i := range len(w) {
		if vowel(w, i) {
			return true
		}
	}
	return false
}

// vowelRuns is Porter's measure: how often a vowel is followed by a consonant.
func vowelRuns(w string) int {
	n := 0
	for i := 1; i < len(w); i++ {
		if vowel(w, i-1) && !vowel(w, i) {
			n++
		}
	}
	return n
}

// shortEnd is Porter's *o: consonant, vowel, consonant other than w, x, y.
func shortEnd(w string) bool {
	n := len(w)
	return n > 2 && !vowel(w, n-1) && vowel(w, n-2) && !vowel(w, n-3) && !strings.ContainsRune("wxy", rune(w[n-1]))
}
