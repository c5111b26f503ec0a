package pairs

import (
	"iter"
	"slices"
	"strings"

	"learnings/lessons"
)

// Kind is the class of categories within which lessons are compared: the shelf of a
// category, or the category itself if no known system uses it.
func Kind(c lessons.Category) string {
	if s := c.Shelf(); s != lessons.Other {
		return string(s)
	}
	return strings.ToLower(string(c))
}

// Same reports whether two lessons say the same, so that one of them is enough:
// equal [Normal] text; or, within a [Kind], duplicates [ByJaccard] with the same literals
// and the same words that negate or join. Their scopes are not compared.
func Same(a, b lessons.Lesson) bool {
	return Normal(a.Content) == Normal(b.Content) ||
		Kind(a.Category) == Kind(b.Category) && sameWords(a, b) && compatible(a.Content, b.Content)
}

func sameWords(a, b lessons.Lesson) bool {
	both, all := overlap(Words(a.Content), Words(b.Content))
	return both > 0 && ByJaccard.alike(both, both, all)
}

// hinges are words that turn the meaning of a sentence: they negate it, offer a choice,
// or say when it holds. "and" is not one, since a comma may replace it; where it replaces
// an "or", the other text has an extra hinge.
var hinges = listed(`not no never none without avoid stop don't dont or nor unless except only but before after
	instead nothing neither longer`)

// compatible reports whether two texts that are alike can mean the same: their
// literals, hinges and conditions are the same.
func compatible(a, b string) bool {
	return SameLiterals(a, b) && slices.Equal(hinged(a), hinged(b)) && SameConditions(a, b) && SameConditions(b, a)
}

func hinged(text string) []string {
	var out []string
	for _, w := range Words(text) {
		for _, w := range expand(w) {
			if hinges[w] {
				out = append(out, w)
			}
		}
	}
	slices.Sort(out)
	return out
}

// Mergeable reports whether two lessons may be merged without a person comparing
// them: they have the same scope and [Kind], and their texts are equal after [Normal];
// or they are duplicates [ByJaccard], their literals are the same, and they differ only
// in fillers (the, is, this) or forms of one word, in the same order. Of real technical
// instructions that are duplicates only one in fourteen means the same, hence the care.
// Two lessons that a person has said both hold are not mergeable.
func Mergeable(a, b lessons.Lesson) bool {
	p, q := a.Scope, b.Scope
	switch {
	case lessons.BothHold(a, b), Kind(a.Category) != Kind(b.Category),
		p.Global != q.Global || p.Role != q.Role || !p.Global && p.Project != q.Project:
		return false
	case Normal(a.Content) == Normal(b.Content):
		return true
	}
	return sameWords(a, b) && SameLiterals(a.Content, b.Content) && slices.Equal(backbone(a.Content), backbone(b.Content))
}

// backbone is a text without fillers and inflections, in order. Literals and
// signs stay as they are.
func backbone(text string) []string {
	var out []string
	for _, f := range fields(text) {
		if Literal(f) {
			out = append(out, f)
			continue
		}
		for _, w := range expand(f) {
			if !fillers[w] {
				out = append(out, known().stem(w))
			}
		}
	}
	return out
}

// Merges groups the lessons that may be merged without a person comparing them
// ([Mergeable] with the first of each group), in their order. All others are left out.
func Merges(ls iter.Seq[lessons.Lesson]) [][]lessons.Lesson {
	var groups [][]lessons.Lesson
	like := map[string][]int{} // the groups with one backbone
	for l := range ls {
		key := Kind(l.Category) + "\x00" + strings.Join(backbone(l.Content), " ")
		i := slices.IndexFunc(like[key], func(g int) bool { return Mergeable(groups[g][0], l) })
		if i < 0 {
			like[key] = append(like[key], len(groups))
			groups = append(groups, []lessons.Lesson{l})
			continue
		}
		g := like[key][i]
		groups[g] = append(groups[g], l)
	}
	return slices.DeleteFunc(groups, func(g []lessons.Lesson) bool { return len(g) < 2 })
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
