package index

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/index/scorch"
	"github.com/blevesearch/bleve/v2/search/query"
	segment "github.com/blevesearch/scorch_segment_api/v2"
)

// This file finds documents by joining whole sets of them. bleve looks at each document
// of a query by itself, which is what a search of a common word takes its time for; it is
// asked for scores alone, and for what no set tells.

// Sets are the index as sets of documents of each of its files.
type sets struct {
	ctx  context.Context
	b    bleve.Index
	snap *scorch.IndexSnapshot
	live []*roaring.Bitmap
}

func newSets(ctx context.Context, b bleve.Index, snap *scorch.IndexSnapshot) sets {
	w := sets{ctx: ctx, b: b, snap: snap}
	for _, s := range snap.Segments() {
		w.live = append(w.live, part{s}.live())
	}
	return w
}

// find gives the documents of a query, by file. The sets are the caller's.
func (w sets) find(q query.Query) ([]*roaring.Bitmap, error) {
	if err := w.ctx.Err(); err != nil {
		return nil, err
	}
	switch q := q.(type) {
	case unscored:
		return w.find(q.Query)
	case *query.MatchAllQuery:
		return w.all(), nil
	case *query.TermQuery:
		return w.terms(q.FieldVal, func(p part, in *roaring.Bitmap) (*roaring.Bitmap, error) { return p.having(q.FieldVal, q.Term, in) })
	case *query.PrefixQuery:
		return w.terms(q.FieldVal, func(p part, in *roaring.Bitmap) (*roaring.Bitmap, error) {
			return p.from(q.FieldVal, q.Prefix, in, func(term string) bool { return strings.HasPrefix(term, q.Prefix) })
		})
	case *query.ConjunctionQuery:
		out := w.all()
		return out, w.each(q.Conjuncts, out, (*roaring.Bitmap).And)
	case *query.DisjunctionQuery:
		if q.Min <= 1 {
			out := w.none()
			return out, w.each(q.Disjuncts, out, (*roaring.Bitmap).Or)
		}
	case ordered:
		out, err := w.find(q.Query)
		if err == nil {
			err = q.phrase.having(w, out)
		}
		return out, err
	case *query.BooleanQuery:
		if q.Must != nil { // what should be in it decides nothing then
			return w.both(q)
		}
	}
	return w.asked(q)
}

func (w sets) all() []*roaring.Bitmap {
	out := make([]*roaring.Bitmap, len(w.live))
	for i, in := range w.live {
		out[i] = in.Clone()
	}
	return out
}

func (w sets) none() []*roaring.Bitmap {
	out := make([]*roaring.Bitmap, len(w.live))
	for i := range out {
		out[i] = roaring.New()
	}
	return out
}

// each joins what some queries find to a set.
func (w sets) each(queries []query.Query, out []*roaring.Bitmap, join func(*roaring.Bitmap, *roaring.Bitmap)) error {
	for _, q := range queries {
		found, err := w.find(q)
		if err != nil {
			return err
		}
		for i := range out {
			join(out[i], found[i])
		}
	}
	return nil
}

// both finds what has everything that a query must have and nothing that it must not.
func (w sets) both(q *query.BooleanQuery) ([]*roaring.Bitmap, error) {
	out, err := w.find(q.Must)
	if err == nil && q.Filter != nil {
		err = w.each([]query.Query{q.Filter}, out, (*roaring.Bitmap).And)
	}
	if err == nil && q.MustNot != nil {
		err = w.each([]query.Query{q.MustNot}, out, (*roaring.Bitmap).AndNot)
	}
	return out, err
}

// terms finds documents file by file.
func (w sets) terms(field string, find func(part, *roaring.Bitmap) (*roaring.Bitmap, error)) ([]*roaring.Bitmap, error) {
	out := make([]*roaring.Bitmap, len(w.live))
	for i, s := range w.snap.Segments() {
		var err error
		if out[i], err = find(part{s}, w.live[i]); err != nil {
			return nil, fmt.Errorf("looking up %s: %w", field, err)
		}
	}
	return out, nil
}

// asked has bleve find the documents of a query.
func (w sets) asked(q query.Query) ([]*roaring.Bitmap, error) {
	docs, err := searched(w.ctx, w.b, w.snap, q)
	if err != nil {
		return nil, err
	}
	return inFiles(w.snap, docs), nil
}

// numbers are the documents of some sets by their numbers in the index: all of them, or
// one more than most, when that is not 0.
func (w sets) numbers(docs []*roaring.Bitmap, most int) []uint64 {
	n := sizeOf(docs)
	if most > 0 {
		n = min(n, most+1)
	}
	out := make([]uint64, 0, n)
	first := uint64(0)
	for i, s := range w.snap.Segments() {
		for it := docs[i].Iterator(); it.HasNext() && len(out) < n; {
			out = append(out, first+uint64(it.Next()))
		}
		first += uint64(s.FullSize())
	}
	return out
}

// without leaves out of some numbers, which are ascending, those of the documents of some
// sets.
func (w sets) without(docs []*roaring.Bitmap, numbers []uint64) []uint64 {
	segments := w.snap.Segments()
	file, first := 0, uint64(0)
	return slices.DeleteFunc(numbers, func(n uint64) bool {
		for n >= first+uint64(segments[file].FullSize()) {
			first += uint64(segments[file].FullSize())
			file++
		}
		return docs[file].Contains(uint32(n - first))
	})
}

// sizeOf is how many documents some sets have.
func sizeOf(docs []*roaring.Bitmap) (n int) {
	for _, s := range docs {
		n += int(s.GetCardinality())
	}
	return n
}

// having are the documents of a set that have a term.
func (p part) having(field, term string, in *roaring.Bitmap) (*roaring.Bitmap, error) {
	dict, err := p.Segment().Dictionary(field)
	if err != nil {
		return nil, err
	}
	list, err := dict.PostingsList([]byte(term), nil, nil)
	if err != nil {
		return nil, err
	}
	docs := roaring.New()
	if err := into(list, docs); err != nil {
		return nil, err
	}
	docs.And(in)
	return docs, nil
}

// from are the documents of a set that have one of the terms from a first one on, while
// they are wanted.
func (p part) from(field, first string, in *roaring.Bitmap, wanted func(string) bool) (*roaring.Bitmap, error) {
	dict, err := p.Segment().Dictionary(field)
	if err != nil {
		return nil, err
	}
	docs := roaring.New()
	var list segment.PostingsList
	for terms := dict.AutomatonIterator(nil, []byte(first), nil); ; {
		e, err := terms.Next()
		if err != nil {
			return nil, err
		}
		if e == nil || !wanted(e.Term) {
			break
		}
		if list, err = dict.PostingsList([]byte(e.Term), nil, list); err != nil {
			return nil, err
		}
		if err := into(list, docs); err != nil {
			return nil, err
		}
	}
	docs.And(in)
	return docs, nil
}

// into adds the documents of a list to a set.
func into(list segment.PostingsList, docs *roaring.Bitmap) error {
	all, ok := list.(interface{ OrInto(*roaring.Bitmap) })
	if !ok {
		return fmt.Errorf("%w: a file of another kind", errDamaged)
	}
	all.OrInto(docs)
	return nil
}
