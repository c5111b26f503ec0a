package curate

import (
	"cmp"
	"slices"
	"strings"

	"learnings/index"
	"learnings/lessons"
	"learnings/lessons/pairs"
)

// Related is the rule for lessons of one project that are about one subject without saying
// the same: a single rule may replace them.
const Related pairs.Rule = "related"

const (
	leastRelated = 0.55 // least nearness in meaning to the first lesson of a subject
	sameWords    = 0.8  // from this share of common words on they are duplicates
	mostSubject  = 40   // a word that more lessons of a project have names no subject
	leastGroup   = 3    // fewer lessons are not worth replacing by one rule
	mostGroup    = 8    // a person cannot read more together
)

// related yields the groups of lessons about one subject, until yield wants no more. A
// lesson is in one group only. It reports whether yield wants more.
func related(ls []lessons.Outline, stances *pairs.Memory, yield func(Group) bool) bool {
	scopes := map[string][]lessons.Outline{}
	var order []string
	for _, l := range ls {
		if l.Status != lessons.Approved {
			continue // proposals are decided on first
		}
		at := strings.ToLower(l.Scope.Project + "\x00" + l.Scope.Role)
		if l.Scope.Global {
			at = "\x00"
		}
		if scopes[at] == nil {
			order = append(order, at)
		}
		scopes[at] = append(scopes[at], l)
	}
	for _, at := range order {
		if len(scopes[at]) >= leastGroup && !newSubjects(scopes[at]).groups(stances, yield) {
			return false
		}
	}
	return true
}

// subjects indexes the lessons of one project by what they are about.
type subjects struct {
	ls      []lessons.Outline
	words   [][]string
	vectors []index.Vector
	having  map[string][]int
}

func newSubjects(ls []lessons.Outline) subjects {
	s := subjects{ls: ls, words: make([][]string, len(ls)), vectors: make([]index.Vector, len(ls)), having: map[string][]int{}}
	for i, l := range ls {
		s.vectors[i] = index.VectorOf(l.Content)
		for _, w := range pairs.Keywords(l.Content) {
			if !pairs.Common(w) && !slices.Contains(s.words[i], w) {
				s.words[i] = append(s.words[i], w)
				s.having[w] = append(s.having[w], i)
			}
		}
	}
	return s
}

type neighbour struct {
	at   int
	near float64
}

// near returns the lessons that share a subject word with one and are near it in meaning,
// nearest first. It omits those that say the same, which are for a merge.
func (s subjects) near(i int, taken []bool) (out []neighbour) {
	seen := map[int]bool{i: true}
	for _, w := range s.words[i] {
		if len(s.having[w]) > mostSubject {
			continue
		}
		for _, j := range s.having[w] {
			if seen[j] || taken[j] {
				continue
			}
			seen[j] = true
			near := s.vectors[i].Cosine(s.vectors[j])
			if near >= leastRelated && pairs.Jaccard(s.ls[i].Content, s.ls[j].Content) < sameWords {
				out = append(out, neighbour{j, near})
			}
		}
	}
	slices.SortFunc(out, func(a, b neighbour) int { return cmp.Or(cmp.Compare(b.near, a.near), cmp.Compare(a.at, b.at)) })
	return out
}

func (s subjects) groups(stances *pairs.Memory, yield func(Group) bool) bool {
	taken := make([]bool, len(s.ls))
	for i := range s.ls {
		if taken[i] {
			continue
		}
		found := s.near(i, taken)
		if len(found) < leastGroup-1 {
			continue
		}
		found = found[:min(len(found), mostGroup-1)]
		all, at := []lessons.Lesson{s.ls[i].Lesson()}, map[lessons.ID]int{s.ls[i].ID: i}
		for _, n := range found {
			all = append(all, s.ls[n.at].Lesson())
			at[s.ls[n.at].ID] = n.at
		}
		kept := stances.Compatible(Related, all)
		if len(kept) < leastGroup {
			continue
		}
		for _, l := range kept {
			taken[at[l.ID]] = true
		}
		if !yield(Group{kept, Related, 0, 0}) {
			return false
		}
	}
	return true
}
