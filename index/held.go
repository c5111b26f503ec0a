package index

import (
	"context"
	"errors"
	"sync"

	"github.com/blevesearch/bleve/v2"
)

// Open calls f with the same index for several questions, which is opened once for all of
// them. What f is given is for the time of the call and for nothing but questions: whoever
// writes waits for f, so it must not do anything else that takes long, or ask otherwise.
//
// The errors to decide on are those of f and of [Index.Search].
func Open(ctx context.Context, x *Index, f func(*Index) error) error {
	return x.view(ctx, func(b bleve.Index) error {
		h := &held{b: b}
		err := f(&Index{path: x.path, wait: x.wait, held: h})
		h.mu.Lock()
		defer h.mu.Unlock()
		if h.damage != nil {
			return h.damage
		}
		return err
	})
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
