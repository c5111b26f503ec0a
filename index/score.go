package index

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/blevesearch/bleve/v2/search/query"
	segment "github.com/blevesearch/scorch_segment_api/v2"
)

// This file scores documents that sets have found, a word after the other. bleve's
// searchers go through all words of a document before the next one, which for common words
// takes four times as long as to read what the index has of them.
//
// The scores are in proportion to bleve's. A word gives a document
//
//	√(how often it has the word) / √(how many words it has) · idf²
//	idf = 1 + ln(all documents / (documents with the word + 1))
//
// and of several alternatives it gets their sum, times the share of them that it has.

// A grade is a part of a query that gives a score: a word of a field or, without a field,
// alternatives.
type grade struct {
	field, word string
	idf         float64
	any         []grade
}

// grades are the parts of a query that give a score, the sum of which counts.
func (w sets) grades(q query.Query) ([]grade, error) {
	switch q := q.(type) {
	case nil, unscored, *query.MatchAllQuery:
		return nil, nil
	case *query.BooleanQuery:
		must, err := w.grades(q.Must)
		if err != nil {
			return nil, err
		}
		should, err := w.grades(q.Should)
		return append(must, should...), err
	case *query.ConjunctionQuery:
		return w.gradesOf(q.Conjuncts)
	case *query.DisjunctionQuery:
		any, err := w.gradesOf(q.Disjuncts)
		return []grade{{any: any}}, err
	case *query.TermQuery:
		g, err := w.grade(q.FieldVal, q.Term)
		return []grade{g}, err
	case *query.PrefixQuery:
		any, err := w.begin(q.FieldVal, q.Prefix)
		return []grade{{any: any}}, err
	}
	return nil, fmt.Errorf("no score is known for %T", q)
}

func (w sets) gradesOf(queries []query.Query) (out []grade, err error) {
	for _, q := range queries {
		g, err := w.grades(q)
		if err != nil {
			return nil, err
		}
		out = append(out, g...)
	}
	return out, nil
}

// grade is of a word, which may be in no document.
func (w sets) grade(field, word string) (grade, error) {
	had := uint64(0)
	for i := range w.live {
		list, err := w.list(i, field, word)
		if err != nil {
			return grade{}, err
		}
		had += list.Count()
	}
	all, err := w.snap.DocCount()
	return grade{field: field, word: word, idf: 1 + math.Log(float64(all)/float64(had+1))}, err
}

// begin are the grades of all words that begin with something.
func (w sets) begin(field, start string) ([]grade, error) {
	var words []string
	for _, s := range w.snap.Segments() {
		dict, err := s.Segment().Dictionary(field)
		if err != nil {
			return nil, err
		}
		terms := dict.AutomatonIterator(nil, []byte(start), nil)
		e, err := terms.Next()
		for ; err == nil && e != nil && strings.HasPrefix(e.Term, start); e, err = terms.Next() {
			words = append(words, e.Term)
		}
		if err != nil {
			return nil, err
		}
	}
	slices.Sort(words)
	var out []grade
	for _, word := range slices.Compact(words) {
		g, err := w.grade(field, word)
		if err != nil {
			return nil, err
		}
		out = append(out, g)
	}
	return out, nil
}

// list has the documents of a file that have a word and are not deleted.
func (w sets) list(file int, field, word string) (segment.PostingsList, error) {
	s := w.snap.Segments()[file]
	dict, err := s.Segment().Dictionary(field)
	if err != nil {
		return nil, err
	}
	return dict.PostingsList([]byte(word), s.Deleted(), nil)
}

// score gives all documents of some sets, in the order of their numbers, the scores that
// they have by a query.
func (w sets) score(found []match, docs []*roaring.Bitmap, q query.Query) error {
	grades, err := w.grades(q)
	if err != nil {
		return err
	}
	norm := 1 / math.Sqrt(weight(grades))
	for file, of := range docs {
		n := int(of.GetCardinality())
		if n == 0 {
			continue
		}
		p := points{sets: w, file: file, of: of, size: int(w.snap.Segments()[file].FullSize())}
		sums := make([]float64, p.size)
		for _, g := range grades {
			if err := p.add(g, sums, nil); err != nil {
				return err
			}
		}
		it := of.Iterator()
		for i := range found[:n] {
			found[i].score = finite(sums[it.Next()] * norm)
		}
		found = found[n:]
	}
	return nil
}

// weight is the sum of the squares of what all words weigh.
func weight(grades []grade) (sum float64) {
	for _, g := range grades {
		if sum += weight(g.any); g.field != "" {
			sum += g.idf * g.idf
		}
	}
	return sum
}

// Points are given to documents of one file.
type points struct {
	sets
	file int
	of   *roaring.Bitmap // to whom
	size int             // documents of the file
}

// add adds what a grade gives to each document's sum, and counts those that it gives
// something to when had is not nil.
func (p points) add(g grade, sums []float64, had []uint32) error {
	if err := p.ctx.Err(); err != nil {
		return err
	}
	if g.field != "" {
		return p.addWord(g, sums, had)
	}
	mine, of := make([]float64, p.size), make([]uint32, p.size)
	for _, a := range g.any {
		if err := p.add(a, mine, of); err != nil {
			return err
		}
	}
	for it := p.of.Iterator(); it.HasNext(); {
		n := it.Next()
		if of[n] == 0 {
			continue
		}
		sums[n] += mine[n] * float64(of[n]) / float64(len(g.any))
		if had != nil {
			had[n]++
		}
	}
	return nil
}

func (p points) addWord(g grade, sums []float64, had []uint32) error {
	list, err := p.list(p.file, g.field, g.word)
	if err != nil {
		return err
	}
	postings := list.Iterator(true, true, false, nil)
	if some, ok := postings.(segment.OptimizablePostingsIterator); ok {
		if all := some.ActualBitmap(); all != nil && all.AndCardinality(p.of) < all.GetCardinality() {
			some.ReplaceActual(roaring.And(all, p.of))
		}
	}
	each := g.idf * g.idf
	for {
		next, err := postings.Next()
		if err != nil || next == nil {
			return err
		}
		n := next.Number()
		sums[n] += math.Sqrt(float64(next.Frequency())) * next.Norm() * each
		if had != nil {
			had[n]++
		}
	}
}
