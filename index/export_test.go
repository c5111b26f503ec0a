package index

import (
	"context"
	"errors"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/search"
)

// SetMaxFiles has an index count as worn with fewer files, until restore.
func SetMaxFiles(n int) (restore func()) {
	was := maxFiles
	maxFiles = n
	return func() { maxFiles = was }
}

// SetWide has fewer documents looked up by the terms that come first, until restore.
func SetWide(n int) (restore func()) {
	was := wide
	wide = n
	return func() { wide = was }
}

// Scores are those that the documents of a query have here, and by bleve's searchers.
func Scores(ctx context.Context, x *Index, q Query) (ours, theirs map[uint64]float64, err error) {
	ours, theirs = map[uint64]float64{}, map[uint64]float64{}
	err = x.view(ctx, func(b bleve.Index) error {
		snap, done, err := snapshot(b)
		if err != nil {
			return err
		}
		defer done()
		w, r := newSets(ctx, b, snap), q.request()
		docs, err := w.find(r)
		if err != nil {
			return err
		}
		grades, err := w.grades(r)
		if err != nil {
			return err
		}
		ahead, level, err := w.scored(docs, grades, sizeOf(docs))
		if err != nil {
			return err
		}
		for _, m := range ahead {
			ours[m.doc] = m.score
		}
		for _, doc := range level.docs {
			ours[doc] = level.score
		}
		s, err := r.Searcher(ctx, snap, b.Mapping(), search.SearcherOptions{})
		if err != nil {
			return err
		}
		in := &search.SearchContext{DocumentMatchPool: search.NewDocumentMatchPool(s.DocumentMatchPoolSize()+1, 0), IndexReader: snap}
		for {
			m, err := s.Next(in)
			if err != nil || m == nil {
				return errors.Join(err, s.Close())
			}
			theirs[m.IndexInternalID.Value()] = m.Score
			in.DocumentMatchPool.Put(m)
		}
	})
	return ours, theirs, err
}
