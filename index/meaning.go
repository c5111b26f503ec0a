package index

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"strings"

	"learnings/index/meaning"
)

// This file orders and finds lessons by meaning.

const (
	// nearCounts is the weight of nearness relative to the share of the best score by
	// words. Any value from a half to one and a half does about as well; see
	// docs/quality.md.
	nearCounts = 0.8

	// depth is how many of the best hits by words are reordered by meaning.
	depth = 50

	// Limits on lessons that have none of the words: how many are found, and how near they
	// must be.
	mostAlone, leastNear  = 5, 0.35
	mostFaint, leastFaint = 20, 0.2

	// leastAkin is the least nearness of a lesson that means nearly the same as another.
	leastAkin = 0.5

	// mostScanned limits how many lessons are scanned for meaning, so that a person does
	// not have to wait. If there are more, only words find lessons.
	mostScanned = 20_000

	// With at least enough lessons to tell what is usual, a hit must be outstanding
	// standard deviations nearer than the mean.
	enough, outstanding = 50, 3
)

// A sense is what the words of a query mean together. A nil sense finds nothing.
type sense struct {
	asked meaning.Vector
	kind  Meaning // which lessons without the words are found
}

func newSense(q Query) *sense {
	if q.Order() != Relevance {
		return nil
	}
	s := &sense{asked: VectorOf(q.typed()), kind: q.Meaning}
	if s.asked == nil {
		return nil
	}
	if q.AllWords || q.words != nil {
		s.kind = NoMeaning
	}
	return s
}

// typed returns the words of a query as they were typed.
func (q Query) typed() string {
	var words []string
	for _, t := range q.Terms {
		if !t.Not {
			words = append(words, t.Text)
		}
	}
	return strings.Join(words, " ")
}

// deep returns how many matches to request to get the best n.
func (s *sense) deep(n int) int {
	if s == nil {
		return n
	}
	return max(n, depth)
}

// sort sets the scores of matches to [Hit.Score] and reorders the first of them together
// with those found by meaning. The rest stays behind them.
func (s *sense) sort(r *reader, found, alone []match) ([]match, error) {
	if s == nil {
		return found, nil
	}
	top := 0.0
	for _, m := range found {
		top = max(top, m.score)
	}
	for i := range found {
		if top > 0 {
			found[i].score /= top
		}
	}
	n := min(len(found), depth)
	near, err := s.nearness(r, docsOf(found[:n]))
	if err != nil {
		return nil, err
	}
	for i := range near {
		found[i].near = near[i]
	}
	first := slices.Concat(found[:n], alone)
	for i := range first {
		first[i].score += nearCounts * first[i].near
	}
	slices.SortStableFunc(first, func(a, b match) int { return cmp.Compare(b.score, a.score) })
	for _, m := range found[n:] {
		m.score = min(m.score, first[len(first)-1].score)
		first = append(first, m)
	}
	return first, nil
}

// nearness returns how near each document is.
func (s *sense) nearness(r *reader, docs []uint64) ([]float64, error) {
	near := make([]float64, len(docs))
	err := r.stored(docs, meaningField, func(i int, vectors []byte) error {
		if !meaning.Whole(vectors) {
			return errors.New("the vectors of a lesson are broken")
		}
		near[i] = s.asked.Near(vectors)
		return nil
	})
	return near, err
}

// alone returns which of the documents are near.
func (s *sense) alone(r *reader, docs docSet) ([]match, error) {
	if s == nil || s.kind == NoMeaning || len(docs) > mostScanned {
		return nil, nil
	}
	near, err := s.nearness(r, docs)
	if err != nil {
		return nil, err
	}
	most, least := mostAlone, leastNear
	if s.kind == Faint {
		most, least = mostFaint, leastFaint
	} else if len(near) > enough {
		least = max(least, unusual(near))
	}
	var others []match
	for i, n := range near {
		if n >= least {
			others = append(others, match{doc: docs[i], near: n, alone: true})
		}
	}
	slices.SortStableFunc(others, func(a, b match) int { return cmp.Compare(b.near, a.near) })
	return others[:min(len(others), most)], nil
}

// unusual returns the least nearness of an outstanding match.
func unusual(all []float64) float64 {
	var sum, squares float64
	for _, n := range all {
		sum += n
		squares += n * n
	}
	n := float64(len(all))
	mean := sum / n
	return mean + outstanding*math.Sqrt(max(0, squares/n-mean*mean))
}

// each finds the documents that hold every term, in order. A score is the mean over the
// terms: 1 if held by words, else the nearness. near is the smallest nearness.
func (r *reader) each(q Query, terms []string) ([]match, error) {
	q.Terms = slices.DeleteFunc(slices.Clone(q.Terms), func(t Term) bool { return !t.Not })
	q.AllWords, q.Sort, q.words = true, Created, nil
	all, _, _, err := r.top(q, math.MaxInt)
	held := make([]set, len(terms))
	for i := 0; i < len(terms) && err == nil; i++ {
		one := q
		one.Terms = slices.Concat(Text(terms[i]).Terms, q.Terms)
		held[i], err = r.found(one)
	}
	all = slices.DeleteFunc(all, func(m match) bool {
		return !slices.ContainsFunc(held, func(s set) bool { return s.has(m.doc) })
	})
	for i := 0; i < len(terms) && err == nil; i++ {
		s, near := sense{asked: VectorOf(terms[i])}, make([]float64, len(all))
		if len(all) <= mostScanned {
			near, err = s.nearness(r, docsOf(all))
		}
		some := all[:0]
		for k, m := range all {
			switch {
			case held[i].has(m.doc):
				m.score++
			case near[k] >= leastNear:
				if m.score += near[k]; !m.alone || near[k] < m.near {
					m.near, m.alone = near[k], true
				}
			default:
				continue
			}
			some = append(some, m)
		}
		all = some
	}
	for k := range all {
		all[k].score /= float64(len(terms))
	}
	slices.SortStableFunc(all, func(a, b match) int { return cmp.Compare(b.score, a.score) })
	return all, err
}
