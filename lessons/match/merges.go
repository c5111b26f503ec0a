package match

import (
	"strings"

	"learnings/lessons"
)

// Merges groups the lessons that may be merged without a person comparing them
// ([Mergeable] with the first of each group), in their order. All others are left
// out. The work grows with the number of lessons.
func Merges(ls []lessons.Lesson) [][]lessons.Lesson {
	var groups [][]lessons.Lesson
	alike := map[string][]int{} // groups with one backbone
	for _, l := range ls {
		key := strings.Join(append([]string{Kind(l.Category), l.Scope.Project, l.Scope.Role}, backbone(l.Content)...), "\x00")
		if l.Scope.Global {
			key = strings.Join(append([]string{Kind(l.Category), "", l.Scope.Role, "global"}, backbone(l.Content)...), "\x00")
		}
		joined := false
		for _, g := range alike[key] {
			if joined = Mergeable(groups[g][0], l); joined {
				groups[g] = append(groups[g], l)
				break
			}
		}
		if !joined {
			alike[key] = append(alike[key], len(groups))
			groups = append(groups, []lessons.Lesson{l})
		}
	}
	out := groups[:0]
	for _, g := range groups {
		if len(g) > 1 {
			out = append(out, g)
		}
	}
	return out
}

// mostCompared bounds the comparison of wordings in a large group.
const mostCompared = 50

// Wording returns the duplicate whose text should be kept: an approved one, because a
// person has read it, or else the one that is most like all others. It makes up no
// words.
func Wording(ls []lessons.Lesson) lessons.Lesson {
	some := ls[:min(len(ls), mostCompared)]
	best, most := 0, -1.0
	for i, l := range some {
		if l.Status == lessons.Approved {
			return l
		}
		sum := 0.0
		for _, o := range some {
			sum += Jaccard(l.Content, o.Content)
		}
		if sum > most {
			best, most = i, sum
		}
	}
	return ls[best]
}
