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
// takes twice as long.
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
	had         uint64 // how many documents have the word
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
	return grade{field: field, word: word, had: had, idf: 1 + math.Log(float64(all)/float64(had+1))}, err
}

// begin are the grades of all words that begin with something.
func (w sets) begin(field, start string) ([]grade, error) {
	words, err := w.words(field, start)
	if err != nil {
		return nil, err
	}
	var out []grade
	for _, word := range words {
		g, err := w.grade(field, word)
		if err != nil {
			return nil, err
		}
		out = append(out, g)
	}
	return out, nil
}

// words are the terms of a field that begin with something, ascending.
func (w sets) words(field, start string) (words []string, err error) {
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
	return slices.Compact(words), nil
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

// A draw is the documents that score like the last for which there is room.
type draw struct {
	score float64
	docs  []uint64
}

// scored are the documents of some sets that have one of the n best scores by grades, with
// them, in the order of their numbers; those that have the last of these scores are apart,
// because there can be many more than n. A score of 0 is that of no word.
func (w sets) scored(docs []*roaring.Bitmap, grades []grade, n int) (ahead []match, level draw, err error) {
	if n <= 0 {
		return nil, draw{}, nil
	}
	norm := 1 / math.Sqrt(grade{any: grades}.weight())
	for i, g := range grades {
		if g.field != "" {
			grades[i] = grade{any: []grade{g}}
		}
	}
	sums := make([][]float64, len(docs))
	best := front{room: n}
	for file, of := range docs {
		if of.IsEmpty() {
			continue
		}
		p := points{sets: w, file: file, of: of, size: int(w.snap.Segments()[file].FullSize())}
		if sums[file], err = p.sum(grades); err != nil {
			return nil, draw{}, err
		}
		for it := of.Iterator(); it.HasNext(); {
			doc := it.Next()
			sums[file][doc] = finite(sums[file][doc] * norm)
			best.add(byScore(sums[file][doc]))
		}
	}
	if len(best.top) == 0 {
		return nil, draw{}, nil
	}
	level.score = math.Float64frombits(best.last()[0])
	first := uint64(0)
	for file, of := range docs {
		for it := of.Iterator(); it.HasNext(); {
			doc := it.Next()
			switch score := sums[file][doc]; {
			case score > level.score:
				ahead = append(ahead, match{doc: first + uint64(doc), score: score})
			case score == level.score:
				level.docs = append(level.docs, first+uint64(doc))
			}
		}
		first += uint64(w.snap.Segments()[file].FullSize())
	}
	return ahead, level, nil
}

// known reports that some document has a word of some grades.
func known(grades []grade) bool {
	return slices.ContainsFunc(grades, func(g grade) bool { return g.had > 0 || known(g.any) })
}

// weight is the sum of the squares of what all its words weigh.
func (g grade) weight() (sum float64) {
	if g.field != "" {
		return g.idf * g.idf
	}
	for _, a := range g.any {
		sum += a.weight()
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

// sum is what some grades give together to each document of the file that points are for.
func (p points) sum(grades []grade) (sums []float64, err error) {
	for i, g := range grades {
		some, err := p.alternatives(g)
		if err != nil {
			return nil, err
		}
		if i == 0 {
			sums = some
			continue
		}
		for n := range sums {
			sums[n] += some[n]
		}
	}
	if sums == nil {
		sums = make([]float64, p.size)
	}
	return sums, nil
}

// alternatives is what one gives that has any.
func (p points) alternatives(g grade) ([]float64, error) {
	sums, had := make([]float64, p.size), make([]uint32, p.size)
	for _, a := range g.any {
		if err := p.ctx.Err(); err != nil {
			return nil, err
		}
		if a.field != "" {
			if err := p.addWord(a, sums, had); err != nil {
				return nil, err
			}
			continue
		}
		some, err := p.alternatives(a)
		if err != nil {
			return nil, err
		}
		for it := p.of.Iterator(); it.HasNext(); {
			if n := it.Next(); some[n] > 0 {
				sums[n] += some[n]
				had[n]++
			}
		}
	}
	for it := p.of.Iterator(); it.HasNext(); {
		n := it.Next()
		sums[n] *= float64(had[n]) / float64(len(g.any))
	}
	return sums, nil
}

// addWord adds what a word gives to each document's sum, and counts that it did.
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
		had[n]++
	}
}
