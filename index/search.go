package index

import (
	"cmp"
	"context"
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json"

	"learnings/lessons"
)

const (
	pageSize = 20
	// deepest is the end of the last page, because bleve keeps that many hits in memory.
	deepest = 10_000
	// similarTerms is how many of a lesson's rarest words represent its subject.
	similarTerms = 12
)

// Search finds the lessons of a query. It writes nothing, except that it drops a damaged
// index.
//
// The errors to decide on are [ErrNoIndex] and [ErrBusy].
func (x *Index) Search(ctx context.Context, q Query) (Page, error) {
	pages, err := x.Pages(ctx, q)
	if err != nil {
		return Page{}, err
	}
	return pages[0], nil
}

// Pages answers several queries like [Index.Search], in order, and opens the index once.
// Each page has the time it took until then.
func (x *Index) Pages(ctx context.Context, queries ...Query) ([]Page, error) {
	start := time.Now()
	pages := make([]Page, len(queries))
	err := x.view(ctx, func(r *reader) (err error) {
		for i, q := range queries {
			if pages[i], err = r.search(q.at(start)); err != nil {
				return err
			}
			pages[i].Took = time.Since(start)
		}
		return nil
	})
	return pages, err
}

// at sets the time of the query if it has none.
func (q Query) at(now time.Time) Query {
	if q.Now.IsZero() {
		q.Now = now
	}
	return q
}

func (r *reader) search(q Query) (page Page, err error) {
	g := newGauge(q)
	if q.Rarest > 0 || q.Least > 0 {
		if err = g.weigh(r); err != nil {
			return page, err
		}
	}
	if q.Rarest > 0 {
		q.words = g.rarest(q.Rarest, 0) // no words stand for words that no lesson has
	}
	if q.Least > 0 && len(g.prefixes) == 0 && len(g.words) > 0 {
		if q.words = g.needed(q.Least); q.words == nil {
			return Page{Hits: []Hit{}}, nil
		}
	}
	if q.Unjudged {
		g = nil
	}
	if page, err = r.page(q, q.from(), q.size(), g, newSense(q)); err == nil && q.Least > 0 {
		page.Hits = slices.DeleteFunc(page.Hits, func(h Hit) bool { return h.Match < q.Least })
	}
	if err == nil && len(q.Count) > 0 {
		_, page.Facets, err = r.facets(q, q.Count)
	}
	return page, err
}

// All finds every lesson of a query. It ignores Offset and Limit, and orders by date
// instead of relevance.
//
// The errors to decide on are those of [Index.Search].
func (x *Index) All(ctx context.Context, q Query) (hits []Hit, err error) {
	q = q.at(time.Now())
	if q.Order() == Relevance {
		q.Sort = Created
	}
	err = x.much().view(ctx, func(r *reader) error {
		page, err := r.page(q, 0, math.MaxInt, newGauge(q), nil)
		hits = page.Hits
		return err
	})
	return hits, err
}

// Each calls f with every lesson of a query, as in [Hit], in no order and sequentially. It
// ignores Offset and Limit.
//
// The errors to decide on are those of [Index.Search].
func (x *Index) Each(ctx context.Context, q Query, f func(lessons.Lesson)) error {
	var mu sync.Mutex
	return x.much().view(ctx, func(r *reader) error {
		docs, err := r.found(q.at(time.Now()))
		if err != nil {
			return err
		}
		return r.stored(docs.docs(), lessonField, func(_ int, value []byte) error { // holding all would be the peak of the desk
			var l lessons.Lesson
			if err := json.Unmarshal(value, &l); err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			f(l)
			return nil
		})
	})
}

// Outlines finds every lesson of a query, oldest first. It ignores the query's order and
// page, and takes a fifth of the time and memory of [Index.All].
//
// The errors to decide on are those of [Index.Search].
func (x *Index) Outlines(ctx context.Context, q Query) (out []lessons.Outline, err error) {
	err = x.much().view(ctx, func(r *reader) error {
		docs, err := r.found(q.at(time.Now()))
		if err == nil {
			out, err = decoded[lessons.Outline](r, docs.docs(), outlineField)
		}
		return err
	})
	slices.SortFunc(out, func(a, b lessons.Outline) int {
		return cmp.Or(a.Created.Compare(b.Created), cmp.Compare(a.ID, b.ID))
	})
	return out, err
}

// Named returns lessons by their ids, as in [Hit], without those that are not in the index.
//
// The errors to decide on are those of [Index.Search].
func (x *Index) Named(ctx context.Context, ids []lessons.ID) (map[lessons.ID]lessons.Lesson, error) {
	out := make(map[lessons.ID]lessons.Lesson, len(ids))
	return out, x.view(ctx, func(r *reader) error {
		var docs docSet
		for i, s := range r.snap.Segments() {
			some, err := s.DocNumbers(words(ids))
			if err != nil {
				return err
			}
			for doc := range some.Iterate {
				docs = append(docs, r.number(i, uint64(doc)))
			}
		}
		found, err := decoded[lessons.Lesson](r, docs, lessonField)
		for _, l := range found {
			out[l.ID] = l
		}
		return err
	})
}

// Every finds the lessons of a query that hold each of the terms: with all of its words or,
// if they have all words of another term, by meaning. Lessons that hold more terms with
// their words come first; [Hit].ByMeaning marks those that do not hold all with words. Of
// the query's own words only negated ones count.
//
// The errors to decide on are those of [Index.Search].
func (x *Index) Every(ctx context.Context, q Query, terms ...string) (page Page, err error) {
	start := time.Now()
	q = q.at(start)
	err = x.view(ctx, func(r *reader) error {
		g := newGauge(Text(strings.Join(terms, " ")))
		if err := g.weigh(r); err != nil {
			return err
		}
		found, err := r.each(q, terms)
		if err != nil {
			return err
		}
		page.Total = len(found)
		found = found[min(q.from(), len(found)):]
		page.Hits, err = r.hits(found[:min(q.size(), len(found))], g)
		return err
	})
	page.Took = time.Since(start)
	return page, err
}

// Similar finds the lessons that share most of a lesson's rare words, most alike first,
// without itself: those of its project, then global ones. For a global lesson all projects
// are equal. Rejected and merged lessons count, because a new proposal is compared with
// earlier decisions.
func (x *Index) Similar(ctx context.Context, l lessons.Lesson, n int) (hits []Hit, err error) {
	err = x.view(ctx, func(r *reader) error {
		a, err := r.among(beside(Query{}, l).parsed())
		if err != nil {
			return err
		}
		found, g, err := a.similar(l, max(n, 0))
		if err == nil {
			hits, err = r.hits(found, g)
		}
		return err
	})
	return hits, err
}

// Around returns the outlines of the lessons that [Index.Similar] finds for each of some, n
// for each, in no order and without repetitions.
//
// The errors to decide on are those of [Index.Search].
func (x *Index) Around(ctx context.Context, some []lessons.Outline, n int) (out []lessons.Outline, err error) {
	err = x.view(ctx, func(r *reader) error {
		scopes := map[lessons.Scope]*among{}
		var near docSet
		for _, o := range some {
			l, in := o.Lesson(), lessons.Scope{Project: o.Scope.Project, Global: o.Scope.Global}
			if scopes[in] == nil {
				if scopes[in], err = r.among(beside(Query{}, l).parsed()); err != nil {
					return err
				}
			}
			found, _, err := scopes[in].similar(l, n)
			if err != nil {
				return err
			}
			near = append(near, docsOf(found)...)
		}
		slices.Sort(near)
		out, err = decoded[lessons.Outline](r, slices.Compact(near), outlineField)
		return err
	})
	return out, err
}

// similar returns the n lessons most like l, and the gauge of its words.
func (a *among) similar(l lessons.Lesson, n int) (found []match, g *gauge, err error) {
	var texts []string
	for t := range textsOf(l) {
		texts = append(texts, t)
	}
	g = newGauge(Text(strings.Join(texts, "\n")))
	if err := g.weigh(a.r); err != nil {
		return nil, nil, err
	}
	own, err := a.r.snap.InternalID(string(l.ID))
	if err != nil {
		return nil, nil, err
	}
	if own == nil {
		found, _, _, err = a.ranked(parsed{words: g.rarest(similarTerms, 0), one: true}, n)
		return found, g, err
	}
	// A word that no other lesson has finds none.
	found, _, _, err = a.ranked(parsed{words: g.rarest(similarTerms, 1), one: true}, n+1)
	found = slices.DeleteFunc(found, func(m match) bool { return m.doc == own.Value() })
	return found[:min(n, len(found))], g, err
}

// beside limits a query to where a lesson holds.
func beside(q Query, l lessons.Lesson) Query {
	if !l.Scope.Global && l.Scope.Project != "" {
		q = q.Where(For, l.Scope.Project)
	}
	return q
}

// Akin finds at most n lessons that mean nearly the same as l, without those of some: those
// far nearer than most, nearest first. They need no word in common. It searches the lessons
// of q, whose order and page it ignores: those of l's own project, then global ones, as
// [Index.Similar] does.
func (x *Index) Akin(ctx context.Context, l lessons.Lesson, n int, q Query, some ...lessons.ID) (out []Hit, err error) {
	q.Sort = Created
	if l.ID != "" {
		q = q.Not(ID, string(l.ID))
	}
	s := &sense{asked: VectorOf(l.Content), kind: Outstanding}
	if s.asked == nil {
		return nil, nil
	}
	err = x.view(ctx, func(r *reader) error {
		all, err := r.found(beside(q, l))
		if err != nil {
			return err
		}
		found, err := s.alone(r, all.docs())
		if err != nil {
			return err
		}
		hits, err := r.hits(found, nil)
		for _, h := range hits {
			if h.Near >= leastAkin && len(out) < n && !slices.Contains(some, h.Lesson.ID) {
				h.Score = h.Near
				out = append(out, h)
			}
		}
		return err
	})
	return out, err
}

// page returns a page of the results of a query.
func (r *reader) page(q Query, from, size int, g *gauge, near *sense) (Page, error) {
	if err := g.weigh(r); err != nil {
		return Page{}, err
	}
	n := size
	if size < deepest {
		n = near.deep(from + size)
	}
	found, total, rest, err := r.top(q, n)
	if err != nil {
		return Page{}, err
	}
	alone, err := near.alone(r, rest)
	if err == nil {
		found, err = near.sort(r, found, alone)
	}
	if err != nil {
		return Page{}, err
	}
	page := Page{Total: total + len(alone)}
	found = found[min(from, len(found)):]
	page.Hits, err = r.hits(found[:min(size, len(found))], g)
	return page, err
}

// hits reads the lessons of matches.
func (r *reader) hits(found []match, g *gauge) ([]Hit, error) {
	hits := make([]Hit, len(found))
	lanes, err := r.snap.DocValueReader([]string{string(Lane)})
	for i := 0; i < len(found) && err == nil; i++ {
		err = lanes.VisitDocValues(binary.BigEndian.AppendUint64(nil, found[i].doc), func(_ string, lane []byte) { hits[i].Lane = lessons.Lane(lane) })
	}
	if err != nil {
		return nil, err
	}
	return hits, r.stored(docsOf(found), lessonField, func(i int, value []byte) error {
		m := found[i]
		hits[i].Score, hits[i].Near, hits[i].ByMeaning = m.score, m.near, m.alone
		if err := json.Unmarshal(value, &hits[i].Lesson); err != nil {
			return err
		}
		if g != nil {
			hits[i].Match, hits[i].Cover = g.measure(hits[i].Lesson)
		}
		return nil
	})
}

func (q Query) size() int {
	n := q.Limit
	if n <= 0 {
		n = pageSize
	}
	return max(min(n, deepest-q.from()), 0)
}

func (q Query) from() int { return min(max(q.Offset, 0), deepest) }
