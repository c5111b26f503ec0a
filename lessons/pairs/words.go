package pairs

import (
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/aymanbagabas/go-udiff/lcs"

	"learnings/lessons"
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
	in := lessons.SetOf(a)
	all = len(in)
	for w := range lessons.SetOf(b) {
		if in[w] {
			both++
		} else {
			all++
		}
	}
	return both, all
}

// Keywords are the words that say what a text is about: each once, in order,
// in lower case, without stop words, and English ones without their
// inflection. Words that negate or join (not, or) are no stop words here.
func Keywords(text string) []string {
	var out []string
	seen := map[string]bool{}
	for _, w := range Words(text) {
		for _, w := range expand(w) {
			if is(w, isFiller|isPreposition) {
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

// Common reports whether a word, in lower case, says nothing about a subject.
func Common(word string) bool { return is(word, isPlain) }

// An Op says whether a piece of text was kept, deleted or inserted.
type Op string

const (
	Keep   Op = "keep"
	Delete Op = "delete"
	Insert Op = "insert"
)

// A Span is a piece of text and its Op.
type Span struct {
	Text string
	Op   Op
}

// WordDiff returns the difference from a to b by words. The kept and deleted spans
// together are a, the kept and inserted ones b, including all blanks. Adjacent spans
// differ in kind, and a deletion precedes the insertion that replaces it.
//
// If some hundred words or more differ, the diff may not be minimal.
func WordDiff(a, b string) []Span {
	x, y := slices.Collect(segments(a)), slices.Collect(segments(b))
	var out []Span
	add := func(op Op, words []string) {
		if len(words) > 0 {
			out = append(out, Span{strings.Join(words, ""), op})
		}
	}
	at := 0
	for _, d := range together(x, lcs.DiffLines(x, y)) {
		add(Keep, x[at:d.Start])
		add(Delete, x[d.Start:d.End])
		add(Insert, y[d.ReplStart:d.ReplEnd])
		at = d.End
	}
	add(Keep, x[at:])
	return out
}

// Marked returns the difference from a to b as plain text in the manner of wdiff:
// [-gone-] and {+new+}. If either is empty there is nothing to compare.
func Marked(a, b string) string {
	switch {
	case a == "":
		return b
	case b == "":
		return "[-" + a + "-]"
	}
	var out strings.Builder
	for _, s := range WordDiff(a, b) {
		text := strings.TrimRight(s.Text, " ")
		blanks := s.Text[len(text):]
		switch {
		case text == "" || s.Op == Keep:
			out.WriteString(s.Text)
		case s.Op == Delete:
			out.WriteString("[-" + text + "-]" + blanks)
		default:
			out.WriteString("{+" + text + "+}" + blanks)
		}
	}
	return out.String()
}

// together joins two replacements separated by a blank: "old words" for "new text" reads
// better than word by word.
func together(x []string, diffs []lcs.Diff) []lcs.Diff {
	replaces := func(d lcs.Diff) bool { return d.Start < d.End && d.ReplStart < d.ReplEnd }
	var out []lcs.Diff
	for _, d := range diffs {
		if n := len(out) - 1; n >= 0 && (out[n].End == d.Start ||
			replaces(out[n]) && replaces(d) && strings.TrimSpace(strings.Join(x[out[n].End:d.Start], "")) == "") {
			out[n].End, out[n].ReplEnd = d.End, d.ReplEnd
			continue
		}
		out = append(out, d)
	}
	return out
}
