package index

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/index/scorch"
	"github.com/blevesearch/bleve/v2/search"
	"github.com/blevesearch/bleve/v2/search/query"
	bleveindex "github.com/blevesearch/bleve_index_api"
)

// This file chooses the documents of a page. bleve reads the sort keys and the id of
// every document that matches, which for a common word is most of what the index has on
// disk; here a key is read of those alone that no earlier key has told apart.

// A match is a document that a query finds.
type match struct {
	doc   uint64
	score float64
	near  float64 // see Hit.Near
	alike float64 // see Hit.Alike
	alone bool    // see Hit.ByMeaning
	key   place
}

// docsOf are the numbers of matches.
func docsOf(found []match) []uint64 {
	docs := make([]uint64, len(found))
	for i, m := range found {
		docs[i] = m.doc
	}
	return docs
}

// matchesOf are documents by their numbers.
func matchesOf(docs []uint64) []match {
	out := make([]match, len(docs))
	for i, doc := range docs {
		out[i].doc = doc
	}
	return out
}

// A place is where a document comes by one sort key: the larger the earlier. It holds
// the first bytes of a key, which are all that ours have.
type place [2]uint64

func (p place) compare(q place) int { return cmp.Or(cmp.Compare(q[0], p[0]), cmp.Compare(q[1], p[1])) }

// A sortKey is what documents are ordered by: a field with doc values or, without a
// field, their score.
type sortKey struct {
	field string
	least bool // what comes first in the alphabet comes first
}

// order is of the keys of a query. The id comes last, so that pages do not overlap.
func (q Query) order() []sortKey {
	switch q.Order() {
	case Relevance:
		return []sortKey{{}, {field: createdField}}
	case Score:
		return []sortKey{{field: confidenceField}, {field: createdField}}
	case Confirmed:
		return []sortKey{{field: confirmedField}}
	case Used:
		return []sortKey{{field: usedField}, {field: createdField}}
	case Queue:
		return []sortKey{{field: laneField, least: true}, {field: saidField}, {field: createdField}}
	}
	return []sortKey{{field: createdField}}
}

// first gives the first n of the documents that a query has found, in an order.
func (w sets) first(docs []*roaring.Bitmap, q query.Query, order []sortKey, n int) ([]match, error) {
	if order[0].field == "" {
		grades, err := w.grades(q)
		if err != nil {
			return nil, err
		}
		if known(grades) {
			return w.firstScored(docs, grades, order, n)
		}
		order = order[1:] // where no lesson has a word, as when it is being typed, none has a score
	}
	docs, err := w.narrowed(docs, order, n)
	if err != nil {
		return nil, err
	}
	return leading(w.snap, w.numbers(docs, 0), order, n)
}

// firstScored is first by scores.
func (w sets) firstScored(docs []*roaring.Bitmap, grades []grade, order []sortKey, n int) ([]match, error) {
	ahead, level, err := w.scored(docs, grades, n)
	if err != nil {
		return nil, err
	}
	if ahead, err = best(w.snap, ahead, order, len(ahead)); err != nil {
		return nil, err
	}
	rest, err := leading(w.snap, level.docs, order[1:], n-len(ahead))
	for i := range rest {
		rest[i].score = level.score
	}
	return append(ahead, rest...), err
}

// wide is of how many documents it pays to look up which have the terms that come first.
var wide = 2000

// narrowed leaves out documents that are not among the first n in an order, by the terms of
// its first key or of one that is as good for the most part. To read the keys of all takes
// longer.
func (w sets) narrowed(docs []*roaring.Bitmap, order []sortKey, n int) ([]*roaring.Bitmap, error) {
	if len(order) == 0 || order[0].least || n <= 0 || sizeOf(docs) < wide || n > sizeOf(docs)/2 {
		return docs, nil
	}
	field, whole := order[0].field, true
	switch field {
	case createdField:
		field, whole = hourField, false
	case confidenceField, usedField:
	default:
		return docs, nil
	}
	terms, err := w.words(field, "")
	if err != nil {
		return nil, err
	}
	out := w.none()
	for _, term := range slices.Backward(terms) {
		if err := w.ctx.Err(); err != nil {
			return nil, err
		}
		level := make([]*roaring.Bitmap, len(docs))
		for i, s := range w.snap.Segments() {
			if level[i], err = (part{s}).having(field, term, docs[i]); err != nil {
				return nil, err
			}
		}
		left := n - sizeOf(out)
		enough := sizeOf(level) >= left
		if enough && whole {
			if level, err = w.narrowed(level, order[1:], left); err != nil {
				return nil, err
			}
		}
		for i := range out {
			out[i].Or(level[i])
		}
		if enough {
			return out, nil
		}
	}
	return docs, nil // some have no term
}

// leading gives the first n of many documents in an order. Of most it reads a key and
// keeps nothing.
func leading(snap *scorch.IndexSnapshot, docs []uint64, order []sortKey, n int) ([]match, error) {
	if n = min(n, len(docs)); n <= 0 {
		return nil, nil
	}
	if len(order) == 0 || n == len(docs) {
		return best(snap, matchesOf(docs), order, n)
	}
	keys, err := order[0].places(snap, docs)
	if err != nil {
		return nil, err
	}
	f := front{room: n}
	for _, k := range keys {
		f.add(k)
	}
	last := f.last()
	var ahead []match
	level := docs[:0]
	for i, k := range keys {
		switch c := k.compare(last); {
		case c < 0:
			ahead = append(ahead, match{doc: docs[i]})
		case c == 0:
			level = append(level, docs[i])
		}
	}
	if ahead, err = best(snap, ahead, order, len(ahead)); err != nil {
		return nil, err
	}
	rest, err := leading(snap, level, order[1:], n-len(ahead))
	return append(ahead, rest...), err
}

// searched are the numbers of the documents of a query, by bleve alone.
func searched(ctx context.Context, b bleve.Index, snap *scorch.IndexSnapshot, q query.Query) ([]uint64, error) {
	s, err := q.Searcher(ctx, snap, b.Mapping(), search.SearcherOptions{Score: "none"})
	if err != nil {
		return nil, err
	}
	defer s.Close()
	in := &search.SearchContext{DocumentMatchPool: search.NewDocumentMatchPool(s.DocumentMatchPoolSize()+1, 0), IndexReader: snap}
	var out []uint64
	for {
		m, err := s.Next(in)
		if err != nil || m == nil {
			return out, err
		}
		out = append(out, m.IndexInternalID.Value())
		in.DocumentMatchPool.Put(m)
		if len(out)%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
}

// best gives the first n matches in an order, of not many more. It changes found.
func best(snap *scorch.IndexSnapshot, found []match, order []sortKey, n int) ([]match, error) {
	n = min(n, len(found))
	if n <= 0 {
		return nil, nil
	}
	if len(order) == 0 {
		return byID(snap, found, n)
	}
	if err := order[0].set(snap, found); err != nil {
		return nil, err
	}
	slices.SortFunc(found, func(a, b match) int { return a.key.compare(b.key) })
	out := make([]match, 0, n)
	for len(out) < n {
		same := 1
		for same < len(found) && found[same].key == found[0].key {
			same++
		}
		run := found[:same]
		found = found[same:]
		if same > 1 {
			var err error
			if run, err = best(snap, run, order[1:], n-len(out)); err != nil {
				return nil, err
			}
		}
		out = append(out, run...)
	}
	return out, nil
}

// A front is the first places of many, as far as there is room. It is a heap, whose root
// comes last.
type front struct {
	room int
	top  []place
}

// last is the last place of a front that has any.
func (f *front) last() place { return f.top[0] }

func (f *front) add(p place) {
	top := f.top
	switch {
	case len(top) < f.room:
		top = append(top, p)
		for i := len(top) - 1; i > 0 && top[i].compare(top[(i-1)/2]) > 0; i = (i - 1) / 2 {
			top[i], top[(i-1)/2] = top[(i-1)/2], top[i]
		}
		f.top = top
	case p.compare(top[0]) < 0:
		top[0] = p
		for i := 0; ; {
			last := i
			for c := 2*i + 1; c <= 2*i+2 && c < len(top); c++ {
				if top[c].compare(top[last]) > 0 {
					last = c
				}
			}
			if last == i {
				break
			}
			top[i], top[last] = top[last], top[i]
			i = last
		}
	}
}

func byScore(s float64) place { return place{math.Float64bits(max(s, 0))} }

// set gives each match its place by a key.
func (k sortKey) set(snap *scorch.IndexSnapshot, found []match) error {
	if k.field == "" {
		for i, m := range found {
			found[i].key = byScore(m.score)
		}
		return nil
	}
	keys, err := k.places(snap, docsOf(found))
	for i, p := range keys {
		found[i].key = p
	}
	return err
}

// places are those of some documents by the key of a field. Without a value they come last.
func (k sortKey) places(snap *scorch.IndexSnapshot, docs []uint64) ([]place, error) {
	values, err := snap.DocValueReader([]string{k.field})
	if err != nil {
		return nil, err
	}
	out := make([]place, len(docs))
	var id bleveindex.IndexInternalID
	for i, doc := range docs {
		id = bleveindex.NewIndexInternalID(id, doc)
		err := values.VisitDocValues(id, func(field string, value []byte) {
			if field == k.field {
				out[i] = k.place(value)
			}
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (k sortKey) place(value []byte) place {
	var p place
	for i, c := range value[:min(len(value), 16)] {
		p[i/8] |= uint64(c) << (56 - i%8*8)
	}
	if k.least {
		p[0], p[1] = ^p[0], ^p[1]
	}
	return p
}

// byID gives the first n matches in the order of their ids.
func byID(snap *scorch.IndexSnapshot, found []match, n int) ([]match, error) {
	if len(found) == 1 {
		return found, nil
	}
	type named struct {
		id string
		match
	}
	all := make([]named, len(found))
	var id bleveindex.IndexInternalID
	for i, m := range found {
		id = bleveindex.NewIndexInternalID(id, m.doc)
		name, err := snap.ExternalID(id)
		if err != nil {
			return nil, err
		}
		all[i] = named{name, m}
	}
	slices.SortFunc(all, func(a, b named) int { return strings.Compare(a.id, b.id) })
	for i := range found[:n] {
		found[i] = all[i].match
	}
	return found[:n], nil
}
