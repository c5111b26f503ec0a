// Package rank orders lessons as other programs order what they remember: by
// their rules, without their models. A person who comes from one of them, or
// still uses it, can see what it would have chosen.
//
// Each system has a file with its rules and its rows in [Rankers].
package rank

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"learnings/index"
	"learnings/lessons"
)

// Rankers are all there are, in the order of their systems.
var Rankers = slices.Concat(octomind, amplihack, companion)

// Named gives the ranker of a name.
func Named(name string) (index.Ranker, bool) {
	i := slices.IndexFunc(Rankers, func(r index.Ranker) bool { return r.Name == name })
	if i < 0 {
		return index.Ranker{}, false
	}
	return Rankers[i], true
}

// Chosen are the rankers of names to be compared with ours, which is nil and the first;
// "all" is each of them.
func Chosen(names []string) ([]*index.Ranker, error) {
	out := []*index.Ranker{nil}
	for _, name := range names {
		if r, ok := Named(name); ok {
			out = append(out, &r)
			continue
		}
		if name != "all" {
			return nil, fmt.Errorf("there is no ranker %q; there are %s", name, Names())
		}
		for i := range Rankers {
			out = append(out, &Rankers[i])
		}
	}
	return out, nil
}

// Names are the names of all rankers, as a list for people.
func Names() string {
	names := make([]string, len(Rankers))
	for i, r := range Rankers {
		names[i] = r.Name
	}
	return strings.Join(names, ", ")
}

// Given is the order in which another program gave texts that are lessons here.
func Given(name string, texts []string) index.Ranker {
	return index.Ranker{Name: name, About: "in the order in which it was given", Rank: func(_ index.Question, ls []lessons.Lesson) []index.Place {
		scores := make([]float64, len(ls))
		for i, l := range ls {
			if at := slices.Index(texts, lessons.Line(l.Content)); at >= 0 {
				scores[i] = 1 / float64(at+1)
			}
		}
		return best(scores)
	}}
}

// best orders places by score and leaves out those without one. Equals stay in
// the order of the candidates.
func best(scores []float64) []index.Place {
	out := make([]index.Place, 0, len(scores))
	for i, s := range scores {
		if s > 0 {
			out = append(out, index.Place{At: i, Score: s})
		}
	}
	slices.SortStableFunc(out, func(a, b index.Place) int { return cmp.Compare(b.Score, a.Score) })
	return out
}
