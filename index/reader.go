package index

import (
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/index/scorch"
	"github.com/blevesearch/bleve/v2/search"
	"github.com/blevesearch/bleve/v2/search/query"
)

// This file asks bleve which lessons a query finds and in which order, and reads what bleve
// stores of them. The number of a document is only valid for one reader.

// A reader is an index that is open for queries.
type reader struct {
	ctx  context.Context
	b    bleve.Index
	snap *scorch.IndexSnapshot
	ends []uint64 // by file, the number after its last document
}

// read calls f with a reader of an open index.
func read(ctx context.Context, b bleve.Index, f func(*reader) error) error {
	adv, err := b.Advanced()
	if err != nil {
		return searchError(ctx, err)
	}
	from, err := adv.Reader()
	if err != nil {
		return searchError(ctx, err)
	}
	defer from.Close()
	r := &reader{ctx: ctx, b: b}
	var ok bool
	if r.snap, ok = from.(*scorch.IndexSnapshot); !ok {
		return searchError(ctx, errors.New("an index of another kind"))
	}
	end := uint64(0)
	for _, s := range r.snap.Segments() {
		end += uint64(s.FullSize())
		r.ends = append(r.ends, end)
	}
	if err := f(r); err != nil {
		return searchError(ctx, err)
	}
	return nil
}

// searchError marks an error of bleve as damage, unless the context has ended.
func searchError(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded), errors.Is(err, errDamaged):
		return err
	}
	return fmt.Errorf("%w: searching: %v", errDamaged, err)
}

// A match is a document that a query finds.
type match struct {
	doc   uint64
	score float64
	near  float64 // see Hit.Near
	alone bool    // see Hit.ByMeaning
}

// docsOf returns the numbers of matches.
func docsOf(found []match) []uint64 {
	docs := make([]uint64, len(found))
	for i, m := range found {
		docs[i] = m.doc
	}
	return docs
}

// docs returns the documents of a query, by number.
func (r *reader) docs(q query.Query) (docSet, error) {
	s, err := q.Searcher(r.ctx, r.snap, r.b.Mapping(), search.SearcherOptions{Score: "none"})
	if err != nil {
		return nil, err
	}
	defer s.Close()
	in := &search.SearchContext{DocumentMatchPool: search.NewDocumentMatchPool(s.DocumentMatchPoolSize()+1, 0), IndexReader: r.snap}
	out := make(docSet, 0, s.Count())
	for {
		m, err := s.Next(in)
		if err != nil || m == nil {
			return out, err
		}
		out = append(out, m.IndexInternalID.Value())
		in.DocumentMatchPool.Put(m)
		if len(out)%1024 == 0 && r.ctx.Err() != nil {
			return nil, r.ctx.Err()
		}
	}
}

// A docSet is a sorted list of document numbers.
type docSet []uint64

func (s docSet) has(doc uint64) bool {
	_, ok := slices.BinarySearch(s, doc)
	return ok
}

// found returns the documents that a query finds.
func (r *reader) found(q Query) (docSet, error) {
	p := q.parsed()
	docs, err := r.meeting(p)
	if err != nil || !p.one {
		return docs, err
	}
	a := &among{r, docs, map[string][]posting{}}
	_, _, rest, err := a.ranked(p, 0)
	return slices.DeleteFunc(docs, rest.has), err
}

// meeting returns the documents that meet the conditions of a query.
func (r *reader) meeting(p parsed) (docSet, error) {
	docs, err := r.docs(p.query())
	for _, w := range p.typed {
		if err != nil {
			break
		}
		var with []bool
		with, err = r.begun(w)
		docs = slices.DeleteFunc(docs, func(doc uint64) bool { return !with[doc] })
	}
	return docs, err
}

// begun reports for each document whether it has a word that is being typed.
func (r *reader) begun(w begun) ([]bool, error) {
	with := make([]bool, append(r.ends, 0)[max(len(r.ends)-1, 0)])
	note := func(doc, _ uint64, _ float64) { with[doc] = true }
	err := r.said(w.start, true, note)
	for _, stem := range w.stems {
		err = cmp.Or(err, r.said(stem, false, note))
	}
	return with, err
}

// frequency returns how many lessons have a word.
func (r *reader) frequency(word string) (n uint64, err error) {
	for _, s := range r.snap.Segments() {
		dict, err := s.Segment().Dictionary(textField)
		if err != nil {
			return 0, err
		}
		list, err := dict.PostingsList([]byte(word), s.Deleted(), nil)
		if err != nil {
			return 0, err
		}
		n += list.Count()
	}
	return n, nil
}

// said calls f with each document that has a word, in order, and with how often it is said
// there and the norm of the text: the longer, the smaller. With all, it does so for each
// word with that beginning, without the figures.
func (r *reader) said(word string, all bool, f func(doc, times uint64, norm float64)) error {
	for i, s := range r.snap.Segments() {
		dict, err := s.Segment().Dictionary(textField)
		if err != nil {
			return err
		}
		first := r.ends[i] - uint64(s.FullSize())
		list, err := dict.PostingsList([]byte(word), s.Deleted(), nil)
		if err != nil {
			return err
		}
		docs := list.Iterator(!all, !all, false, nil)
		each := func() error {
			for p, err := docs.Next(); p != nil || err != nil; p, err = docs.Next() {
				if err != nil {
					return err
				}
				f(first+p.Number(), p.Frequency(), p.Norm())
			}
			return r.ctx.Err()
		}
		if !all {
			if err := each(); err != nil {
				return err
			}
			continue
		}
		end := []byte(word)
		end[len(end)-1]++ // in UTF-8 no byte is the last one
		words := dict.AutomatonIterator(nil, []byte(word), end)
		for w, err := words.Next(); w != nil || err != nil; w, err = words.Next() {
			if err == nil {
				list, err = dict.PostingsList([]byte(w.Term), s.Deleted(), list)
			}
			if err != nil {
				return err
			}
			docs = list.Iterator(false, false, false, docs)
			if err := each(); err != nil {
				return err
			}
		}
	}
	return nil
}

// among is a set of lessons, to rank by the words that they have.
type among struct {
	r     *reader
	of    docSet
	words map[string][]posting // known so far
}

// A posting says that a document of the set has a word, and what the word weighs there.
type posting struct {
	at     int // in the set
	weight float64
}

// among returns the lessons that meet the conditions of a query.
func (r *reader) among(p parsed) (*among, error) {
	of, err := r.meeting(p)
	return &among{r, of, map[string][]posting{}}, err
}

// having returns which lessons have a word. It weighs more if it is rare, said often, and
// the text short: these are the weights of bleve, which takes ten times as long to add them
// up.
func (a *among) having(word string) ([]posting, error) {
	if known, ok := a.words[word]; ok {
		return known, nil
	}
	all, err := a.r.snap.DocCount()
	if err != nil {
		return nil, err
	}
	var out []posting
	i, with := 0, 0
	err = a.r.said(word, false, func(doc, times uint64, norm float64) {
		with++
		for i < len(a.of) && a.of[i] < doc {
			i++
		}
		if i < len(a.of) && a.of[i] == doc {
			out = append(out, posting{i, math.Sqrt(float64(times)) * norm})
		}
	})
	rare := 1 + math.Log(float64(all)/float64(with+1))
	for i := range out {
		out[i].weight *= rare * rare
	}
	a.words[word] = out
	return out, cmp.Or(err, a.r.ctx.Err())
}

// ranked returns the first n of the lessons that have one of the words, in the order of
// relevance, how many there are, and the lessons that have none.
func (a *among) ranked(p parsed, n int) (found []match, total int, rest docSet, err error) {
	sums, have := make([]float64, len(a.of)), make([]int, len(a.of))
	for _, w := range p.words {
		with, err := a.having(w)
		if err != nil {
			return nil, 0, nil, err
		}
		for _, p := range with {
			sums[p.at] += p.weight
			have[p.at]++
		}
	}
	for _, w := range p.begun {
		with, err := a.r.begun(w)
		if err != nil {
			return nil, 0, nil, err
		}
		for i, doc := range a.of {
			if with[doc] {
				have[i]++
			}
		}
	}
	if !p.one {
		found = make([]match, 0, len(a.of))
	}
	for i, doc := range a.of {
		if have[i] == 0 && p.one {
			rest = append(rest, doc)
			continue
		}
		found = append(found, match{doc: doc, score: sums[i] * float64(have[i]) / float64(len(p.words)+len(p.begun))})
	}
	slices.SortFunc(found, func(a, b match) int { return cmp.Compare(b.score, a.score) })
	total, n = len(found), min(n, len(found))
	for from := 0; from < n; {
		to := from + 1
		for to < len(found) && found[to].score == found[from].score {
			to++
		}
		if to > from+1 {
			if err := a.r.sort(found[from:to], Created); err != nil {
				return nil, 0, nil, err
			}
		}
		from = to
	}
	return found[:n], total, rest, nil
}

// top returns the first n documents of a query in its order, how many there are, and, in the
// order of relevance, those that only meet its conditions.
func (r *reader) top(q Query, n int) (found []match, total int, rest docSet, err error) {
	p := q.parsed()
	a, err := r.among(p)
	if err != nil {
		return nil, 0, nil, err
	}
	if q.Order() == Relevance && (p.one || len(p.words) > 0) {
		return a.ranked(p, n)
	}
	found = make([]match, len(a.of))
	for i, doc := range a.of {
		found[i].doc = doc
	}
	err = r.sort(found, q.Order())
	return found[:min(n, len(found))], len(found), nil, err
}

// sort sorts matches by an order other than relevance. Equal lessons are ordered by date,
// the newest first, and then by id, so that pages do not overlap.
func (r *reader) sort(some []match, order Sort) error {
	first, down := newestField, -1
	switch order {
	case Score:
		first = string(Confidence)
	case Confirmed:
		first = string(Decided)
	case Used:
		first = string(UsedTimes)
	case Queue:
		first, down = queueField, 1
	}
	type keyed struct {
		match
		first, newest string
	}
	all := make([]keyed, len(some))
	for i, m := range some {
		all[i].match = m
	}
	err := r.values(docsOf(some), slices.Compact([]string{first, newestField}), func(i int, field string, value []byte) {
		if field == newestField {
			all[i].newest = string(value)
		} else {
			all[i].first = string(value)
		}
	})
	slices.SortFunc(all, func(a, b keyed) int {
		return cmp.Or(down*cmp.Compare(a.first, b.first), cmp.Compare(a.newest, b.newest))
	})
	for i, k := range all {
		some[i] = k.match
	}
	return err
}

// values calls f with each value that the documents have in some of countedFields, and the
// index in docs. The value is only valid until f returns.
func (r *reader) values(docs []uint64, fields []string, f func(i int, field string, value []byte)) error {
	values, err := r.snap.DocValueReader(fields)
	if err != nil {
		return err
	}
	var id []byte
	for i, doc := range docs {
		id = binary.BigEndian.AppendUint64(id[:0], doc)
		if err := values.VisitDocValues(id, func(field string, value []byte) { f(i, field, value) }); err != nil {
			return err
		}
		if i%1024 == 0 && r.ctx.Err() != nil {
			return r.ctx.Err()
		}
	}
	return nil
}

// stored calls f, on all cores, with a stored field of each document and its index in docs.
// The value is only valid until f returns.
func (r *reader) stored(docs []uint64, field string, f func(i int, value []byte) error) error {
	segments := r.snap.Segments()
	workers := min(runtime.GOMAXPROCS(0), len(docs))
	errs := make([]error, workers)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			defer rescue(&errs[w])()
			for i := len(docs) * w / workers; i < len(docs)*(w+1)/workers && errs[w] == nil; i++ {
				at, _ := slices.BinarySearch(r.ends, docs[i]+1)
				s, found := segments[at], false
				var err error
				visited := s.VisitDocument(docs[i]+uint64(s.FullSize())-r.ends[at], func(name string, _ byte, value []byte, _ []uint64) bool {
					if name == field {
						found, err = true, f(i, value)
					}
					return !found
				})
				if errs[w] = cmp.Or(visited, err, r.ctx.Err()); errs[w] == nil && !found {
					errs[w] = errors.New("a document holds no lesson")
				}
			}
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

// rescue turns panics of its goroutine into errors, and memory faults into panics, until
// the returned function is called. Bleve and bbolt map files into memory, and reading a
// truncated one faults.
func rescue(err *error) (done func()) {
	was := debug.SetPanicOnFault(true)
	return func() {
		debug.SetPanicOnFault(was)
		if p := recover(); p != nil {
			*err = fmt.Errorf("%w: %v", errDamaged, p)
		}
	}
}

// decoded decodes a stored field of documents.
func decoded[T any](r *reader, docs []uint64, field string) ([]T, error) {
	out := make([]T, len(docs))
	return out, r.stored(docs, field, func(i int, value []byte) error { return json.Unmarshal(value, &out[i]) })
}
