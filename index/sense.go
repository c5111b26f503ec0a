package index

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"strings"

	"github.com/blevesearch/bleve/v2/search/query"

	"learnings/index/meaning"
)

const (
	// What nearness and alikeness count for beside the share of the best score by words.
	// Chosen on the questions of a benchmark, where any values from a half to one and a
	// half do about as well; docs/quality.md says on which.
	nearCounts, alikeCounts = 0.5, 1.2

	// depth is how many of the best by their words are put in order by what they mean.
	depth = 50

	// Of lessons that have none of the words, so many are found at most, and none that
	// is less near than that.
	mostAlone, leastNear  = 5, 0.35
	mostFaint, leastFaint = 20, 0.2

	// leastAkin is from which nearness on a lesson means nearly the same as another.
	leastAkin = 0.5

	// mostScanned is how many lessons are looked at for that: more take longer than a
	// person waits. Where there are more, nothing is found by meaning alone.
	mostScanned = 20_000

	// Where there are more than enough to tell what is usual, what is found is so many
	// standard deviations nearer than that.
	enough, outstanding = 50, 3
)

// A sense is what the words of a query mean together. A nil one knows nothing.
type sense struct {
	asked meaning.Vector
	words *alikeness
	kind  Meaning
	rest  query.Query // all lessons that meet the conditions; nil when nobody asks for them
}

func newSense(q Query) *sense {
	if q.Order() != Relevance {
		return nil
	}
	text := q.typed()
	s := &sense{asked: meaning.Words().Of(text), kind: q.Meaning}
	if s.asked == nil {
		return nil
	}
	s.words = newAlikeness(text)
	if q.Meaning != NoMeaning && !q.AllWords && q.words == nil {
		all := q
		all.Terms, all.Sort = nil, Created
		for from, to := range q.alternatives {
			if q.Terms[from].Not || q.required(from, to) {
				all.Terms = append(all.Terms, q.Terms[from])
			}
		}
		s.rest = all.request()
	}
	return s
}

// deep is how many matches are asked for where n are wanted.
func (s *sense) deep(n int) int {
	if s == nil {
		return n
	}
	return max(n, depth)
}

// sort makes the scores of matches what [Hit.Score] says, and puts the first of them in
// order, together with those that are near alone. The others stay behind them.
func (s *sense) sort(r *reader, g *gauge, found, alone []match) ([]match, error) {
	if s == nil {
		return found, nil
	}
	top := 0.0
	for _, m := range found {
		top = max(top, m.score)
	}
	if top > 0 {
		for i := range found {
			found[i].score /= top
		}
	}
	first := slices.Clone(found[:min(len(found), depth)])
	if err := s.measure(r, first); err != nil {
		return nil, err
	}
	rest := found[len(first):]
	first = append(first, alone...)
	s.words.weigh(g)
	if err := s.compare(r, first); err != nil {
		return nil, err
	}
	for i := range first {
		first[i].score += nearCounts*first[i].near + alikeCounts*first[i].alike
	}
	slices.SortStableFunc(first, func(a, b match) int { return cmp.Compare(b.score, a.score) })
	for i := range rest {
		rest[i].score = min(rest[i].score, first[len(first)-1].score)
	}
	return append(first, rest...), nil
}

// measure finds out how near each match is.
func (s *sense) measure(r *reader, found []match) error {
	near, err := s.nearness(r, docsOf(found))
	for i := range near {
		found[i].near = near[i]
	}
	return err
}

// nearness is how near each of some documents is.
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

// compare sets how alike matches are to the query word by word.
func (s *sense) compare(r *reader, found []match) error {
	phrases := make([][]byte, len(found))
	err := r.stored(docsOf(found), phrasesField, func(i int, value []byte) error {
		phrases[i] = slices.Clone(value)
		return nil
	})
	for i, p := range phrases {
		met, said := s.words.to(p)
		found[i].alike = (met + said) / 2
	}
	return err
}

// alone gives the lessons that are near and are not among those that a query finds by their
// words; nil is for none.
func (s *sense) alone(r *reader, q query.Query) ([]match, error) {
	if s == nil || s.rest == nil {
		return nil, nil
	}
	docs, err := r.docs(s.rest)
	if err != nil || len(docs) > mostScanned {
		return nil, err
	}
	var found docSet
	if q != nil {
		if found, err = r.docs(q); err != nil {
			return nil, err
		}
	}
	docs = slices.DeleteFunc(docs, found.has)
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

// unusual is from which nearness on a match is outstanding.
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

// typed gives the words of a query as they were typed.
func (q Query) typed() string {
	var words []string
	for _, t := range q.Terms {
		switch {
		case t.Not:
		case t.Phrase:
			words = append(words, `"`+t.Text+`"`)
		default:
			words = append(words, t.Text)
		}
	}
	return strings.Join(words, " ")
}
