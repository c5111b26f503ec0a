package match

import (
	"hash/maphash"
	"iter"
	"slices"
	"strings"

	"learnings/lessons"
)

// Merges groups the lessons that may be merged without a person comparing them
// ([Mergeable] with the first of each group), in their order. All others are left
// out. The work grows with the number of lessons, which are gone through twice.
func Merges(ls iter.Seq[lessons.Lesson]) [][]lessons.Lesson {
	type group struct {
		first lessons.Outline
		n, at int
	}
	var groups []group
	var in []int32                // by lesson: its group
	alike := map[uint64][]int32{} // groups with one backbone
	seed := maphash.MakeSeed()
	for l := range ls {
		key := maphash.String(seed, backboneKey(l))
		g := slices.IndexFunc(alike[key], func(g int32) bool { return Mergeable(groups[g].first.Lesson(), l) })
		if g < 0 {
			g = len(alike[key])
			alike[key] = append(alike[key], int32(len(groups)))
			groups = append(groups, group{first: l.Outline()})
		}
		in = append(in, alike[key][g])
		groups[alike[key][g]].n++
	}
	var out [][]lessons.Lesson
	for i := range groups {
		if g := &groups[i]; g.n > 1 {
			g.at = len(out)
			out = append(out, make([]lessons.Lesson, 0, g.n))
		}
	}
	i := 0
	for l := range ls {
		if g := &groups[in[i]]; g.n > 1 {
			out[g.at] = append(out[g.at], l)
		}
		i++
	}
	return out
}

// backboneKey is the same for lessons that may be mergeable.
func backboneKey(l lessons.Lesson) string {
	where := []string{Kind(l.Category), l.Scope.Project, l.Scope.Role}
	if l.Scope.Global {
		where = []string{Kind(l.Category), "", l.Scope.Role, "global"}
	}
	return strings.Join(append(where, backbone(l.Content)...), "\x00")
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
