// Package index answers queries over a corpus of lessons. It keeps no state of its own:
// everything in it is derived from the log of the store, and it can be deleted at any time.
//
// An [Index] is a path and not a handle. Every call opens the files, works and closes them
// (a few milliseconds with some ten thousand lessons; see [Open] for several), so that a
// terminal app, an agent's hook and a command line share one index without a daemon. All
// calls are safe for concurrent use by goroutines and processes.
package index

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"time"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/index/scorch"

	"learnings/index/meaning"
	"learnings/lessons"
)

// Errors that callers decide on.
var (
	// ErrNoIndex means that there is no usable index: none was made, it is of another
	// version, or it is damaged. Sync makes one.
	ErrNoIndex = errors.New("no index")
	// ErrBusy means that another process locked the index for longer than the call waits: a
	// second for a query, until the end of its context for a sync. Nothing is wrong with
	// the index.
	ErrBusy = errors.New("the index is busy")
)

// An Index is a place on disk where an index is or will be.
type Index struct {
	path string
	wait time.Duration // for a sync to wait for another writer; 0 for as long as its context lasts
	open bleve.Index   // shared by several queries; nil if each opens it

	hold  *holder // keeps it open between queries; nil if it closes after each
	drops bool    // the held index is closed after a query
}

// At returns the index at a path. It does not access the disk.
func At(path string) *Index { return &Index{path: path} }

// Within returns the index with a limit, of at least a millisecond, on how long a sync
// waits for another process that writes it. It does not limit the sync itself.
func (x *Index) Within(d time.Duration) *Index {
	return &Index{path: x.path, wait: d, hold: x.hold}
}

// A Vector is the meaning of a text by the built-in vectors.
type Vector = meaning.Vector

// VectorOf returns the vector of a text.
func VectorOf(text string) Vector { return meaning.Of(text) }

// Open opens the index once and calls f with it, for several queries. f may use it only
// until it returns, and only for queries. Writers wait for f, so f must not do anything
// else that takes long, or use the index in another way.
//
// The errors to decide on are those of f and of [Index.Search].
func Open(ctx context.Context, x *Index, f func(*Index) error) error {
	return x.much().session(ctx, func(b bleve.Index) error { return f(&Index{path: x.path, wait: x.wait, open: b}) })
}

// Over returns an index of lessons in memory, valid until done is called, for when there is
// none on disk. It skips elements with an error: a broken file must not keep the others
// from being found.
func Over(ctx context.Context, all iter.Seq2[lessons.Lesson, error]) (x *Index, done func() error, err error) {
	b, err := bleve.NewUsing("", bleve.NewIndexMapping(), scorch.Name, scorch.Name, nil)
	if err != nil {
		return nil, nil, err
	}
	p := newPile()
	for l, err := range all {
		if err == nil {
			p.add(lessons.Change{ID: l.ID, After: &l})
		}
	}
	if err := cmp.Or(ctx.Err(), p.write(b, newMaker())); err != nil {
		return nil, nil, errors.Join(err, b.Close())
	}
	return &Index{open: b}, b.Close, nil
}

// A Log is what an index follows: every change after a cursor, oldest first; from "", one
// for each lesson of the corpus, in any order. It returns [lessons.ErrCursor] for a cursor
// that is not its own.
type Log interface {
	Since(lessons.Cursor) iter.Seq2[lessons.Change, error]
}

// A Page is a page of a query's results.
type Page struct {
	Hits   []Hit
	Total  int     // hits on all pages
	Facets []Facet // of Query.Count, as from [Index.Facets]
	Took   time.Duration
}

// Shown returns the lessons of the hits.
func (p Page) Shown() []lessons.Lesson {
	out := make([]lessons.Lesson, len(p.Hits))
	for i, h := range p.Hits {
		out[i] = h.Lesson
	}
	return out
}

// A Hit is a lesson that a query found.
type Hit struct {
	// Lesson is the lesson as it was indexed, without the turns around its evidence. Read
	// it from the store before deciding on it.
	Lesson lessons.Lesson
	Lane   lessons.Lane // [lessons.LaneOf] it
	// Score ranks the hits of one query; scores of different queries cannot be compared. In
	// the order of relevance it is the score by words, as a share of the best one's,
	// combined with Near.
	Score float64
	// Match is the share of the query's words that the lesson has, weighted by rarity: from
	// 0 to 1, and 1 if the query has no words.
	Match float64
	// Cover is like Match, but text other than the sentence, triggers and tags counts a
	// third, and only its best passage: a long text has some of the words of any question.
	// Unlike a score, Cover tells whether a lesson is on the subject.
	Cover float64
	// Near is how near the lesson is to the query in meaning, from 0 to 1; 0 if unknown.
	Near float64
	// ByMeaning reports that the lesson has none of the words: see [Query].Meaning.
	ByMeaning bool
}
