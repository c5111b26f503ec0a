// Package index answers queries over a corpus of lessons. It holds nothing of
// its own: everything in it follows from the log of the store, and it can be
// deleted at any time.
//
// An [Index] is a place and not a handle. Every call opens the files there,
// works and closes them (a few milliseconds with some ten thousand lessons; see
// [Open] for several), so that a terminal app, an agent's hook and a command line share one index
// without a daemon. Any number of goroutines and processes may call anything at
// any time.
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
	// ErrNoIndex is the answer to a query where there is no index that could
	// answer: none was made, it is of another version, or it is damaged. Sync
	// makes one.
	ErrNoIndex = errors.New("no index")
	// ErrBusy is the answer when another process kept the index to itself for
	// longer than we would wait: a second for a query, until the end of its
	// context for a sync. Nothing is wrong with the index.
	ErrBusy = errors.New("the index is busy")
)

// An Index is a place on disk where an index is or will be.
type Index struct {
	path string
	wait time.Duration // of a sync for another writer; 0 for as long as its context lasts
	open bleve.Index   // for several questions; nil where each opens it
}

// At names a place. It touches nothing.
func At(path string) *Index { return &Index{path: path} }

// Within gives the same place for a caller whose syncs wait no longer than a time,
// of a millisecond or more, for another process that writes the index. A sync that has
// the index to itself takes the time that it takes.
func (x *Index) Within(d time.Duration) *Index { return &Index{path: x.path, wait: d} }

// A Vector is what a text means by the built-in vectors.
type Vector = meaning.Vector

// VectorOf gives the vector of a text.
func VectorOf(text string) Vector { return meaning.Of(text) }

// Open calls f with the same index for several questions, which is opened once for all of
// them. What f is given is for the time of the call and for nothing but questions: whoever
// writes waits for f, so it must not do anything else that takes long, or ask otherwise.
//
// The errors to decide on are those of f and of [Index.Search].
func Open(ctx context.Context, x *Index, f func(*Index) error) error {
	return x.session(ctx, func(b bleve.Index) error { return f(&Index{path: x.path, wait: x.wait, open: b}) })
}

// Over is an index of some lessons in memory, until done is called, for when there is none on
// disk to ask. What comes with an error in the sequence is left out: a broken file must not
// keep the others from being found.
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

// A Log is what an index follows: every change after a cursor, oldest first; from ""
// on, one for each lesson of the corpus, in any order. It gives [lessons.ErrCursor] for
// a cursor that is not its own.
type Log interface {
	Since(lessons.Cursor) iter.Seq2[lessons.Change, error]
}

// A Page is what a query found.
type Page struct {
	Hits  []Hit
	Total int // how many there are, those of other pages included
	Took  time.Duration
}

// Shown are the lessons of the hits.
func (p Page) Shown() []lessons.Lesson {
	out := make([]lessons.Lesson, len(p.Hits))
	for i, h := range p.Hits {
		out[i] = h.Lesson
	}
	return out
}

// A Hit is a lesson that was found.
type Hit struct {
	// Lesson is as it was when it was indexed, and without the turns around its
	// evidence. Before deciding on it, read it from the store.
	Lesson lessons.Lesson
	// Score ranks the hits of one query. It means nothing beside another query. In the
	// order of relevance it is that of the words, as a share of the best one's, with Near.
	Score float64
	// Match is how much of the query's words, each weighed by its rarity, the
	// lesson has: from 0 to 1, and 1 when the query has no words.
	Match float64
	// Cover is the same, but of what a lesson says beside its sentence, triggers and
	// tags only the passage counts that has most, and a third: a long text has some
	// of the words of any question. Unlike a score it says whether a lesson is on the
	// subject.
	Cover float64
	// Near is how near the lesson is to the query in what it means, from 0 to 1; 0 where
	// nobody can tell.
	Near float64
	// ByMeaning says that the lesson has none of the words: see [Query].Meaning.
	ByMeaning bool
}
