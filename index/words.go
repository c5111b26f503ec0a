package index

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/bleve/v2/analysis"
	"github.com/blevesearch/bleve/v2/analysis/token/porter"
)

// This file defines what a word is. The rules are:
//
//   - Letters and digits make words, in lower case; English ones are stemmed and stop words
//     left out.
//   - An identifier (snake_case, camelCase, kebab-case, dotted.name) is both one word and the
//     words it is made of, so that `go.mod` is found exactly and `parseQuery` by "query".
//   - Scripts without blanks between words are cut into pairs of characters.

// stopWords are left out of texts and queries: Lucene's classic list.
var stopWords = map[string]bool{
	"a": true, "an": true, "and": true, "are": true, "as": true, "at": true, "be": true, "but": true, "by": true,
	"for": true, "if": true, "in": true, "into": true, "is": true, "it": true, "no": true, "not": true, "of": true,
	"on": true, "or": true, "such": true, "that": true, "the": true, "their": true, "then": true, "there": true,
	"these": true, "they": true, "this": true, "to": true, "was": true, "will": true, "with": true,
}

// maxWord is the most bytes of an indexed word. Anything longer is no word (base64, a
// minified line) and would only fill the dictionary.
const maxWord = 64

// A word is a position in a text and the term it is indexed under.
type word struct {
	term       string
	start, end int  // bytes
	pos        int  // position in words, from 1; an identifier shares that of its first part
	whole      bool // it is an identifier of several words, which precede it
}

// Words returns the distinct words of a text as search sees them, in order: in lower case,
// stemmed, and without stop words.
func Words(text string) []string {
	var out []string
	seen := map[string]bool{}
	for _, w := range split(text, root) {
		if !seen[w.term] {
			seen[w.term] = true
			out = append(out, w.term)
		}
	}
	return out
}

// split cuts a text into words, with [root] or a cache of it.
func split(text string, root func(string) string) []word {
	s := splitter{text: text, out: make([]word, 0, len(text)/6+1), root: root}
	s.all()
	return s.out
}

type splitter struct {
	text string
	out  []word
	pos  int
	root func(string) string // see [root]
}

func (s *splitter) all() {
	for i := 0; i < len(s.text); {
		r, n := utf8.DecodeRuneInString(s.text[i:])
		switch {
		case unspaced(r):
			i = s.pairs(i)
		case wordRune(r):
			i = s.compound(i)
		default:
			i += n
		}
	}
}

// compound reads a word or an identifier of several words from i on, and returns its end.
func (s *splitter) compound(i int) int {
	start, end, parts := i, i, 0
	first := len(s.out)
	for {
		end = s.part(end, &parts)
		next, n := utf8.DecodeRuneInString(s.text[end:])
		if n == 0 || !joins(next) {
			break
		}
		after, _ := utf8.DecodeRuneInString(s.text[end+n:])
		if !wordRune(after) || unspaced(after) {
			break
		}
		end += n
	}
	if whole := strings.ToLower(s.text[start:end]); parts > 1 && len(whole) <= maxWord {
		pos := s.pos
		if len(s.out) > first {
			pos = s.out[first].pos
		}
		s.out = append(s.out, word{term: stem(whole), start: start, end: end, pos: max(pos, 1), whole: true})
	}
	return end
}

// part reads between two joints of an identifier: one word, or several in camelCase.
func (s *splitter) part(i int, parts *int) int {
	begin := i
	var last rune
	for i < len(s.text) {
		r, n := utf8.DecodeRuneInString(s.text[i:])
		if !wordRune(r) || unspaced(r) {
			break
		}
		if unicode.IsUpper(r) && i > begin {
			after, _ := utf8.DecodeRuneInString(s.text[i+n:])
			if unicode.IsLower(last) || (unicode.IsUpper(last) && unicode.IsLower(after)) {
				s.add(begin, i)
				*parts++
				begin = i
			}
		}
		last = r
		i += n
	}
	s.add(begin, i)
	*parts++
	return apostrophe(s.text, i)
}

// apostrophe skips the rest of a possessive or a contraction.
func apostrophe(text string, i int) int {
	for _, a := range [...]string{"'", "’"} {
		rest, ok := strings.CutPrefix(text[i:], a)
		if !ok {
			continue
		}
		for _, tail := range [...]string{"s", "t", "re", "ve", "ll", "d", "m"} {
			if len(rest) >= len(tail) && strings.EqualFold(rest[:len(tail)], tail) {
				after, _ := utf8.DecodeRuneInString(rest[len(tail):])
				if !wordRune(after) {
					return i + len(a) + len(tail)
				}
			}
		}
	}
	return i
}

func (s *splitter) add(start, end int) {
	if end == start || end-start > maxWord {
		return
	}
	s.pos++ // a stop word keeps its position, so that no phrase matches across it
	if term := s.root(s.text[start:end]); term != "" {
		s.out = append(s.out, word{term: term, start: start, end: end, pos: s.pos})
	}
}

// root returns the term for a word, in lower case and stemmed; "" for a stop word.
func root(w string) string {
	w = strings.ToLower(w)
	if stopWords[w] {
		return ""
	}
	return stem(w)
}

// pairs reads a run of characters that are written without blanks.
func (s *splitter) pairs(i int) int {
	prev, count := -1, 0
	for i < len(s.text) {
		r, n := utf8.DecodeRuneInString(s.text[i:])
		if !unspaced(r) {
			break
		}
		if prev >= 0 {
			s.pos++
			s.out = append(s.out, word{term: s.text[prev : i+n], start: prev, end: i + n, pos: s.pos})
		}
		prev, i = i, i+n
		count++
	}
	if count == 1 {
		s.pos++
		s.out = append(s.out, word{term: s.text[prev:i], start: prev, end: i, pos: s.pos})
	}
	return i
}

// stem is Porter's algorithm, for words that can be English.
func stem(w string) string {
	if len(w) < 3 {
		return w
	}
	if !english(w) {
		return w
	}
	t := &analysis.Token{Term: []byte(w)}
	porter.NewPorterStemmer().Filter(analysis.TokenStream{t})
	return string(t.Term)
}

func english(w string) bool {
	return strings.IndexFunc(w, func(r rune) bool { return r < 'a' || r > 'z' }) < 0
}

// A begun word is still being typed.
type begun struct {
	start string   // the prefix of the word
	stems []string // stems of the word that may be typed already, as it is longer than its stem
}

// cutLast splits the unfinished word off the end of a text. There is none after a blank,
// and for a stop word, which may be complete.
func cutLast(text string) (begin string, last begun) {
	i := len(text)
	for i > 0 {
		r, n := utf8.DecodeLastRuneInString(text[:i])
		if !wordRune(r) {
			break
		}
		i -= n
		if unspaced(r) {
			break // pairs begin with any character
		}
	}
	w := strings.ToLower(text[i:])
	if w == "" || stopWords[w] {
		return text[:i], begun{}
	}
	last.start = w
	if english(w) {
		last.stems = append(last.stems, stem(w))
		for n := len(w) - 1; n >= max(len(w)-3, 4); n-- {
			last.stems = append(last.stems, w[:n]) // "regenerat" will be "regenerate", which is indexed as "regener"
		}
	}
	return text[:i], last
}

// may reports whether a term can be that of the word.
func (b begun) may(term string) bool {
	return strings.HasPrefix(term, b.start) || slices.Contains(b.stems, term)
}

func wordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
	}
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r))
}

// joins reports whether a character within a word makes it an identifier.
func joins(r rune) bool { return r == '_' || r == '-' || r == '.' }

func unspaced(r rune) bool {
	return r >= 0x0e00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}
