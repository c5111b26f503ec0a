package index

import (
	"slices"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"
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

// around gives some of many lessons, which are the rest of a sense, to tell what is usual,
// and those that have words near to what is asked. Both are in the order of their numbers;
// of what is usual it is how near each is.
func (s *sense) around(w sets, rest []*roaring.Bitmap, many []uint64) (usual []float64, near []uint64, err error) {
	var some []uint64
	for i := 0; i < len(many); i += max(len(many)/mostUsual, 1) {
		some = append(some, many[i])
	}
	if usual, err = s.nearness(w.snap, some); err != nil {
		return nil, nil, err
	}
	words, err := s.nearWords(w.snap)
	if err != nil || len(words) == 0 {
		return usual, nil, err
	}
	oneOf := bleve.NewDisjunctionQuery()
	for _, w := range words {
		oneOf.AddQuery(term(w, textField))
	}
	docs, err := w.find(oneOf)
	if err != nil {
		return nil, nil, err
	}
	for i := range docs {
		docs[i].And(rest[i])
	}
	grades, err := w.grades(oneOf)
	if err != nil {
		return nil, nil, err
	}
	ahead, level, err := w.scored(docs, grades, mostAround)
	if err != nil {
		return nil, nil, err
	}
	near = append(docsOf(ahead), level.docs...)
	slices.Sort(near)
	return usual, near, nil
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
