package pairs

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"learnings/lessons"
)

// Synonyms are words that a person has shown to mean the same, by merging
// lessons that differ in them: by keyword, the one that stands for it and all that mean
// the same. The zero value knows none.
type Synonyms map[string]string

// How synonyms are learned.
const (
	leastMerges = 2 // a pair of words that one merge alone shows may be chance
	mostDiffers = 6 // keywords: texts that differ in more say nothing of single words
)

// LearnMerged is [Learn] for lessons that were merged; get finds the lesson that
// each was merged into. If that is gone, nothing is learned from it.
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

// Learn learns synonyms from texts that a person considered the same, two by two. Every
// word that only the first has is paired with every word that only the second has; what
// two pairs of texts show, in either direction, are synonyms.
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
				if !hinges[u] && !hinges[v] && !literal(u) && !literal(v) {
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

// keywords are the [Keywords] of a text, those that mean the same as one.
func (s Synonyms) keywords(text string) []string {
	ws := Keywords(text)
	for i, w := range ws {
		ws[i] = s.of(w)
	}
	return distinct(ws)
}

// Says reports whether one lesson says what another does, perhaps in other words, surely
// enough that it need not be proposed again: they are the [Same], or alike
// [ByParaphrase] with the same literals and the same words that negate or join. Their
// categories do not matter.
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
	Both, All int     // keywords that both have, of those that either has
	Score     float64 // from 0 to 1; ranks the candidates for one lesson and means nothing beside those of another
}

// Rank gives the n of some lessons that most likely say the same as l in other words, the
// likeliest first. They are ranked by the overlap of their keywords, each weighed by how
// few of the lessons have it, and by the order in which they come, the nearest first.
// Only a person can tell whether they are the same.
func (s Synonyms) Rank(l lessons.Lesson, near []lessons.Lesson, n int) []Candidate {
	near = slices.DeleteFunc(slices.Clone(near), func(c lessons.Lesson) bool { return c.ID == l.ID })
	words := setOf(s.keywords(l.Content))
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

// How the two orders are put together, measured on bench/nl2bash-paraphrase:
// the order of the index alone has R@5 .501 (hard .326), the overlap alone .514
// (.345), both together .531 (.351).
const (
	overlapShare = 0.7
	rankHalf     = 5 // the place at which an order is worth half
)
