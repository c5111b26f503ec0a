package kit

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// This file finds what is quoted in the turn from which it is: a person may have pasted
// sixty lines of which one is the evidence.

// knownBy is how many letters of a quote are enough to know where it begins or ends, when
// not all of it is as it was said: what is secret was taken out, or its end was cut.
const knownBy = 24

// Within finds a quote in a text, whatever the spaces between the words. It gives the
// bytes from the first to before the last.
func Within(text, quote string) (from, to int, ok bool) {
	all, at := squeezed(text)
	q, _ := squeezed(quote)
	if q == "" {
		return 0, 0, false
	}
	begin := func(i int) int { // of the letter
		from := at[i]
		for from > 0 && !utf8.RuneStart(text[from]) {
			from--
		}
		return from
	}
	if i := strings.Index(all, q); i >= 0 {
		return begin(i), at[i+len(q)-1] + 1, true
	}
	head, tail := q, q
	for i := range q {
		if utf8.RuneCountInString(q[:i]) == knownBy {
			head = q[:i]
			break
		}
	}
	for i := range q {
		if utf8.RuneCountInString(q[i:]) == knownBy {
			tail = q[i:]
			break
		}
	}
	i := strings.Index(all, head)
	if i < 0 || len(head) == len(q) {
		return 0, 0, false
	}
	end := i + len(head)
	if j := strings.Index(all[end:], tail); j >= 0 && j <= 2*len(q) {
		end += j + len(tail)
	}
	return begin(i), at[end-1] + 1, true
}

// squeezed is a text in small letters without spaces, and where each of its bytes is; of
// a letter of several bytes they all are at its last.
func squeezed(text string) (string, []int) {
	var b strings.Builder
	at := make([]int, 0, len(text))
	for i, r := range text {
		if unicode.IsSpace(r) {
			continue
		}
		last := i + max(utf8.RuneLen(r), 1) - 1
		if r == utf8.RuneError {
			last = i
		}
		b.WriteRune(unicode.ToLower(r))
		for len(at) < b.Len() {
			at = append(at, last)
		}
	}
	return b.String(), at
}

// LinesOf says which lines say a quote, from the first to before the last. All of them,
// or none, are 0 and 0: there is nothing to tell apart.
func LinesOf(lines []string, quote string) (from, to int) {
	text := strings.Join(lines, "\n")
	a, b, ok := Within(text, quote)
	if !ok {
		return 0, 0
	}
	from = strings.Count(text[:a], "\n")
	to = from + strings.Count(text[a:b], "\n") + 1
	if to-from == len(lines) {
		return 0, 0
	}
	return from, to
}

// AroundQuote is a text with a name in place of what is quoted of it, and so many letters
// before and after that it has about n. It is "" when nothing else is said there.
func AroundQuote(text, quote, name string, n int) string {
	a, b, ok := Within(text, quote)
	if !ok {
		return ""
	}
	before, after := strings.TrimSpace(text[:a]), strings.TrimLeft(text[b:], " .,;:!?\n")
	if !strings.ContainsFunc(before+after, unicode.IsLetter) {
		return ""
	}
	rest := max(n-len(name), 0)
	had := len(before)
	if half := rest / 2; len(before) > half && len(after) > rest-half {
		before = LastWords(before, half)
	} else if len(before)+len(after) > rest {
		before = LastWords(before, max(rest-len(after), half))
	}
	if len(before) < had {
		before = "… " + before
	}
	return strings.TrimSpace(before + " " + name + " " + after)
}

// LastWords are the last words of a text, of at most n bytes.
func LastWords(text string, n int) string {
	if len(text) <= n {
		return text
	}
	text = text[len(text)-n:]
	if _, words, ok := strings.Cut(text, " "); ok {
		return words
	}
	return strings.ToValidUTF8(text, "")
}
