package pairs

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"learnings/lessons"
)

// Synonyms map keywords to a common representative. They are learned from lessons that a
// person merged although they differ in these words.
type Synonyms map[string]string

// How synonyms are learned.
const (
	leastMerges = 2 // a pair from a single merge may be chance
	mostDiffers = 6 // keywords: texts that differ in more say nothing of single words
)

// LearnMerged is [Learn] for merged lessons. get returns the lesson that each was merged
// into; if it is gone, nothing is learned from it.
func LearnMerged(merged []lessons.Lesson, get func(lessons.ID) (lessons.Lesson, error)) Synonyms {
	var texts [][2]string
	for _, l := range merged {
		if into, err := get(l.Decided.Into); err == nil {
			for sentence := range strings.SplitSeq(into.Content, ". ") { // it may keep those of both
				texts = append(texts, [2]string{l.Content, sentence})
			}
		}
	}
	return Learn(texts)
}

// Learn learns synonyms from pairs of texts that a person considered the same. Every word
// that only the first has is paired with every word that only the second has; pairs seen
// twice, in either direction, are synonyms.
func Learn(merged [][2]string) Synonyms {
	counts := map[[2]string]int{}
	for _, m := range merged {
		a, b := Keywords(m[0]), Keywords(m[1])
		left, right := without(a, b), without(b, a)
		if len(left) > mostDiffers || len(right) > mostDiffers {
			continue
		}
		for _, u := range left {
			for _, v := range right {
				if !is(u, isHinge) && !is(v, isHinge) && !literal(u) && !literal(v) {
					counts[[2]string{min(u, v), max(u, v)}]++
				}
			}
		}
	}
	s := Synonyms{}
	for _, p := range slices.SortedFunc(maps.Keys(counts), func(a, b [2]string) int { return slices.Compare(a[:], b[:]) }) {
		if counts[p] < leastMerges {
			continue
		}
		head, other := s.of(p[0]), s.of(p[1])
		s[p[0]], s[p[1]] = head, head
		for w, h := range s {
			if h == other {
				s[w] = head
			}
		}
	}
	return s
}

func (s Synonyms) of(keyword string) string { return cmp.Or(s[keyword], keyword) }

// keywords returns the [Keywords] of a text, with synonyms replaced.
func (s Synonyms) keywords(text string) []string {
	ws := Keywords(text)
	for i, w := range ws {
		ws[i] = s.of(w)
	}
	return distinct(ws)
}

// Says reports whether two lessons say the same, surely enough not to propose one again:
// they are the [Same], or alike [ByParaphrase] with the same literals and the same words
// that negate or join. Categories do not matter.
func (s Synonyms) Says(a, b lessons.Lesson) bool {
	if Same(a, b) {
		return true
	}
	x, y := s.keywords(a.Content), s.keywords(b.Content)
	both, _ := overlap(x, y)
	return both >= leastShared && ByParaphrase.alike(both, len(x), len(y)) && compatible(a.Content, b.Content)
}

// A Candidate is a lesson that may say the same as another in other words.
type Candidate struct {
	Lesson    lessons.Lesson
	Both, All int     // common keywords, and all keywords of both
	Score     float64 // from 0 to 1; only comparable between candidates for one lesson
}

// Rank returns the n lessons of near that most likely say the same as l in other words,
// the likeliest first. It combines the overlap of keywords, weighted by rarity, with the
// order of near, the nearest first. Only a person can tell whether they are the same.
func (s Synonyms) Rank(l lessons.Lesson, near []lessons.Lesson, n int) []Candidate {
	near = slices.DeleteFunc(slices.Clone(near), func(c lessons.Lesson) bool { return c.ID == l.ID })
	words := lessons.SetOf(s.keywords(l.Content))
	keys := make([][]string, len(near))
	having := map[string]int{}
	for i, c := range near {
		keys[i] = s.keywords(c.Content)
		for _, w := range keys[i] {
			having[w]++
		}
	}
	rarity := func(w string) float64 { // the idf of BM25, within the neighbours
		return math.Log(1 + (float64(len(near)-having[w])+0.5)/(float64(having[w])+0.5))
	}
	own := 0.0
	for w := range words {
		own += rarity(w)
	}
	out := make([]Candidate, 0, len(near))
	for i, c := range near {
		r, shared, all := Candidate{Lesson: c, All: len(words)}, 0.0, own
		for _, w := range keys[i] {
			if words[w] {
				r.Both, shared = r.Both+1, shared+rarity(w)
			} else {
				r.All, all = r.All+1, all+rarity(w)
			}
		}
		if all > 0 {
			r.Score = overlapShare * shared / all
		}
		r.Score += (1 - overlapShare) * rankHalf / (rankHalf + float64(i))
		out = append(out, r)
	}
	slices.SortStableFunc(out, func(a, b Candidate) int { return cmp.Compare(b.Score, a.Score) })
	return out[:min(max(n, 0), len(out))]
}

// How the two orders are combined, measured on bench/nl2bash-paraphrase: the index's
// order has R@5 .501 (hard .326), the overlap .514 (.345), both together .531 (.351).
const (
	overlapShare = 0.7
	rankHalf     = 5 // the place at which an order is worth half
)
