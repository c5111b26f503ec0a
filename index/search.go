package index

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/index/scorch"
	"github.com/blevesearch/bleve/v2/search/query"

	"learnings/index/meaning"
	"learnings/lessons"
)

const (
	pageSize = 20
	// deepest is the end of the last page: bleve keeps as many hits in memory.
	deepest = 10_000
	// similarTerms is how many of a lesson's rarest words say what it is about.
	similarTerms = 12
	// nearTerms is how many of them what says nearly the same has one of: the more, the
	// longer it takes to find, because the others are ever more common.
	nearTerms = 6
)

// Search finds the lessons of a query. It writes nothing, except that it takes
// an index that it finds damaged out of use.
//
// The errors to decide on are [ErrNoIndex] and [ErrBusy].
func (x *Index) Search(ctx context.Context, q Query) (Page, error) {
	pages, err := x.Pages(ctx, q)
	if err != nil {
		return Page{}, err
	}
	return pages[0], nil
}

// Pages answers several queries as [Index.Search] answers one, in their order. It opens
// the index once. Each page says how long it took until then.
func (x *Index) Pages(ctx context.Context, queries ...Query) ([]Page, error) {
	start := time.Now()
	pages := make([]Page, len(queries))
	err := x.view(ctx, func(b bleve.Index) error {
		for i, q := range queries {
			if q.Now.IsZero() {
				q.Now = start
			}
			err := q.narrow(b)
			if err != nil {
				return err
			}
			g := newGauge(q)
			if q.Least > 0 && len(g.prefixes) == 0 && len(g.words) > 0 {
				if err = g.weigh(b); err != nil {
					return err
				}
				if q.words = g.needed(q.Least); q.words == nil {
					pages[i] = Page{Hits: []Hit{}, Took: time.Since(start)}
					continue
				}
			}
			if q.Unjudged {
				g = nil
			}
			if pages[i], err = choose(ctx, b, q.request(), q.order(), q.from(), q.size(), g, newSense(q)); err != nil {
				return err
			}
			pages[i].atLeast(q.Least)
			pages[i].Took = time.Since(start)
		}
		return nil
	})
	return pages, err
}

// atLeast leaves out the hits that have too little of the words.
func (p *Page) atLeast(share float64) {
	if share > 0 {
		p.Hits = slices.DeleteFunc(p.Hits, func(h Hit) bool { return h.Match < share })
	}
}

// narrow takes the words of a query that its Rarest asks for; none stand for words that
// no lesson has.
func (q *Query) narrow(b bleve.Index) error {
	if q.Rarest <= 0 {
		return nil
	}
	g := newGauge(*q)
	if err := g.weigh(b); err != nil {
		return err
	}
	q.words = nil
	if words := g.rarest(q.Rarest, 0); len(words) > 0 {
		q.words = words
	}
	return nil
}

// All finds every lesson of a query, however many there are. Offset and Limit do
// not count, and what would be ordered by relevance is ordered by date.
//
// The errors to decide on are those of [Index.Search].
func (x *Index) All(ctx context.Context, q Query) ([]Hit, error) {
	if q.Now.IsZero() {
		q.Now = time.Now()
	}
	if q.Order() == Relevance {
		q.Sort = Created
	}
	var page Page
	err := x.view(ctx, func(b bleve.Index) (err error) {
		page, err = choose(ctx, b, q.request(), q.order(), 0, math.MaxInt, newGauge(q), nil)
		return err
	})
	return page.Hits, err
}

// Similar finds the lessons that share most of a lesson's rare words, the most
// alike first and itself left out: those of its own project, then global ones.
// For a global lesson all projects are the same. Rejected and merged lessons
// count, because what was once decided on is what a new proposal is held
// against.
func (x *Index) Similar(ctx context.Context, l lessons.Lesson, n int) ([]Hit, error) {
	var page Page
	err := x.view(ctx, func(b bleve.Index) (err error) {
		page, err = similar(ctx, b, l, similarTerms, n)
		return err
	})
	return page.Hits, err
}

// Similars is [Index.Similar] of several lessons, in their order, by fewer words: what says
// nearly the same has one of them.
func (x *Index) Similars(ctx context.Context, n int, ls ...lessons.Lesson) ([][]Hit, error) {
	out := make([][]Hit, len(ls))
	err := x.view(ctx, func(b bleve.Index) error {
		for i, l := range ls {
			page, err := similar(ctx, b, l, nearTerms, n)
			if err != nil {
				return err
			}
			out[i] = page.Hits
		}
		return nil
	})
	return out, err
}

func similar(ctx context.Context, b bleve.Index, l lessons.Lesson, terms, n int) (Page, error) {
	g := newGauge(Text(searchText(l)))
	if err := g.weigh(b); err != nil {
		return Page{}, err
	}
	// A word that only this lesson has finds no other one.
	own, err := b.Document(string(l.ID))
	if err != nil {
		return Page{}, searchError(ctx, err)
	}
	few := uint64(0)
	if own != nil {
		few = 1
	}
	words := g.rarest(terms, few)
	if len(words) == 0 {
		return Page{}, nil
	}
	return choose(ctx, b, likeRequest(l, words), Query{Sort: Relevance}.order(), 0, max(n, 0), g, nil)
}

// Akin finds at most n lessons that mean nearly the same as a lesson and are not among
// some: those far nearer than most are, the nearest first. They need no word in common.
// The lessons to look at are those of a query, whose order and page do not count, and of
// them those of the lesson's own project, then global ones, as [Index.Similar] has it.
func (x *Index) Akin(ctx context.Context, l lessons.Lesson, n int, q Query, some ...lessons.ID) ([]Hit, error) {
	if !l.Scope.Global && l.Scope.Project != "" {
		q = q.Where(For, l.Scope.Project)
	}
	q = q.Not(ID, string(l.ID))
	s := &sense{asked: meaning.Words().Of(l.Content), text: l.Content, kind: Outstanding}
	if s.asked == nil {
		return nil, nil
	}
	q.Sort = Created
	s.rest = q.request()
	var out []Hit
	err := x.view(ctx, func(b bleve.Index) error {
		snap, done, err := snapshot(b)
		if err != nil {
			return searchError(ctx, err)
		}
		defer done()
		found, err := s.alone(newSets(ctx, b, snap), nil)
		if err == nil {
			found = slices.DeleteFunc(found, func(m match) bool { return m.near < leastAkin })
			out, err = s.akin(snap, found, n, some)
		}
		if err != nil {
			return searchError(ctx, err)
		}
		return nil
	})
	return out, err
}

// akin reads at most n of the lessons that were found, but some.
func (s *sense) akin(snap *scorch.IndexSnapshot, found []match, n int, some []lessons.ID) (out []Hit, err error) {
	hits := make([]Hit, len(found))
	err = readAll(snap, docsOf(found), lessonField, func(i int, value []byte) error {
		hits[i] = Hit{Score: found[i].near, Near: found[i].near, ByMeaning: true}
		return json.Unmarshal(value, &hits[i].Lesson)
	})
	hits = slices.DeleteFunc(hits, func(h Hit) bool { return slices.Contains(some, h.Lesson.ID) })
	return hits[:min(len(hits), max(n, 0))], err
}

// Count says how the lessons of a query spread over projects, roles, categories,
// shelves, statuses, lanes of proposals and tags (the hundred most frequent of each; of projects,
// a thousand).
func (x *Index) Count(ctx context.Context, q Query) (Counts, error) {
	if q.Now.IsZero() {
		q.Now = time.Now()
	}
	c := Counts{}
	err := x.read(ctx, q.request(), func(snap *scorch.IndexSnapshot, docs []uint64) error {
		c.Total = len(docs)
		sets := inFiles(snap, docs)
		for _, f := range []struct {
			field string
			into  *[]Count
		}{
			{writtenField, &c.Projects}, {roleField, &c.Roles}, {categoryField, &c.Categories}, {shelfField, &c.Shelves},
			{statusField, &c.Statuses}, {laneField, &c.Lanes}, {tagField, &c.Tags},
		} {
			size := 100
			if f.field == writtenField {
				size = 1000
			}
			var err error
			if *f.into, err = tally(snap, sets, f.field, size); err != nil {
				return err
			}
		}
		c.Projects = asWritten(c.Projects)
		return nil
	})
	return c, err
}

// Distinct says how many values of a field, one that [Index.Facets] knows, the lessons of
// a query have.
func Distinct(ctx context.Context, x *Index, q Query, f Field) (n int, err error) {
	if q.Now.IsZero() {
		q.Now = time.Now()
	}
	err = x.read(ctx, q.request(), func(snap *scorch.IndexSnapshot, docs []uint64) error {
		values, err := tally(snap, inFiles(snap, docs), faceted[f], math.MaxInt)
		n = len(values)
		return err
	})
	return n, err
}

// inFiles are documents by the file that they are in, with their numbers there.
func inFiles(snap *scorch.IndexSnapshot, docs []uint64) []*roaring.Bitmap {
	first := uint64(0) // the number of a file's first document
	var sets []*roaring.Bitmap
	for _, s := range snap.Segments() {
		set := roaring.New()
		for ; len(docs) > 0 && docs[0] < first+uint64(s.FullSize()); docs = docs[1:] {
			set.Add(uint32(docs[0] - first))
		}
		first += uint64(s.FullSize())
		sets = append(sets, set)
	}
	return sets
}

// tally counts documents by the terms of a field: the most frequent ones, up to so many.
func tally(snap *scorch.IndexSnapshot, sets []*roaring.Bitmap, field string, size int) ([]Count, error) {
	n := map[string]int{}
	for i, s := range snap.Segments() {
		if sets[i].IsEmpty() {
			continue
		}
		err := (part{s}).each(field, "", sets[i], func(term string, docs *roaring.Bitmap) bool {
			n[term] += int(docs.GetCardinality())
			return true
		})
		if err != nil {
			return nil, err
		}
	}
	var out []Count
	for name, n := range n {
		out = append(out, Count{name, n})
	}
	slices.SortFunc(out, func(a, b Count) int { return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.Name, b.Name)) })
	return out[:min(len(out), size)], nil
}

// Totals says how many lessons each query finds. It opens the index once and costs less
// than [Index.Count].
func (x *Index) Totals(ctx context.Context, queries ...Query) ([]int, error) {
	out := make([]int, len(queries))
	err := x.view(ctx, func(b bleve.Index) (err error) {
		out, err = totals(ctx, b, queries)
		return err
	})
	return out, err
}

func totals(ctx context.Context, b bleve.Index, queries []Query) ([]int, error) {
	out := make([]int, len(queries))
	snap, done, err := snapshot(b)
	if err != nil {
		return out, searchError(ctx, err)
	}
	defer done()
	for i, q := range queries {
		if field, value, ok := q.oneTerm(); ok {
			if out[i], err = having(snap, field, value); err != nil {
				return out, searchError(ctx, err)
			}
			continue
		}
		docs, err := newSets(ctx, b, snap).find(q.request())
		if err != nil {
			return out, searchError(ctx, err)
		}
		out[i] = sizeOf(docs)
	}
	return out, nil
}

// oneTerm gives the field and the term that a query asks for, when it asks for nothing
// else.
func (q Query) oneTerm() (field, value string, ok bool) {
	if len(q.Terms) > 0 || q.words != nil || len(q.Filters) != 1 {
		return "", "", false
	}
	switch f := q.Filters[0]; {
	case f.Not:
	case f.Field == Status:
		return statusField, f.Value, true
	case f.Field == Lane && slices.Contains(words(lessons.Lanes), f.Value):
		return laneField, f.Value, true
	}
	return "", "", false
}

// having is how many documents have a term.
func having(snap *scorch.IndexSnapshot, field, value string) (n int, err error) {
	for _, s := range snap.Segments() {
		p := part{s}
		err := p.each(field, value, p.live(), func(term string, docs *roaring.Bitmap) bool {
			if term == value {
				n += int(docs.GetCardinality())
			}
			return false
		})
		if err != nil {
			return 0, err
		}
	}
	return n, nil
}

// asWritten counts together the names that differ in their case alone, under the
// spelling that most lessons have.
func asWritten(all []Count) []Count {
	at := map[string]int{}
	var out []Count
	for _, c := range all { // the most frequent come first
		key := strings.ToLower(c.Name)
		if i, ok := at[key]; ok {
			out[i].N += c.N
			continue
		}
		at[key] = len(out)
		out = append(out, c)
	}
	slices.SortStableFunc(out, func(a, b Count) int {
		return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)))
	})
	return out
}

// choose finds the documents of a query and gives a page of them in an order.
func choose(ctx context.Context, b bleve.Index, q query.Query, order []sortKey, from, size int, g *gauge, near *sense) (Page, error) {
	if g != nil {
		if err := g.weigh(b); err != nil {
			return Page{}, err
		}
	}
	snap, done, err := snapshot(b)
	if err != nil {
		return Page{}, searchError(ctx, err)
	}
	defer done()
	w := newSets(ctx, b, snap)
	docs, err := w.find(q)
	var alone []match
	if err == nil {
		alone, err = near.alone(w, docs)
	}
	if err != nil {
		return Page{}, searchError(ctx, err)
	}
	page := Page{Total: sizeOf(docs) + len(alone), Hits: []Hit{}}
	if from >= page.Total {
		return page, nil
	}
	size = min(size, page.Total-from)
	found, err := w.first(docs, q, order, near.deep(from+size))
	if err == nil {
		found, err = near.sort(snap, g, found, alone)
	}
	if err != nil {
		return Page{}, searchError(ctx, err)
	}
	found = found[from : from+size]
	page.Hits = make([]Hit, len(found))
	err = readAll(snap, docsOf(found), lessonField, func(i int, value []byte) error {
		hit := Hit{Score: found[i].score, Near: found[i].near, Alike: found[i].alike, ByMeaning: found[i].alone}
		if err := json.Unmarshal(value, &hit.Lesson); err != nil {
			return err
		}
		if g != nil {
			hit.Match, hit.Cover = g.measure(hit.Lesson)
		}
		page.Hits[i] = hit
		return nil
	})
	if err != nil {
		return Page{}, searchError(ctx, err)
	}
	return page, nil
}

// finite takes away the NaN that bleve scores a query with whose every part has
// no weight.
func finite(f float64) float64 {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return 0
	}
	return f
}

func searchError(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return fmt.Errorf("%w: searching: %v", errDamaged, err)
}

func (q Query) size() int {
	n := q.Limit
	if n <= 0 {
		n = pageSize
	}
	return max(min(n, deepest-q.from()), 0)
}

func (q Query) from() int { return min(max(q.Offset, 0), deepest) }
