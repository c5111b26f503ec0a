package match

import (
	"iter"
	"math"
	"runtime"
	"slices"
	"sort"
	"sync"
)

// This file is the exact set-similarity join, after the prefix filter of
// AllPairs and the length and position filters of PPJoin (Mann, Augsten and
// Bouros, PVLDB 2016, find that more filters cost more than they save).
//
// A set is a slice of distinct tokens in ascending order, where a lower token
// is a rarer one. Two sets that share as many tokens as a measure wants have
// one in common among the rarest few of each: only those are looked up.

// A measure says how many tokens two sets must share to be alike.
type measure struct {
	kind   measureKind
	t      float64 // the threshold
	shared int     // and at least so many tokens
}

type measureKind uint8

const (
	jaccardMeasure     measureKind = iota // |x∩y| / |x∪y| >= t
	overlapMeasure                        // |x∩y| / min(|x|, |y|) > t
	containmentMeasure                    // |x∩y| / |x| > t: x is new, y is old
	coverMeasure                          // |x∩y| / |y| > t: the other way round, for a prober
)

// slack keeps the rounding of thresholds from dropping a pair that is exactly
// on one. What gets through is verified.
const slack = 1e-9

// need is the least number of tokens that sets of n and m must share.
func (m measure) need(n, o int) int {
	switch m.kind {
	case jaccardMeasure:
		return max(atLeast(m.t/(1+m.t)*float64(n+o)), m.shared, 1)
	case overlapMeasure:
		return max(above(m.t*float64(min(n, o))), m.shared, 1)
	case coverMeasure:
		return max(above(m.t*float64(o)), m.shared, 1)
	default:
		return max(above(m.t*float64(n)), m.shared, 1)
	}
}

// value is the similarity, and whether it is enough.
func (m measure) value(both, n, o int) (float64, bool) {
	var v float64
	switch m.kind {
	case jaccardMeasure:
		v = float64(both) / float64(n+o-both)
		return v, both > 0 && both >= m.shared && v >= m.t
	case overlapMeasure:
		v = float64(both) / float64(min(n, o))
	case coverMeasure:
		v = float64(both) / float64(o)
	default:
		v = float64(both) / float64(n)
	}
	return v, both > 0 && both >= m.shared && v > m.t
}

// least is the smallest need of a set of n beside a set of any size.
func (m measure) least(n int) int {
	switch m.kind {
	case jaccardMeasure:
		return max(atLeast(m.t*float64(n)), m.shared, 1)
	case overlapMeasure, coverMeasure:
		return max(m.shared, 1)
	default:
		return m.need(n, n)
	}
}

// within are the sizes that a partner of a set of n can have.
func (m measure) within(n int) (least, most int) {
	if m.kind == jaccardMeasure {
		return atLeast(m.t * float64(n)), int(math.Floor(float64(n)/m.t + slack))
	}
	return m.shared, math.MaxInt
}

func atLeast(f float64) int { return int(math.Ceil(f - slack)) }
func above(f float64) int   { return int(math.Floor(f-slack)) + 1 }

// A posting is a place of a token: which set, and at which position in it.
type posting struct{ set, pos int32 }

// A joiner joins sets with themselves. They are in ascending order of size.
type joiner struct {
	measure
	sets  [][]int32
	sizes []int32               // of the sets, close together for the processor's cache
	older func(y, x int32) bool // for containment: whether y came before x
	lists [][]posting           // by token, in ascending order of set
}

// newJoiner indexes the beginnings of sets whose tokens are below vocabulary.
// The sets must be in ascending order of size.
func newJoiner(m measure, sets [][]int32, vocabulary int, older func(y, x int32) bool) *joiner {
	j := &joiner{measure: m, sets: sets, older: older, lists: make([][]posting, vocabulary), sizes: make([]int32, len(sets))}
	for i, s := range sets {
		j.sizes[i] = int32(len(s))
	}
	counts := make([]int32, vocabulary)
	for _, s := range sets {
		for _, t := range s[:j.indexed(len(s))] {
			counts[t]++
		}
	}
	total := 0
	for _, c := range counts {
		total += int(c)
	}
	all := make([]posting, total)
	for t, c := range counts {
		j.lists[t], all = all[:0:c], all[c:]
	}
	for i, s := range sets {
		for pos, t := range s[:j.indexed(len(s))] {
			j.lists[t] = append(j.lists[t], posting{int32(i), int32(pos)})
		}
	}
	return j
}

// indexed is how many of the first tokens of a set of n are looked up by
// others. Of a Jaccard join those are sets at least as large.
func (j *joiner) indexed(n int) int {
	switch {
	case j.kind == jaccardMeasure:
		return max(n-j.need(n, n)+1, 0)
	default:
		return max(n-max(j.shared, 1)+1, 0)
	}
}

// probed is how many of its first tokens a set of n looks up.
func (j *joiner) probed(n int) int {
	if j.kind == overlapMeasure { // here the smaller set asks
		return max(n-j.need(n, n)+1, 0)
	}
	return max(n-j.least(n)+1, 0)
}

// partners are the sets, from first up to and without last, that a set asks
// about.
func (j *joiner) partners(x int32) (first, last int32) {
	switch j.kind {
	case jaccardMeasure:
		least, _ := j.within(len(j.sets[x]))
		return int32(sort.Search(int(x), func(i int) bool { return len(j.sets[i]) >= least })), x
	case overlapMeasure:
		return x + 1, int32(len(j.sets))
	default:
		return 0, int32(len(j.sets))
	}
}

// A found is a pair of sets that are alike: x asked, y was found.
type found struct {
	x, y  int32
	value float64
}

// A tally counts the shared tokens of one set with each other set. It is used
// by one goroutine.
type tally struct {
	hits  []int32 // by set; dropped is below 0
	seen  []int32 // sets with hits other than 0
	needs []int   // of the set that asks and partners of each size from the smallest on
}

const dropped = -1 << 30

func (t *tally) reset() {
	for _, y := range t.seen {
		t.hits[y] = 0
	}
	t.seen = t.seen[:0]
}

// probe finds the partners of one set.
func (j *joiner) probe(x int32, c *tally, out []found) []found {
	s := j.sets[x]
	first, last := j.partners(x)
	need, least := j.need(len(s), len(s)), 0
	if j.kind == jaccardMeasure { // which wants less of smaller partners
		least = int(j.sizes[first])
		c.needs = c.needs[:0]
		for m := least; m <= len(s); m++ {
			c.needs = append(c.needs, j.need(len(s), m))
		}
	}
	for pos, token := range s[:j.probed(len(s))] {
		list := j.lists[token]
		if first > 0 {
			list = list[sort.Search(len(list), func(i int) bool { return list[i].set >= first }):]
		}
		for _, p := range list {
			if p.set >= last {
				break
			}
			if j.kind == containmentMeasure && (p.set == x || !j.older(p.set, x)) {
				continue
			}
			size := int(j.sizes[p.set])
			if j.kind == jaccardMeasure {
				need = c.needs[size-least]
			}
			c.count(p, need, len(s)-pos, size)
		}
	}
	for _, y := range c.seen {
		if c.hits[y] > 0 {
			if v, ok := j.verify(s, j.sets[y]); ok {
				out = append(out, found{x, y, v})
			}
		}
	}
	c.reset()
	return out
}

// count takes one shared token into account: rest is how many tokens x has
// left from there on, and size how many y has in all.
func (t *tally) count(p posting, need, rest, size int) {
	h := t.hits[p.set]
	if h < 0 {
		return
	}
	if h == 0 {
		t.seen = append(t.seen, p.set)
	}
	if int(h)+min(rest, size-int(p.pos)) < need {
		t.hits[p.set] = dropped
		return
	}
	t.hits[p.set]++
}

// verify counts what two sets share, and stops when it cannot be enough.
func (m measure) verify(x, y []int32) (float64, bool) {
	need := m.need(len(x), len(y))
	both, i, k := 0, 0, 0
	for i < len(x) && k < len(y) {
		if both+min(len(x)-i, len(y)-k) < need {
			return 0, false
		}
		switch {
		case x[i] == y[k]:
			both++
			i++
			k++
		case x[i] < y[k]:
			i++
		default:
			k++
		}
	}
	return m.value(both, len(x), len(y))
}

// chunk is how many sets a worker takes at a time.
const chunk = 2048

// pairs yields every pair of sets that are alike, in the order of the sets that
// asked. As many chunks are in memory as there are workers, and no more.
func (j *joiner) pairs() iter.Seq[found] {
	return func(yield func(found) bool) {
		workers := runtime.GOMAXPROCS(0)
		stop := make(chan struct{})
		work := make(chan chan []found, workers) // answers, in order
		tasks := make(chan task)
		var wg sync.WaitGroup
		for range workers {
			wg.Go(func() {
				c := &tally{hits: make([]int32, len(j.sets))}
				for t := range tasks {
					var out []found
					for x := t.first; x < t.last; x++ {
						out = j.probe(x, c, out)
					}
					t.answer <- out
				}
			})
		}
		wg.Go(func() {
			defer close(work)
			defer close(tasks)
			for first := 0; first < len(j.sets); first += chunk {
				t := task{int32(first), int32(min(first+chunk, len(j.sets))), make(chan []found, 1)}
				select {
				case work <- t.answer:
				case <-stop:
					return
				}
				select {
				case tasks <- t:
				case <-stop:
					t.answer <- nil
					return
				}
			}
		})
		defer wg.Wait()
		defer close(stop)
		for answer := range work {
			for _, f := range <-answer {
				if !yield(f) {
					return
				}
			}
		}
	}
}

type task struct {
	first, last int32
	answer      chan []found
}

// bySize gives the order of sets by size, those of one size as they came.
func bySize(sets [][]int32) []int32 {
	order := make([]int32, len(sets))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(a, b int32) int { return len(sets[a]) - len(sets[b]) })
	return order
}
