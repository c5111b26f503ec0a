package kit

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// This file finds quoted evidence in its turn, which may be much longer, such as a paste
// of sixty lines.

// knownBy is how many letters identify the beginning or end of a quote that differs from
// the text because a secret was removed or its end was cut.
const knownBy = 24

// Within finds quote in text, ignoring white space. It returns the byte range [from, to).
func Within(text, quote string) (from, to int, ok bool) {
	all, at := squeezed(text)
	q, _ := squeezed(quote)
	if q == "" {
		return 0, 0, false
	}
	begin := func(i int) int { // where letter i begins
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

// squeezed returns text in lower case without white space, and the offset in text of each
// byte. All bytes of a letter have the offset of its last byte.
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

// LinesOf returns the range [from, to) of lines that contain quote. It returns 0, 0 if
// all lines or none do, since there is nothing to set apart.
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

// AroundQuote replaces quote with name in text and cuts the rest to about n letters
// around it. It returns "" if the text has nothing but the quote.
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

// LastWords returns the last words of text, at most n bytes.
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
