package match

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"learnings/lessons"
)

// Synonyms are words that a person has shown to mean the same, by merging
// lessons that differ in them. The zero value knows none.
type Synonyms struct {
	of map[string][]string // by keyword, the surest first
}

// How synonyms are learned.
const (
	leastMerges  = 2 // a pair of words that one merge alone shows may be chance
	mostSynonyms = 5 // of one word
	mostDiffers  = 6 // keywords: texts that differ in more say nothing of single words
)

// LearnMerged is [Learn] for lessons that were merged; get finds the lesson that
// each was merged into. If that is gone, nothing is learned from it.
func LearnMerged(merged []lessons.Lesson, get func(lessons.ID) (lessons.Lesson, error)) Synonyms {
	var pairs [][2]lessons.Lesson
	for _, l := range merged {
		if into, err := get(l.Decided.Into); err == nil {
			for sentence := range strings.SplitSeq(into.Content, ". ") { // it may keep those of both
				one := into
				one.Content = sentence
				pairs = append(pairs, [2]lessons.Lesson{l, one})
			}
		}
	}
	return Learn(pairs)
}

// Learn learns synonyms from merges: each is the keywords of two lessons that a
// person considered the same. Every word that only the first has is paired with every
// word that only the second has; a pair that two or more merges show, in either
// direction, is one of synonyms.
func Learn(merges [][2]lessons.Lesson) Synonyms {
	type pair [2]string
	counts := map[pair]int{}
	for _, m := range merges {
		a, b := Keywords(m[0].Content), Keywords(m[1].Content)
		left, right := without(a, b), without(b, a)
		if len(left) > mostDiffers || len(right) > mostDiffers {
			continue
		}
		for _, u := range left {
			for _, v := range right {
				counts[pair{min(u, v), max(u, v)}]++
			}
		}
	}
	of := map[string][]string{}
	add := func(u, v string) { of[u] = append(of[u], v) }
	for p, n := range counts {
		if n >= leastMerges && !hinges[p[0]] && !hinges[p[1]] && !literal(p[0]) && !literal(p[1]) {
			add(p[0], p[1])
			add(p[1], p[0])
		}
	}
	count := func(u, v string) int { return counts[pair{min(u, v), max(u, v)}] }
	for u, vs := range of {
		slices.SortFunc(vs, func(a, b string) int {
			return cmp.Or(cmp.Compare(count(u, b), count(u, a)), cmp.Compare(a, b))
		})
		of[u] = vs[:min(len(vs), mostSynonyms)]
	}
	return Synonyms{of}
}

// Len is how many words have a synonym.
func (s Synonyms) Len() int { return len(s.of) }

// Of returns the synonyms of a keyword, the surest first.
func (s Synonyms) Of(keyword string) []string { return slices.Clone(s.of[keyword]) }

func without(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(w string) bool { return slices.Contains(b, w) })
}

// heads returns, for each word that has synonyms, the word that stands for it and
// them: the first of all that are connected.
func (s Synonyms) heads() map[string]string {
	out := map[string]string{}
	words := slices.Sorted(maps.Keys(s.of))
	for _, w := range words {
		if _, done := out[w]; done {
			continue
		}
		todo := []string{w}
		for len(todo) > 0 {
			u := todo[0]
			todo = todo[1:]
			if _, done := out[u]; done {
				continue
			}
			out[u] = w
			todo = append(todo, s.of[u]...)
		}
	}
	return out
}
