package index

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"sync"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/index/scorch"

	"learnings/lessons"
)

// Open calls f with the same index for several questions, which is opened once for all of
// them. What f is given is for the time of the call and for nothing but questions: whoever
// writes waits for f, so it must not do anything else that takes long, or ask otherwise.
//
// The errors to decide on are those of f and of [Index.Search].
func Open(ctx context.Context, x *Index, f func(*Index) error) error {
	var ferr error
	err := x.session(ctx, func(b bleve.Index) error {
		h := &held{b: b}
		ferr = f(&Index{path: x.path, wait: x.wait, held: h})
		h.mu.Lock()
		defer h.mu.Unlock()
		return h.damage
	})
	if err == nil {
		return ferr
	}
	return err
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
	return &Index{held: &held{b: b}}, b.Close, nil
}

// held is a generation that stays open over several questions.
type held struct {
	b      bleve.Index
	mu     sync.Mutex
	damage error // that one of them has met, whatever was made of its error
}

func (h *held) ask(f func(bleve.Index) error) error {
	err := f(h.b)
	if errors.Is(err, errDamaged) {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.damage = err
	}
	return err
}
