package match

import (
	"iter"
	"slices"

	"learnings/lessons"
)

// Rewordings finds among many lessons those that say in other words what another does,
// as [Paraphraser.Says] has it, without comparing it with each of them. It does not find
// all of those that are the [Same]: a [Corpus] does. It must not be used by several
// goroutines at once.
type Rewordings struct {
	p      Paraphraser
	of     []reworded
	having map[string][]int32 // by keyword or synonym of one, in their order
	common []int32            // for each, how many keywords it has in common with what is looked for; zero between calls
}

// A reworded is a lesson with the number of its keywords.
type reworded struct {
	lesson   lessons.Lesson
	keywords int
}

// NewRewordings makes an empty one, for which the synonyms of p are one word.
func NewRewordings(p Paraphraser) *Rewordings {
	return &Rewordings{p: p, having: map[string][]int32{}}
}

// Add adds a lesson.
func (r *Rewordings) Add(l lessons.Lesson) {
	words, n := Keywords(l.Content), int32(len(r.of))
	for _, w := range words {
		for _, w := range append([]string{w}, r.p.Synonyms.of[w]...) {
			if of := r.having[w]; len(of) == 0 || of[len(of)-1] != n {
				r.having[w] = append(of, n)
			}
		}
	}
	r.of, r.common = append(r.of, reworded{l, len(words)}), append(r.common, 0)
}

// Find gives the lessons that say what l does, in the order in which they were added.
func (r *Rewordings) Find(l lessons.Lesson) iter.Seq[lessons.Lesson] {
	return func(yield func(lessons.Lesson) bool) {
		for _, i := range r.near(l) {
			if old := r.of[i].lesson; r.p.Says(old, l) && !yield(old) {
				return
			}
		}
	}
}

// near gives the lessons that have enough keywords in common with l if each word of l
// that they have, or have a synonym of, counts. Says counts no more than these.
func (r *Rewordings) near(l lessons.Lesson) []int32 {
	words := Keywords(l.Content)
	var some, out []int32
	for _, w := range words {
		for _, i := range r.having[w] {
			if r.common[i]++; r.common[i] == leastShared {
				some = append(some, i)
			}
		}
	}
	for _, i := range some {
		both := float64(r.common[i])
		if all := float64(len(words)+r.of[i].keywords) - both; both > (Reworded-slack)*all {
			out = append(out, i)
		}
	}
	for _, w := range words {
		for _, i := range r.having[w] {
			r.common[i] = 0
		}
	}
	slices.Sort(out)
	return out
}
