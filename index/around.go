package index

import (
	"context"
	"slices"
	"strings"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/index/scorch"

	"learnings/index/meaning"
)

// Where there are too many lessons to look at all of them for what they mean, those are
// looked at that have words near to what is asked.
const (
	aroundAll  = 24   // words around all of it
	aroundEach = 6    // and around each of its words,
	mostEach   = 8    // of so many
	mostCommon = 0.02 // but none that so large a share of the lessons has: it tells little
	mostAround = 2000 // lessons, those with the most and rarest of the words
	mostUsual  = 1000 // lessons that say what is usual
)

// around gives some of many lessons, to tell what is usual, and those that have words near
// to what is asked. Both are in the order of their numbers; usual is measured.
func (s *sense) around(ctx context.Context, b bleve.Index, snap *scorch.IndexSnapshot, many []match) (usual, near []match, err error) {
	for i := 0; i < len(many); i += max(len(many)/mostUsual, 1) {
		usual = append(usual, many[i])
	}
	if err := s.measure(snap, usual); err != nil {
		return nil, nil, err
	}
	words, err := s.nearWords(snap)
	if err != nil || len(words) == 0 {
		return usual, nil, err
	}
	some := bleve.NewDisjunctionQuery()
	for _, w := range words {
		some.AddQuery(term(w, textField))
	}
	q := bleve.NewBooleanQuery()
	q.AddMust(some)
	q.AddFilter(s.rest)
	near, err = matches(ctx, b, snap, q, true, 0)
	if err != nil || len(near) <= mostAround {
		return usual, near, err
	}
	if err := (sortKey{}).set(snap, near); err != nil {
		return nil, nil, err
	}
	last := nth(near, mostAround)
	return usual, slices.DeleteFunc(near, func(m match) bool { return m.key.compare(last) > 0 }), nil
}

// nearWords are the words near to what is asked, as the index has them.
func (s *sense) nearWords(snap *scorch.IndexSnapshot) ([]string, error) {
	t := meaning.Words()
	found := t.Around(s.asked, aroundAll)
	each := 0
	for _, w := range strings.Fields(s.text) {
		if v := t.Of(w); v != nil && each < mostEach {
			found = append(found, t.Around(v, aroundEach)...)
			each++
		}
	}
	all, err := snap.DocCount()
	if err != nil {
		return nil, err
	}
	var out []string
	for _, w := range found {
		for _, w := range Words(w) {
			if slices.Contains(out, w) {
				continue
			}
			if n, err := frequency(snap, w); err != nil {
				return nil, err
			} else if n > 0 && float64(n) <= max(mostCommon*float64(all), enough) {
				out = append(out, w)
			}
		}
	}
	return out, nil
}
