package index

import (
	"cmp"
	"encoding/binary"
	"hash/fnv"
	"slices"
	"strings"

	"learnings/index/meaning"
	"learnings/lessons"
)

// This file compares the words of a query with those of a lesson one by one: each
// counts by the word of the other text that is nearest to it in meaning. The vector of a
// whole text says what it is about; this says how much of it is met, and a phrase that
// says the same in other words is told from one that only shares a word.

const (
	mostPhrases, mostPhraseWords = 14, 60 // of a lesson
	mostAsked                    = 12     // words of a query that are compared: those that say most

	// clause is how much the first clause of a lesson counts as a phrase, beside a
	// trigger that was written to be one.
	clause = 0.7
)

// A bare word is one of a text, as it stands there and stemmed.
type bareWord struct{ text, stem string }

// bareWords are the distinct words of a text without stop words. Of an identifier they
// are its parts.
func bareWords(text string) []bareWord { return bare(text, split(text)) }

// bare takes them from the words of the text.
func bare(text string, words []word) (out []bareWord) {
	last := 0
	for _, w := range words {
		if w.pos <= last {
			continue // an identifier as a whole
		}
		last = w.pos
		if !slices.ContainsFunc(out, func(o bareWord) bool { return o.stem == w.term }) {
			out = append(out, bareWord{strings.ToLower(text[w.start:w.end]), w.term})
		}
	}
	return out
}

// A code stands for a word: the number that the table of vectors has of it, from 1 on,
// 0 where it has none, and a hash of its stem.
type code struct{ number, stem uint16 }

func codeOf(w bareWord) code {
	h := fnv.New32a()
	h.Write([]byte(w.stem))
	c := code{stem: uint16(h.Sum32())}
	if n, ok := meaning.Words().Word(w.text); ok && n < 1<<16-1 {
		c.number = uint16(n + 1)
	}
	return c
}

// phrases is what is kept of the lesson that [maker.text] has read to compare its words: its
// content, the first clause of that, without words where it is all of it, and each trigger. A
// phrase is the number of its words in one byte and their codes.
func (m *maker) phrases(l lessons.Lesson) []byte {
	out := make([]byte, 0, 256)
	add := func(text string, words []word) {
		few := bare(text, words)
		few = few[:min(len(few), mostPhraseWords)]
		out = append(out, byte(len(few)))
		for _, w := range few {
			c := m.code(w)
			out = binary.LittleEndian.AppendUint16(out, c.number)
			out = binary.LittleEndian.AppendUint16(out, c.stem)
		}
	}
	content := m.words[:m.ends[0]]
	add(l.Content, content)
	first := firstClause(l.Content)
	n := slices.IndexFunc(content, func(w word) bool { return w.end > len(first) })
	if n < 0 {
		n = len(content)
	}
	add(first, content[:n])
	for i, t := range l.Triggers[:min(len(l.Triggers), mostPhrases-2)] {
		add(t, m.words[m.ends[i]:m.ends[i+1]])
	}
	return slices.Clip(out)
}

// firstClause is the beginning of a text up to the first full stop, colon or the like
// that a blank follows; "" when that is the whole text.
func firstClause(s string) string {
	for i := range len(s) {
		if s[i] == '\n' || strings.IndexByte(".!?;:", s[i]) >= 0 && i+1 < len(s) && s[i+1] == ' ' {
			if strings.TrimSpace(s[i+1:]) == "" {
				return ""
			}
			return s[:i]
		}
	}
	return ""
}

// An alikeness compares the words of one query with those of lessons. It is for one
// goroutine.
type alikeness struct {
	asked []askedWord
	known map[code]*nearness
}

type askedWord struct {
	code
	term   string
	weight float64
}

// A nearness is that of a word of lessons to each word that is asked for.
type nearness struct {
	weight float64
	best   float64
	of     [mostAsked]float64
}

func newAlikeness(text string) *alikeness {
	a := &alikeness{known: map[code]*nearness{}}
	for _, w := range bareWords(text) {
		c := codeOf(w)
		a.asked = append(a.asked, askedWord{c, w.stem, c.weight()})
	}
	return a
}

// weigh makes what is rare in the index count for more, and keeps the words that count.
func (a *alikeness) weigh(g *gauge) {
	if g != nil && len(g.weights) > 0 {
		for i, w := range a.asked {
			a.asked[i].weight *= g.weights[w.term] // 0 for words that say nothing of a subject
		}
	}
	a.asked = slices.DeleteFunc(a.asked, func(w askedWord) bool { return w.weight == 0 })
	slices.SortStableFunc(a.asked, func(x, y askedWord) int { return cmp.Compare(y.weight, x.weight) })
	a.asked = a.asked[:min(len(a.asked), mostAsked)]
}

// weight is what a word says in the language.
func (c code) weight() float64 {
	if c.number == 0 {
		return 1
	}
	return meaning.Words().Weight(int(c.number) - 1)
}

// alike is how alike two words are, from 0 to 1.
func (c code) alike(d code) float64 {
	switch {
	case c.stem == d.stem:
		return 1
	case c.number == 0 || d.number == 0:
		return 0
	}
	return meaning.Words().Alike(int(c.number)-1, int(d.number)-1)
}

func (a *alikeness) near(c code) *nearness {
	n, ok := a.known[c]
	if !ok {
		n = &nearness{weight: c.weight()}
		for i, w := range a.asked {
			n.of[i] = w.alike(c)
			n.best = max(n.best, n.of[i])
		}
		a.known[c] = n
	}
	return n
}

// to compares with the phrases of a lesson: met is how much of the query's words it has
// or has words for, and said how alike the query is to the most alike of its triggers or
// to its first clause. Both are from 0 to 1.
func (a *alikeness) to(phrases []byte) (met, said float64) {
	total := 0.0
	for _, w := range a.asked {
		total += w.weight
	}
	if total == 0 {
		return 0, 0
	}
	var all [mostAsked]float64
	for i := 0; len(phrases) > 0; i++ {
		n := int(phrases[0])
		if len(phrases) < 1+4*n {
			break
		}
		words := phrases[1 : 1+4*n]
		phrases = phrases[1+4*n:]
		var here [mostAsked]float64
		own, theirs := 0.0, 0.0
		for ; len(words) > 0; words = words[4:] {
			near := a.near(code{binary.LittleEndian.Uint16(words), binary.LittleEndian.Uint16(words[2:])})
			for k := range a.asked {
				here[k] = max(here[k], near.of[k])
			}
			own += near.weight * near.best
			theirs += near.weight
		}
		covered := 0.0
		for k, w := range a.asked {
			all[k] = max(all[k], here[k])
			covered += w.weight * here[k]
		}
		whole := i == 0 && len(phrases) > 0 && phrases[0] == 0 // the first clause is all of it
		if own == 0 || covered == 0 || i == 0 && !whole {
			continue
		}
		x, y := covered/total, own/theirs
		alike := 2 * x * y / (x + y)
		if i < 2 {
			alike *= clause
		}
		said = max(said, alike)
	}
	for k, w := range a.asked {
		met += w.weight * all[k]
	}
	return met / total, said
}
