package index

import (
	"context"
	"encoding/json"
	"math"
	"slices"
	"time"

	"github.com/blevesearch/bleve/v2/search"
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

// at is the query with a time in place of none.
func (q Query) at(now time.Time) Query {
	if q.Now.IsZero() {
		q.Now = now
	}
	return q
}

func (r *reader) search(q Query) (page Page, err error) {
	if err = q.narrow(r); err != nil {
		return page, err
	}
	g := newGauge(q)
	if q.Least > 0 && len(g.prefixes) == 0 && len(g.words) > 0 {
		if err = g.weigh(r); err != nil {
			return page, err
		}
		if q.words = g.needed(q.Least); q.words == nil {
			return Page{Hits: []Hit{}}, nil
		}
	}
	if q.Unjudged {
		g = nil
	}
	if page, err = r.page(q.request(), q.order(), q.from(), q.size(), g, newSense(q)); err == nil && q.Least > 0 {
		page.Hits = slices.DeleteFunc(page.Hits, func(h Hit) bool { return h.Match < q.Least })
	}
	return page, err
}

// narrow takes the words of a query that its Rarest asks for; none stand for words that
// no lesson has.
func (q *Query) narrow(r *reader) error {
	if q.Rarest <= 0 {
		return nil
	}
	g := newGauge(*q)
	if err := g.weigh(r); err != nil {
		return err
	}
	if q.words = g.rarest(q.Rarest, 0); len(q.words) == 0 {
		q.words = nil
	}
	return nil
}

// All finds every lesson of a query, however many there are. Offset and Limit do
// not count, and what would be ordered by relevance is ordered by date.
//
// The errors to decide on are those of [Index.Search].
func (x *Index) All(ctx context.Context, q Query) ([]Hit, error) {
	q = q.at(time.Now())
	if q.Order() == Relevance {
		q.Sort = Created
	}
	var page Page
	err := x.view(ctx, func(r *reader) (err error) {
		page, err = r.page(q.request(), q.order(), 0, math.MaxInt, newGauge(q), nil)
		return err
	})
	return page.Hits, err
}

// Similar finds the lessons that share most of a lesson's rare words, the most
// alike first and itself left out: those of its own project, then global ones.
// For a global lesson all projects are the same. Rejected and merged lessons
// count, because what was once decided on is what a new proposal is held
// against.
func (x *Index) Similar(ctx context.Context, l lessons.Lesson, n int) (hits []Hit, err error) {
	err = x.view(ctx, func(r *reader) (err error) {
		hits, err = r.similar(l, similarTerms, n)
		return err
	})
	return hits, err
}

// Similars is [Index.Similar] of several lessons, in their order, by fewer words: what says
// nearly the same has one of them.
func (x *Index) Similars(ctx context.Context, n int, ls ...lessons.Lesson) ([][]Hit, error) {
	out := make([][]Hit, len(ls))
	err := x.view(ctx, func(r *reader) (err error) {
		for i, l := range ls {
			if out[i], err = r.similar(l, nearTerms, n); err != nil {
				return err
			}
		}
		return nil
	})
	return out, err
}

func (r *reader) similar(l lessons.Lesson, terms, n int) ([]Hit, error) {
	g := newGauge(Text(searchText(l)))
	if err := g.weigh(r); err != nil {
		return nil, err
	}
	// A word that only this lesson has finds no other one.
	own, err := r.snap.Document(string(l.ID))
	if err != nil {
		return nil, err
	}
	few := uint64(0)
	if own != nil {
		few = 1
	}
	words := g.rarest(terms, few)
	if len(words) == 0 {
		return nil, nil
	}
	page, err := r.page(likeRequest(l, words), Query{words: words, Sort: Relevance}.order(), 0, max(n, 0), g, nil)
	return page.Hits, err
}

// Akin finds at most n lessons that mean nearly the same as a lesson and are not among
// some: those far nearer than most are, the nearest first. They need no word in common.
// The lessons to look at are those of a query, whose order and page do not count, and of
// them those of the lesson's own project, then global ones, as [Index.Similar] has it.
func (x *Index) Akin(ctx context.Context, l lessons.Lesson, n int, q Query, some ...lessons.ID) (out []Hit, err error) {
	if !l.Scope.Global && l.Scope.Project != "" {
		q = q.Where(For, l.Scope.Project)
	}
	q = q.Not(ID, string(l.ID))
	q.Sort = Created
	s := &sense{asked: meaning.Words().Of(l.Content), kind: Outstanding, rest: q.request()}
	if s.asked == nil {
		return nil, nil
	}
	err = x.view(ctx, func(r *reader) error {
		found, err := s.alone(r, nil)
		if err != nil {
			return err
		}
		found = slices.DeleteFunc(found, func(m match) bool { return m.near < leastAkin })
		ls, err := r.lessons(docsOf(found))
		for i, l := range ls {
			if len(out) < n && !slices.Contains(some, l.ID) {
				out = append(out, Hit{Lesson: l, Score: found[i].near, Near: found[i].near, ByMeaning: true})
			}
		}
		return err
	})
	return out, err
}

// Totals says how many lessons each query finds. It opens the index once.
func (x *Index) Totals(ctx context.Context, queries ...Query) (out []int, err error) {
	err = x.view(ctx, func(r *reader) error {
		out, err = r.totals(queries)
		return err
	})
	return out, err
}

func (r *reader) totals(queries []Query) ([]int, error) {
	out := make([]int, len(queries))
	for i, q := range queries {
		docs, err := r.docs(q.request())
		if err != nil {
			return nil, err
		}
		out[i] = len(docs)
	}
	return out, nil
}

// page gives a page of the lessons of a query in an order.
func (r *reader) page(q query.Query, order search.SortOrder, from, size int, g *gauge, near *sense) (Page, error) {
	if g != nil {
		if err := g.weigh(r); err != nil {
			return Page{}, err
		}
	}
	n := size
	if size < deepest {
		n = near.deep(from + size)
	}
	found, total, err := r.top(q, order, n)
	if err != nil {
		return Page{}, err
	}
	alone, err := near.alone(r, q)
	if err == nil {
		found, err = near.sort(r, g, found, alone)
	}
	if err != nil {
		return Page{}, err
	}
	page := Page{Total: total + len(alone), Hits: []Hit{}}
	found = found[min(from, len(found)):]
	page.Hits, err = r.hits(found[:min(size, len(found))], g)
	return page, err
}

// hits reads the lessons of matches.
func (r *reader) hits(found []match, g *gauge) ([]Hit, error) {
	hits := make([]Hit, len(found))
	return hits, r.stored(docsOf(found), lessonField, func(i int, value []byte) error {
		m := found[i]
		hits[i] = Hit{Score: m.score, Near: m.near, Alike: m.alike, ByMeaning: m.alone}
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
