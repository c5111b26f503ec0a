package index

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/index/scorch"
	"github.com/blevesearch/bleve/v2/search/query"

	"learnings/lessons"
)

// Outlines finds every lesson of a query, oldest first, whatever its order and
// page are. It takes a fifth of the time and memory of [Index.All].
//
// The errors to decide on are those of [Index.Search].
func (x *Index) Outlines(ctx context.Context, q Query) ([]lessons.Outline, error) {
	if q.Now.IsZero() {
		q.Now = time.Now()
	}
	var out []lessons.Outline
	err := x.read(ctx, q.request(), func(snap *scorch.IndexSnapshot, docs []uint64) error {
		out = make([]lessons.Outline, len(docs))
		return readAll(snap, docs, outlineField, func(i int, value []byte) error { return json.Unmarshal(value, &out[i]) })
	})
	slices.SortFunc(out, func(a, b lessons.Outline) int {
		return cmp.Or(a.Created.Compare(b.Created), cmp.Compare(a.ID, b.ID))
	})
	return out, err
}

// Brief finds the lessons of a page as [Index.Search] does, and gives their outlines. What
// the words mean does not count, neither for what is found nor for the order.
//
// The errors to decide on are those of [Index.Search].
func Brief(ctx context.Context, x *Index, q Query) ([]lessons.Outline, error) {
	if q.Now.IsZero() {
		q.Now = time.Now()
	}
	var out []lessons.Outline
	err := x.view(ctx, func(b bleve.Index) error {
		if err := q.narrow(b); err != nil {
			return err
		}
		snap, done, err := snapshot(b)
		if err != nil {
			return searchError(ctx, err)
		}
		defer done()
		w, r := newSets(ctx, b, snap), q.request()
		docs, err := w.find(r)
		var found []match
		if err == nil {
			found, err = w.first(docs, r, q.order(), q.from()+q.size())
		}
		if err == nil {
			found = found[min(q.from(), len(found)):]
			out = make([]lessons.Outline, len(found))
			err = readAll(snap, docsOf(found), outlineField, func(i int, value []byte) error { return json.Unmarshal(value, &out[i]) })
		}
		if err != nil {
			return searchError(ctx, err)
		}
		return nil
	})
	return out, err
}

// snapshot gives the files of an index, until done is called.
func snapshot(b bleve.Index) (snap *scorch.IndexSnapshot, done func() error, err error) {
	adv, err := b.Advanced()
	if err != nil {
		return nil, nil, err
	}
	r, err := adv.Reader()
	if err != nil {
		return nil, nil, err
	}
	snap, ok := r.(*scorch.IndexSnapshot)
	if !ok {
		r.Close()
		return nil, nil, errors.New("an index of another kind")
	}
	return snap, r.Close, nil
}

// documents are the numbers of the documents of a query, ascending.
func documents(ctx context.Context, b bleve.Index, snap *scorch.IndexSnapshot, q query.Query) ([]uint64, error) {
	w := newSets(ctx, b, snap)
	docs, err := w.find(q)
	if err != nil {
		return nil, err
	}
	return w.numbers(docs, 0), nil
}

// mostMapped is how many documents stay in memory that were read.
const mostMapped = 1 << 11

// readAll calls f with a stored field of each document and its place in docs, on all
// cores. The value is f's for the time of the call.
func readAll(snap *scorch.IndexSnapshot, docs []uint64, field string, f func(i int, value []byte) error) error {
	segments := snap.Segments()
	var read atomic.Int64
	return eachOf(snap, docs, func(i, file int, doc uint64) error {
		if read.Add(1)%mostMapped == 0 {
			release(snap)
		}
		return readField(segments[file], doc, field, func(value []byte) error { return f(i, value) })
	})
}

// eachOf calls f with each document, its place in docs and the file that it is in with its
// number there, on all cores.
func eachOf(snap *scorch.IndexSnapshot, docs []uint64, f func(i, file int, doc uint64) error) error {
	segments := snap.Segments()
	ends := make([]uint64, len(segments)) // the number after the last document of each
	for i, s := range segments {
		ends[i] = uint64(s.FullSize())
		if i > 0 {
			ends[i] += ends[i-1]
		}
	}
	workers := runtime.GOMAXPROCS(0)
	errs := make([]error, workers)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
			defer func() {
				if r := recover(); r != nil { // as session has it, which is in another goroutine
					errs[w] = fmt.Errorf("%w: %v", errDamaged, r)
				}
			}()
			for i := len(docs) * w / workers; i < len(docs)*(w+1)/workers && errs[w] == nil; i++ {
				at, _ := slices.BinarySearch(ends, docs[i]+1)
				errs[w] = f(i, at, docs[i]-(ends[at]-uint64(segments[at].FullSize())))
			}
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

// readField calls f with a stored field of a document.
func readField(s *scorch.SegmentSnapshot, doc uint64, name string, f func(value []byte) error) (err error) {
	found := false
	visitErr := s.VisitDocument(doc, func(field string, _ byte, value []byte, _ []uint64) bool {
		if field == name {
			err, found = f(value), true
		}
		return !found
	})
	if err = errors.Join(visitErr, err); err == nil && !found {
		err = errors.New("a document holds no lesson")
	}
	return err
}

// Each calls f with every lesson of a query, as [Hit] has it: in no order, on all cores,
// and one at a time in memory for each. Offset and Limit do not count.
//
// The errors to decide on are those of [Index.Search].
func (x *Index) Each(ctx context.Context, q Query, f func(lessons.Lesson)) error {
	if q.Now.IsZero() {
		q.Now = time.Now()
	}
	return x.read(ctx, q.request(), func(snap *scorch.IndexSnapshot, docs []uint64) error {
		return readAll(snap, docs, lessonField, func(_ int, value []byte) error {
			var l lessons.Lesson
			if err := json.Unmarshal(value, &l); err != nil {
				return err
			}
			f(l)
			return ctx.Err()
		})
	})
}

// Named finds lessons by their ids, as [Hit] has them. Those that are not in the index
// are left out.
//
// The errors to decide on are those of [Index.Search].
func (x *Index) Named(ctx context.Context, ids []lessons.ID) (map[lessons.ID]lessons.Lesson, error) {
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = string(id)
	}
	out := make(map[lessons.ID]lessons.Lesson, len(ids))
	err := x.read(ctx, bleve.NewDocIDQuery(names), func(snap *scorch.IndexSnapshot, docs []uint64) error {
		found := make([]lessons.Lesson, len(docs))
		err := readAll(snap, docs, lessonField, func(i int, value []byte) error { return json.Unmarshal(value, &found[i]) })
		for _, l := range found {
			out[l.ID] = l
		}
		return err
	})
	return out, err
}

// read calls f with the documents of a query.
func (x *Index) read(ctx context.Context, q query.Query, f func(*scorch.IndexSnapshot, []uint64) error) error {
	return x.view(ctx, func(b bleve.Index) error {
		snap, done, err := snapshot(b)
		if err != nil {
			return searchError(ctx, err)
		}
		defer done()
		docs, err := documents(ctx, b, snap, q)
		if err == nil {
			err = f(snap, docs)
		}
		if err != nil {
			return searchError(ctx, err)
		}
		return nil
	})
}
