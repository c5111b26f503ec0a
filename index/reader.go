package index

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"unicode/utf8"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/index/scorch"
	"github.com/blevesearch/bleve/v2/search"
	"github.com/blevesearch/bleve/v2/search/query"
	segment "github.com/blevesearch/scorch_segment_api/v2"
	"github.com/go-json-experiment/json"
)

// This file asks bleve which lessons a query finds and in which order, and reads what bleve
// stores of them. The number of a document is only valid for one reader.

// A reader is an index that is open for queries.
type reader struct {
	ctx  context.Context
	b    bleve.Index
	snap *scorch.IndexSnapshot
	ends []uint64 // by file, the number after its last document

	typed map[string]set // what begun has found
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
	r := &reader{ctx: ctx, b: b, typed: map[string]set{}}
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

// A set has a bit for each document.
type set []uint64

func (s set) put(doc uint64)      { s[doc/64] |= 1 << (doc % 64) }
func (s set) drop(doc uint64)     { s[doc/64] &^= 1 << (doc % 64) }
func (s set) has(doc uint64) bool { return s[doc/64]>>(doc%64)&1 == 1 }

// n returns how many documents the set has.
func (s set) n() (n int) {
	for _, some := range s {
		n += bits.OnesCount64(some)
	}
	return n
}

// docs returns the documents of the set, by number.
func (s set) docs() docSet {
	out := make(docSet, 0, s.n())
	for i, some := range s {
		for ; some != 0; some &= some - 1 {
			out = append(out, uint64(64*i+bits.TrailingZeros64(some)))
		}
	}
	return out
}

// add adds the documents of another set.
func (s set) add(other set) {
	for i, docs := range other {
		s[i] |= docs
	}
}

// without adds the documents that are not in another set.
func (s set) without(other set) {
	for i, docs := range other {
		s[i] |= ^docs
	}
}

// end is the number after the last document.
func (r *reader) end() uint64 { return append(r.ends, 0)[max(len(r.ends)-1, 0)] }

// none returns an empty set.
func (r *reader) none() set { return make(set, r.end()/64+1) }

// number returns the number of a document of a file.
func (r *reader) number(file int, doc uint64) uint64 {
	return r.ends[file] - uint64(r.snap.Segments()[file].FullSize()) + doc
}

// living takes from a set what is deleted, and what is after the last document.
func (r *reader) living(in set) set {
	for i, s := range r.snap.Segments() {
		if gone := s.Deleted(); gone != nil {
			first := r.number(i, 0)
			gone.Iterate(func(doc uint32) bool { in.drop(first + uint64(doc)); return true })
		}
	}
	in[len(in)-1] &= 1<<(r.end()%64) - 1
	return in
}

// ask adds the documents of a query of bleve to a set.
func (r *reader) ask(q query.Query, in set) error {
	s, err := q.Searcher(r.ctx, r.snap, r.b.Mapping(), search.SearcherOptions{Score: "none"})
	if err != nil {
		return err
	}
	defer s.Close()
	c := &search.SearchContext{DocumentMatchPool: search.NewDocumentMatchPool(s.DocumentMatchPoolSize()+1, 0), IndexReader: r.snap}
	for {
		m, err := s.Next(c)
		if err = cmp.Or(err, r.ctx.Err()); err != nil || m == nil {
			return err
		}
		in.put(m.IndexInternalID.Value())
		c.DocumentMatchPool.Put(m)
	}
}

// A docSet is a sorted list of document numbers.
type docSet []uint64

// found returns the documents that a query finds.
func (r *reader) found(q Query) (set, error) {
	p := q.parsed()
	if p.one {
		words := terms(textField, p.words...)
		for _, w := range p.begun {
			words = append(words, w.typed)
		}
		p.conditions = append(p.conditions, anyOf(words...))
	}
	return r.meeting(p)
}

// meeting returns the documents that meet the conditions of a query.
func (r *reader) meeting(p parsed) (set, error) {
	in := r.none()
	err := but(allOf(p.conditions...), anyOf(p.not...))(r, in)
	return r.living(in), err
}

// begun returns the documents that have a word that is being typed.
func (r *reader) begun(w begun) (set, error) {
	if with, ok := r.typed[w.start]; ok {
		return with, nil
	}
	with, words := r.none(), beginning(w.start, textField)
	if utf8.RuneCountInString(w.start) == 1 {
		words = term(w.start, letterField)
	}
	err := anyOf(append(terms(textField, w.stems...), words)...)(r, with)
	r.typed[w.start] = with
	return with, err
}

// postings calls f with the documents of each file that have a word, and the number of the
// file's first document.
func (r *reader) postings(word string, f func(first uint64, in segment.PostingsList) error) error {
	for i, s := range r.snap.Segments() {
		dict, err := s.Segment().Dictionary(textField)
		if err != nil {
			return err
		}
		in, err := dict.PostingsList([]byte(word), s.Deleted(), nil)
		if err = cmp.Or(err, r.ctx.Err()); err != nil {
			return err
		}
		if err := f(r.number(i, 0), in); err != nil {
			return err
		}
	}
	return nil
}

// frequency returns how many lessons have a word.
func (r *reader) frequency(word string) (n uint64, err error) {
	err = r.postings(word, func(_ uint64, in segment.PostingsList) error {
		n += in.Count()
		return nil
	})
	return n, err
}

// said calls f with each document that has a word, in order, and with how often it is said
// there and the norm of the text: the longer, the smaller.
func (r *reader) said(word string, f func(doc, times uint64, norm float64)) error {
	return r.postings(word, func(first uint64, in segment.PostingsList) error {
		docs := in.Iterator(true, true, false, nil)
		for p, err := docs.Next(); p != nil || err != nil; p, err = docs.Next() {
			if err != nil {
				return err
			}
			f(first+p.Number(), p.Frequency(), p.Norm())
		}
		return nil
	})
}

// listed calls f with each term of a field from one on and below another, "" for no bound,
// and with some of the documents that have it, deleted ones included, as numbers after a
// first one. It does so in the order of the terms for each file of the index, until f
// returns false.
func (r *reader) listed(field, from, to string, f func(term string, first uint64, docs []uint32) bool) error {
	var end []byte
	if to != "" {
		end = []byte(to)
	}
	some := make([]uint32, 256)
	for i, s := range r.snap.Segments() {
		dict, err := s.Segment().Dictionary(field)
		if err != nil {
			return err
		}
		var list segment.PostingsList
		var docs segment.PostingsIterator
		first, more := r.number(i, 0), true
		terms := dict.AutomatonIterator(nil, []byte(from), end)
		for t, err := terms.Next(); more && (t != nil || err != nil); t, err = terms.Next() {
			if err == nil {
				list, err = dict.PostingsList([]byte(t.Term), nil, list)
			}
			if err = cmp.Or(err, r.ctx.Err()); err != nil {
				return err
			}
			docs = list.Iterator(false, false, false, docs)
			at := docs.(segment.OptimizablePostingsIterator)
			if doc, only := at.DocNum1Hit(); only {
				more = f(t.Term, first, append(some[:0], uint32(doc)))
			} else if all := at.ActualBitmap(); all != nil {
				each := all.ManyIterator()
				for n := each.NextMany(some); more && n > 0; n = each.NextMany(some) {
					more = f(t.Term, first, some[:n])
				}
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
	return &among{r, of.docs(), map[string][]posting{}}, err
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
	err = a.r.said(word, func(doc, times uint64, norm float64) {
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
			if with.has(doc) {
				have[i]++
			}
		}
	}
	for _, n := range have {
		total += min(n, 1)
	}
	if !p.one {
		total = len(a.of)
	}
	found, rest = make([]match, 0, total), make(docSet, 0, len(a.of)-total)
	for i, doc := range a.of {
		if have[i] == 0 && p.one {
			rest = append(rest, doc)
			continue
		}
		found = append(found, match{doc: doc, score: sums[i] * float64(have[i]) / float64(len(p.words)+len(p.begun))})
	}
	n = min(n, len(found))
	if n > 0 && n <= 256 && n < len(found)/2 { // what cannot be among them need not be sorted
		bar := nthScore(found, n)
		found = slices.DeleteFunc(found, func(m match) bool { return m.score < bar })
	}
	slices.SortFunc(found, func(a, b match) int { return cmp.Compare(b.score, a.score) })
	for from := 0; from < n; {
		to := from + 1
		for to < len(found) && found[to].score == found[from].score {
			to++
		}
		if to > from+1 {
			first, err := a.r.first(n-from, found[from:to], Created)
			if err != nil {
				return nil, 0, nil, err
			}
			copy(found[from:], first)
		}
		from = to
	}
	return found[:n], total, rest, nil
}

// nthScore returns the score of the n-th best match, for a small n above 0.
func nthScore(found []match, n int) float64 {
	best := make([]float64, 0, n+1) // the highest so far, the highest last
	for _, m := range found {
		if len(best) == n && m.score <= best[0] {
			continue
		}
		at, _ := slices.BinarySearch(best, m.score)
		if best = slices.Insert(best, at, m.score); len(best) > n {
			best = slices.Delete(best, 0, 1)
		}
	}
	return best[0]
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
	total = len(found)
	found, err = r.first(n, found, q.Order())
	return found, total, nil, err
}

// first returns the first n matches in an order other than relevance. Equal lessons are
// ordered by date, the newest first, and then by id, so that pages do not overlap.
func (r *reader) first(n int, some []match, order Sort) ([]match, error) {
	by := map[Sort]Field{Score: Confidence, Confirmed: Decided, Used: UsedTimes, Queue: queueField}[order]
	field, down := cmp.Or(string(by), newestField), 1
	if by != "" && order != Queue {
		down = -1
	}
	if n = min(n, len(some)); n == 0 {
		return nil, nil
	}
	if all := int(r.end()); by == "" && 4*n*all < len(some)*len(some) {
		return r.newest(n, some)
	}
	values, err := r.snap.DocValueReader(slices.Compact([]string{field, newestField}))
	if err != nil {
		return nil, err
	}
	type keyed struct {
		match
		first, newest []byte
	}
	compare := func(a, b keyed) int {
		return cmp.Or(down*bytes.Compare(a.first, b.first), bytes.Compare(a.newest, b.newest))
	}
	var best []keyed // the first n so far, in order, and at most as many later ones
	var id, first, newest []byte
	note := func(name string, value []byte) {
		if name == newestField {
			newest = append(newest[:0], value...)
		} else {
			first = append(first[:0], value...)
		}
	}
	sorted := false
	for i, m := range slices.Backward(some) { // the newest mostly come last
		first, newest, id = first[:0], newest[:0], binary.BigEndian.AppendUint64(id[:0], m.doc)
		if err := values.VisitDocValues(id, note); err != nil {
			return nil, err
		}
		if i%1024 == 0 && r.ctx.Err() != nil {
			return nil, r.ctx.Err()
		}
		now := keyed{m, first, newest}
		if sorted && compare(now, best[n-1]) > 0 {
			continue
		}
		now.first, now.newest = slices.Clone(first), slices.Clone(newest)
		if best = append(best, now); len(best) == 2*n {
			slices.SortFunc(best, compare)
			best, sorted = best[:n], true
		}
	}
	slices.SortFunc(best, compare)
	out := make([]match, n)
	for i := range out {
		out[i] = best[i].match
	}
	return out, nil
}

// newest returns the first n of many matches by date. It goes through the dates of all
// lessons until it has them, which is faster than to read the date of each match.
func (r *reader) newest(n int, some []match) ([]match, error) {
	in := r.none()
	for _, m := range some {
		in.put(m.doc)
	}
	type dated struct {
		date string
		doc  uint64
	}
	var found []dated
	file, left := uint64(0), 0
	err := r.listed(newestField, "", "", func(date string, first uint64, docs []uint32) bool {
		if left == 0 || first != file {
			file, left = first, n
		}
		for _, doc := range docs {
			if doc := first + uint64(doc); in.has(doc) {
				found = append(found, dated{date, doc})
				left--
			}
		}
		return left > 0
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(found, func(a, b dated) int { return cmp.Compare(a.date, b.date) })
	n = min(n, len(found))
	at := map[uint64]int{}
	for i, d := range found[:n] {
		at[d.doc] = i
	}
	out := make([]match, n)
	for _, m := range some {
		if i, ok := at[m.doc]; ok {
			out[i] = m
		}
	}
	return out, nil
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
				visited := s.VisitDocument(docs[i]-r.number(at, 0), func(name string, _ byte, value []byte, _ []uint64) bool {
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
