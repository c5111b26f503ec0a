package match

import (
	"cmp"
	"slices"

	"learnings/lessons"
)

// ByParaphrase is the same said in other words: keywords of which, with learned
// synonyms, more than 0.6 are common to both ([Paraphraser.Overlap]). It has no
// [Corpus]: what is compared comes from an index.
const ByParaphrase Rule = "paraphrase"

// Reworded is the overlap of keywords above which two lessons of one category
// are shown as possibly the same in other words.
const Reworded = 0.6

// A Paraphraser finds what says the same in other words among the neighbours
// that somebody else knows, such as an index.
type Paraphraser struct {
	Synonyms Synonyms
	// Near gives at most n lessons that have to do with one, the nearest first.
	Near func(l lessons.Lesson, n int) ([]lessons.Lesson, error)
}

// neighbours is how many lessons are asked for and ranked.
const neighbours = 40

// A Reading is a lesson that may say the same as another in other words.
type Reading struct {
	Lesson  lessons.Lesson
	Overlap float64 // of the keywords of both, from 0 to 1
	Score   float64 // ranks the readings of one lesson
}

// Candidates are the n lessons most likely to say the same as l in other words,
// the likeliest first. Near's order says how rare the common words are, and the
// overlap how much of both texts they are; each finds what the other misses, so
// both count, as in reciprocal rank fusion (Cormack et al. 2009).
func (p Paraphraser) Candidates(l lessons.Lesson, n int) ([]Reading, error) {
	near, err := p.Near(l, neighbours)
	if err != nil {
		return nil, err
	}
	words := Keywords(l.Content)
	var out []Reading
	for i, c := range near {
		if c.ID == l.ID {
			continue
		}
		o := p.overlap(words, Keywords(c.Content))
		out = append(out, Reading{Lesson: c, Overlap: o, Score: overlapWeight*o + (1-overlapWeight)*rankWeight/(rankWeight+float64(i))})
	}
	slices.SortStableFunc(out, func(a, b Reading) int { return cmp.Compare(b.Score, a.Score) })
	return out[:min(max(n, 0), len(out))], nil
}

// Weights of the two orders, measured on bench/nl2bash-paraphrase.
const (
	overlapWeight = 0.5
	rankWeight    = 10
)

// Overlap is how much of the keywords of two texts both have: of each keyword
// of the union whether the other text has it or a synonym, from 0 to 1.
func (p Paraphraser) Overlap(a, b string) float64 { return p.overlap(Keywords(a), Keywords(b)) }

func (p Paraphraser) overlap(a, b []string) float64 {
	inB := set(b)
	both, freeA := 0, make([]string, 0, len(a))
	for _, w := range a {
		if inB[w] {
			both++
			delete(inB, w)
		} else {
			freeA = append(freeA, w)
		}
	}
	for _, w := range freeA { // each word stands for one other at most
		for _, s := range p.Synonyms.of[w] {
			if inB[s] {
				both++
				delete(inB, s)
				break
			}
		}
	}
	if both == 0 {
		return 0
	}
	return float64(both) / float64(len(a)+len(b)-both)
}

// Says reports whether one lesson says what another does in other words, surely
// enough that it need not be proposed again: in one category, with an overlap
// above [Reworded] and three keywords in common, the same literals, and nothing
// negated or joined otherwise.
func (p Paraphraser) Says(a, b lessons.Lesson) bool {
	if Same(a, b) {
		return true
	}
	if Kind(a.Category) != Kind(b.Category) || !compatible(a.Content, b.Content) {
		return false
	}
	x, y := Keywords(a.Content), Keywords(b.Content)
	o := p.overlap(x, y)
	return o > Reworded && o*float64(len(x)+len(y))/(1+o) > leastShared-slack
}
