package index

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"hash/fnv"
	"slices"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/index/scorch"
	"github.com/blevesearch/bleve/v2/mapping"
	"github.com/blevesearch/bleve/v2/search"
	"github.com/blevesearch/bleve/v2/search/query"
	bleveindex "github.com/blevesearch/bleve_index_api"

	"learnings/lessons"
)

// This file finds phrases. bleve can, by the places of each word in each lesson; those were
// a quarter of the index, of its memory and of the time to make it, and few queries ask
// for them. Here the lessons that have all words of a phrase are found first, and what is
// kept of each decides: a short hash for every word, in their order.

// A phrase is the words that stand one after the other, by their place in it. At each
// place any of its words will do: an identifier and its first part share one. A place
// can be empty: there is a stop word, for which any word will do. The first and the last
// are not.
type phrase [][]string

// phraseOf gives the phrase of a text; without places where it has no words.
func phraseOf(text string) phrase {
	var p phrase
	ws := split(text)
	for _, w := range ws {
		for len(p) <= w.pos-ws[0].pos {
			p = append(p, nil)
		}
		p[w.pos-ws[0].pos] = append(p[w.pos-ws[0].pos], w.term)
	}
	return p
}

// query finds what has the phrase; nil when that has no words.
func (p phrase) query() query.Query {
	var all []query.Query
	for _, words := range p {
		var any []query.Query
		for _, w := range words {
			any = append(any, term(w, textField))
		}
		if len(any) > 0 {
			all = append(all, bleve.NewDisjunctionQuery(any...))
		}
	}
	switch len(p) {
	case 0:
		return nil
	case 1:
		return all[0]
	}
	return ordered{bleve.NewConjunctionQuery(all...), p}
}

// in reports whether the words of a text have the phrase.
func (p phrase) in(words []word) bool {
	return p.fits(len(words), func(i int) int { return words[i].pos },
		func(place, i int) bool { return slices.Contains(p[place], words[i].term) })
}

// astray is how far a word may be from where its place would have it: an identifier comes
// behind its parts, of which it has no more than bytes.
const astray = maxWord

// fits reports whether n words, of which at tells the places, have the phrase; is says
// whether a word is one that can be at a place of it. It takes no longer for each word
// where there are many: a lesson may be made to that end.
func (p phrase) fits(n int, at func(i int) int, is func(place, i int) bool) bool {
	has := func(place, first int) bool {
		wanted := at(first) + place
		for i := max(first-astray, 0); i < n && at(i) <= wanted+astray; i++ {
			if at(i) == wanted && is(place, i) {
				return true
			}
		}
		return false
	}
	for i := range n {
		if len(p) == 0 || !is(0, i) {
			continue
		}
		place := 1
		for place < len(p) && (len(p[place]) == 0 || has(place, i)) {
			place++
		}
		if place == len(p) {
			return true
		}
	}
	return len(p) == 0
}

// An order is what is kept of the words of a lesson: a salt, of one byte, and for each word
// two bytes, which are the hash of its term with that salt and, as the highest bit, that it
// does not stand one place after the word before it; then there follows how many places it
// does, as a varint. No two terms of the lesson have the same hash, so that these decide
// where words stand that the lesson has. Where no salt does that, it is [unsalted].
const (
	elsewhere = 1 << 15
	unsalted  = 64 // salts are below
)

// hashOf stands for a term in an order.
func hashOf(term string, salt byte) uint16 {
	h := fnv.New32a()
	h.Write([]byte{salt})
	h.Write([]byte(term))
	sum := h.Sum32()
	return uint16(sum^sum>>16) &^ elsewhere
}

// A folder makes orders. It is for one goroutine.
type folder struct {
	first [elsewhere]int32 // the word that has a hash, counted from 1
}

// fold gives the order of words.
func (f *folder) fold(words []word) []byte {
	salt := byte(0)
	for salt < unsalted && !f.apart(words, salt) {
		salt++
	}
	out := append(make([]byte, 0, 2*len(words)+16), salt)
	last := 0
	for _, w := range words {
		h := hashOf(w.term, salt)
		if w.pos != last+1 {
			h |= elsewhere
		}
		out = binary.LittleEndian.AppendUint16(out, h)
		if h&elsewhere != 0 {
			out = binary.AppendVarint(out, int64(w.pos-last))
		}
		last = w.pos
	}
	return out
}

// apart reports whether a salt gives each term a hash of its own.
func (f *folder) apart(words []word, salt byte) bool {
	n, ok := 0, true
	for ; ok && n < len(words); n++ {
		at := &f.first[hashOf(words[n].term, salt)]
		if *at == 0 {
			*at = int32(n) + 1
		}
		ok = words[*at-1].term == words[n].term
	}
	for _, w := range words[:n] {
		f.first[hashOf(w.term, salt)] = 0
	}
	return ok
}

// A hashed word is one of an order.
type hashed struct {
	hash uint16
	pos  int
}

// unfold adds the words of an order to others; ok is false when it is broken.
func unfold(words []hashed, order []byte) (salt byte, _ []hashed, ok bool) {
	if len(order) == 0 || order[0] > unsalted {
		return 0, words, false
	}
	salt, order = order[0], order[1:]
	pos := 0
	for len(order) >= 2 {
		h := binary.LittleEndian.Uint16(order)
		order = order[2:]
		step := int64(1)
		if h&elsewhere != 0 {
			n := 0
			if step, n = binary.Varint(order); n <= 0 {
				return salt, words, false
			}
			order = order[n:]
		}
		pos += int(step)
		words = append(words, hashed{h &^ elsewhere, pos})
	}
	return salt, words, len(order) == 0
}

// hashes are those of the words of the phrase, with each salt.
func (p phrase) hashes() (all [unsalted + 1][][]uint16) {
	for salt := range all {
		all[salt] = make([][]uint16, len(p))
		for place, words := range p {
			for _, w := range words {
				all[salt][place] = append(all[salt][place], hashOf(w, byte(salt)))
			}
		}
	}
	return all
}

// An ordered query finds what has the words of a phrase where they make the phrase. It is a
// condition and gives no score.
type ordered struct {
	query.Query // for what has the words
	phrase      phrase
}

// Searcher is for where bleve has to look at one document after the other.
func (q ordered) Searcher(ctx context.Context, r bleveindex.IndexReader, _ mapping.IndexMapping, _ search.SearcherOptions) (search.Searcher, error) {
	snap, ok := r.(*scorch.IndexSnapshot)
	if !ok {
		return nil, errors.New("an index of another kind")
	}
	w := newSets(ctx, nil, snap)
	found, err := w.find(q)
	if err != nil {
		return nil, err
	}
	return &listed{docs: w.numbers(found, 0)}, nil
}

// either gives for each place at which several words will do the documents that have each
// of them: the hash of one that a lesson has not may be that of another which it has. It
// is nil for the other places, whose word a lesson has.
func (p phrase) either(w sets) ([][]docSet, error) {
	out := make([][]docSet, len(p))
	for place, words := range p {
		if len(words) < 2 {
			continue
		}
		for _, word := range words {
			found, err := w.find(term(word, textField))
			if err != nil {
				return nil, err
			}
			out[place] = append(out[place], w.numbers(found, 0))
		}
	}
	return out, nil
}

// having keeps of some sets, all of which have the words, the documents that have the phrase.
func (p phrase) having(w sets, docs []*roaring.Bitmap) error {
	numbers, hashes := w.numbers(docs, 0), p.hashes()
	with, err := p.either(w)
	if err != nil {
		return err
	}
	has := make([]bool, len(numbers))
	var open []uint64 // what the text has to decide, and where
	var at []int
	var mu sync.Mutex
	err = readAll(w.snap, numbers, orderField, func(i int, value []byte) error {
		var room [128]hashed
		salt, words, ok := unfold(room[:0], value)
		if !ok {
			return errors.New("the order of the words of a lesson is broken")
		}
		has[i] = p.fits(len(words), func(k int) int { return words[k].pos }, func(place, k int) bool {
			for at, h := range hashes[salt][place] {
				if h == words[k].hash && (with[place] == nil || with[place][at].has(numbers[i])) {
					return true
				}
			}
			return false
		})
		if has[i] && salt == unsalted {
			mu.Lock()
			open, at = append(open, numbers[i]), append(at, i)
			mu.Unlock()
		}
		return w.ctx.Err()
	})
	if err == nil {
		err = readAll(w.snap, open, lessonField, func(i int, value []byte) error {
			var l lessons.Lesson
			err := json.Unmarshal(value, &l)
			has[at[i]] = p.in(wordsOf(nil, l))
			return err
		})
	}
	i := 0
	for _, in := range docs {
		gone := roaring.New()
		for it := in.Iterator(); it.HasNext(); i++ {
			if doc := it.Next(); !has[i] {
				gone.Add(doc)
			}
		}
		in.AndNot(gone)
	}
	return err
}

// listed gives documents to bleve, as one of its searchers does: in the order of their
// numbers.
type listed struct{ docs []uint64 }

func (s *listed) Next(in *search.SearchContext) (*search.DocumentMatch, error) {
	if len(s.docs) == 0 {
		return nil, nil
	}
	m := in.DocumentMatchPool.Get()
	m.IndexInternalID = bleveindex.NewIndexInternalID(m.IndexInternalID, s.docs[0])
	s.docs = s.docs[1:]
	return m, nil
}

func (s *listed) Advance(in *search.SearchContext, to bleveindex.IndexInternalID) (*search.DocumentMatch, error) {
	at, _ := slices.BinarySearch(s.docs, to.Value())
	s.docs = s.docs[at:]
	return s.Next(in)
}

func (s *listed) Count() uint64              { return uint64(len(s.docs)) }
func (s *listed) DocumentMatchPoolSize() int { return 1 }
func (s *listed) Size() int                  { return 8 * len(s.docs) }
func (s *listed) Min() int                   { return 0 }
func (s *listed) Weight() float64            { return 0 }
func (s *listed) SetQueryNorm(float64)       {}
func (s *listed) Close() error               { return nil }
