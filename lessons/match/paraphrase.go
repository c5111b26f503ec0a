package match

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"learnings/lessons"
)

// ByParaphrase is the same said in other words, within a category: more than 0.6 of
// the keywords of both lessons, and at least three, are common to both, where learned
// synonyms are one word. [NewParaphrases] makes its [Corpus]. With fewer words in
// common only a person can tell: [Paraphraser.Candidates] ranks such lessons.
const ByParaphrase Rule = "paraphrase"

// Reworded is the overlap of keywords above which two lessons of one category
// are shown as possibly the same in other words.
const Reworded = 0.6

// A Paraphraser finds what says the same in other words among the neighbours of a
// lesson, which something else, such as an index, provides.
type Paraphraser struct {
	Synonyms Synonyms
	// Near returns at most n lessons that are related to one, the nearest first.
	Near func(l lessons.Lesson, n int) ([]lessons.Lesson, error)
}

// neighbours is how many lessons are fetched and ranked.
const neighbours = 60

// A Reading is a lesson that may say the same as another in other words.
type Reading struct {
	Lesson  lessons.Lesson
	Overlap float64 // the share of the keywords of both that both have, from 0 to 1; synonyms are one word
	Score   float64 // from 0 to 1; ranks the readings of one lesson and means nothing beside those of another
}

// Candidates are the n lessons most likely to say the same as l in other words,
// the likeliest first. They are ranked by the overlap of their keywords, each
// weighed by how few of the neighbours have it, and by Near's own order.
func (p Paraphraser) Candidates(l lessons.Lesson, n int) ([]Reading, error) {
	near, err := p.Near(l, neighbours)
	if err != nil {
		return nil, fmt.Errorf("looking for neighbours of %s: %w", l.ID, err)
	}
	near = slices.DeleteFunc(near, func(c lessons.Lesson) bool { return c.ID == l.ID })
	words := Keywords(l.Content)
	keys := make([][]string, len(near))
	having := map[string]int{}
	for i, c := range near {
		keys[i] = Keywords(c.Content)
		for _, w := range keys[i] {
			having[w]++
		}
	}
	rarity := func(w string) float64 { // the idf of BM25, within the neighbours
		return math.Log(1 + (float64(len(near)-having[w])+0.5)/(float64(having[w])+0.5))
	}
	out := make([]Reading, 0, len(near))
	for i, c := range near {
		rank := rankHalf / (rankHalf + float64(i))
		out = append(out, Reading{
			Lesson: c, Overlap: p.overlap(words, keys[i], equally),
			Score: overlapShare*p.overlap(words, keys[i], rarity) + (1-overlapShare)*rank,
		})
	}
	slices.SortStableFunc(out, func(a, b Reading) int { return cmp.Compare(b.Score, a.Score) })
	return out[:min(max(n, 0), len(out))], nil
}

// How the two orders are put together, measured on bench/nl2bash-paraphrase:
// the order of the index alone has R@5 .501 (hard .326), the overlap alone .514
// (.345), both together .531 (.351).
const (
	overlapShare = 0.7
	rankHalf     = 5 // the place at which an order is worth half
)

// equally weighs all words the same.
func equally(string) float64 { return 1 }

// overlap is how much of two lists of keywords both have, from 0 to 1: of the
// weight of their union, the share of the words that the other has too or has a
// synonym of.
func (p Paraphraser) overlap(a, b []string, weight func(string) float64) float64 {
	var both, all float64
	inB := make(map[string]bool, len(b))
	for _, w := range b {
		inB[w] = true
		all += weight(w)
	}
	var free []string
	for _, w := range a {
		if inB[w] {
			both += weight(w)
			delete(inB, w)
			continue
		}
		all += weight(w)
		free = append(free, w)
	}
	for _, w := range free { // each word stands for one other at most
		for _, s := range p.Synonyms.of[w] {
			if inB[s] {
				common := (weight(w) + weight(s)) / 2
				both += common
				all -= common // two words of the union are one
				delete(inB, s)
				break
			}
		}
	}
	if all <= 0 {
		return 0
	}
	return min(both/all, 1)
}

// Says reports whether one lesson says what another does in other words, surely
// enough that it need not be proposed again: with an overlap above [Reworded]
// and three keywords in common, the same literals, and the same words that negate or
// join. Their categories do not matter.
func (p Paraphraser) Says(a, b lessons.Lesson) bool {
	if Same(a, b) {
		return true
	}
	if !compatible(a.Content, b.Content) {
		return false
	}
	x, y := Keywords(a.Content), Keywords(b.Content)
	o := p.overlap(x, y, equally)
	return o > Reworded && o*float64(len(x)+len(y))/(1+o) > leastShared-slack
}
