package model

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"learnings/extractor/transcript"
	"learnings/lessons"
)

// This file finds what a model quotes. Models copy well but not perfectly: they change
// punctuation and capitals, drop a filler, correct a typo. Within the cited entry a quote
// may differ by that much; the text that is kept is always the session's.

const (
	leastAlike = 0.8 // share of words that a quote and the text must have in common
	leastWords = 5   // in a quote; all words of a shorter one must match
	mostWords  = 400 // of a quote
	mostRead   = 20_000
)

// found is the place of a quote.
type found struct {
	turn  int
	quote string // in the turn's own characters
}

// locate finds the turn of a quote: the one that the model cites, then any other
// message of the person, then anything else that was sent. It skips text that the
// harness injected.
func (d *digest) locate(handle, quote string) (found, Reason) {
	q := fold(trimQuote(quote))
	if q == "" {
		return found{}, NoQuote
	}
	at, ok := found{}, false
	if cited, known := d.cited(handle); known {
		if at, ok = d.find(cited.turn, q); !ok {
			at, ok = d.nearly(cited.turn, q)
		}
	}
	if !ok && len(q) < leastQuote {
		return found{}, ShortQuote
	}
	for i := 0; i < len(d.turns) && !ok; i++ {
		if t := &d.turns[i]; t.Speaker == transcript.Person && t.Kind != transcript.Shell && !t.Sidechain {
			at, ok = d.find(i, q)
		}
	}
	for i := 0; i < len(d.lines) && !ok; i++ {
		at, ok = d.find(d.lines[i].turn, q)
	}
	switch {
	case !ok:
		return found{}, NotQuoted
	case d.turns[at.turn].Speaker == transcript.Harness:
		return found{}, NotSaid
	}
	return at, ""
}

// find looks for a folded quote in a turn.
func (d *digest) find(turn int, q string) (found, bool) {
	text := d.readable(turn)
	folded, at := foldMap(text)
	i := strings.Index(folded, q)
	if i < 0 {
		return found{}, false
	}
	return found{turn, strings.TrimSpace(text[at[i]:at[i+len(q)]])}, true
}

// A span is a word and its place.
type span struct {
	word     string // in lower case
	from, to int
}

var wordOf = lessons.LazyRegexp(`[\p{L}\p{Nd}'’]+`)

// spans returns the words of a text, ignoring what is between them.
func spans(text string) (out []span) {
	for _, at := range wordOf().FindAllStringIndex(text, -1) {
		out = append(out, span{strings.ReplaceAll(strings.ToLower(text[at[0]:at[1]]), "’", "'"), at[0], at[1]})
	}
	return out
}

// nearly finds the text in a turn that is most like a quote. Most words must agree in
// order, and neither may deny more than the other, because one word turns "push" into
// "never push".
func (d *digest) nearly(turn int, quote string) (found, bool) {
	text := d.readable(turn)
	words, there := spans(quote), spans(text)
	if len(words) < 2 || len(words) > mostWords || len(there) > mostRead {
		return found{}, false
	}
	from, to, same := align(words, there)
	need := float64(max(len(words), to-from))
	if len(words) >= leastWords {
		need *= leastAlike
	}
	if float64(same) < need || denials(words) != denials(there[from:to]) {
		return found{}, false
	}
	return found{turn, text[there[from].from:there[to-1].to]}, true
}

// align finds the stretch of a text that shares most words with a quote in order and
// has few others: the local alignment of T. F. Smith and M. S. Waterman (Journal of
// Molecular Biology 147, 1981). A common word counts 2; one that differs or is missing
// on one side costs 1.
func align(quote, text []span) (from, to, same int) {
	type cell struct{ score, from, same int }
	best := cell{}
	row := make([]cell, len(quote)+1)
	for i, word := range text {
		diagonal := cell{}
		for j := range quote {
			next := cell{from: i}
			if diagonal.score > 0 {
				next = diagonal
			}
			if word.word == quote[j].word {
				next.score += 2
				next.same++
			} else {
				next.score--
			}
			for _, gap := range []cell{row[j+1], row[j]} {
				if gap.score-1 > next.score {
					next = cell{gap.score - 1, gap.from, gap.same}
				}
			}
			if next.score < 0 {
				next = cell{}
			}
			diagonal, row[j+1] = row[j+1], next
			if next.score > best.score {
				best, to = next, i+1
			}
		}
	}
	return best.from, to, best.same
}

// denying are words whose absence turns a sentence into its opposite.
var denying = strings.Fields("dont cannot no not never none nobody nothing without nor neither kein keine keinen nicht nie niemals non ne pas jamais sans nunca não nao sin не нет никогда")

func denials(words []span) (n int) {
	for _, w := range words {
		if slices.Contains(denying, w.word) || strings.HasSuffix(w.word, "n't") {
			n++
		}
	}
	return n
}

// trimQuote removes what models put around a quote.
func trimQuote(s string) string {
	s = strings.TrimSpace(s)
	for _, marks := range [][2]string{{`"`, `"`}, {"“", "”"}, {"`", "`"}} {
		if rest, ok := strings.CutPrefix(s, marks[0]); ok && len(rest) > len(marks[1]) && strings.HasSuffix(rest, marks[1]) {
			s = strings.TrimSuffix(rest, marks[1])
		}
	}
	for _, dots := range []string{"…", "..."} {
		s = strings.TrimSuffix(strings.TrimPrefix(s, dots), dots)
	}
	return strings.TrimSpace(s)
}

// fold makes texts comparable: white space is one blank, and signs that
// typing, our own fence or a model changes without changing what is said are
// alike.
func fold(s string) string {
	f, _ := foldMap(s)
	return f
}

var plainSigns = map[rune]rune{'‘': '\'', '’': '\'', '“': '"', '”': '"', '‹': '<', '\u2010': '-', '\u2011': '-'}

// foldMap folds, and returns for each byte of the result, and for its end, the offset
// in s.
func foldMap(s string) (string, []int) {
	var b strings.Builder
	b.Grow(len(s))
	at := make([]int, 0, len(s)+1)
	blank := false
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if unicode.IsSpace(r) {
			blank = b.Len() > 0
			i += n
			continue
		}
		if blank {
			b.WriteByte(' ')
			at = append(at, i)
			blank = false
		}
		if plain, ok := plainSigns[r]; ok {
			r = plain
		}
		before := b.Len()
		b.WriteRune(r)
		for range b.Len() - before {
			at = append(at, i)
		}
		i += n
	}
	return b.String(), append(at, len(s))
}
