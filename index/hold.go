package index

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/blevesearch/bleve/v2"
)

// An index that is held stays open for lingers after a query. It looks every glances
// whether a writer of another process waits.
const (
	lingers = 300 * time.Millisecond
	glances = 100 * time.Millisecond
)

// Held returns the index for a program that asks often, until ctx ends. It stays open for
// a moment after a query, since to open it takes longer than most queries. A writer does
// not wait for that moment to end, but for the queries under way and for 100 ms at most.
func (x *Index) Held(ctx context.Context) *Index {
	return &Index{path: x.path, wait: x.wait, hold: &holder{ctx: ctx}}
}

// much returns the index for a query that reads much of it. What is held is closed after
// it, and with it goes the memory in which the files are mapped.
func (x *Index) much() *Index {
	return &Index{path: x.path, wait: x.wait, open: x.open, hold: x.hold, drops: true}
}

// A holder has the current generation open for several queries.
type holder struct {
	ctx     context.Context
	mu      sync.Mutex // guards what follows, and of its opened all but b and err
	now     *opened    // for the next query; nil if it has to open another
	writers int        // of this process, under way
}

// An opened generation is open to read.
type opened struct {
	done chan struct{} // closed when b or err is set
	b    bleve.Index
	err  error

	users  int
	used   time.Time     // by the last query that ended
	broken bool          // a query found damage
	wake   chan struct{} // capacity 1: it was dropped, or a user has left it since
}

// look runs f on the opened generation of x.
func (h *holder) look(ctx context.Context, x *Index, f func(bleve.Index) error) (err error) {
	o, first := h.join(x)
	if o == nil {
		return x.openNow(ctx, f)
	}
	defer func() { h.leave(o, x.drops, errors.Is(err, errDamaged)) }()
	select {
	case <-o.done:
	case <-ctx.Done():
		return ctx.Err()
	}
	switch {
	case o.err != nil && first:
		return o.err
	case o.err != nil: // it may have waited for a writer before this query came
		return x.openNow(ctx, f)
	}
	defer rescue(&err)()
	return f(o.b)
}

// join returns a generation that stays open until leave, and whether it is opened for this
// query; nil while this process writes.
func (h *holder) join(x *Index) (o *opened, first bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.writers > 0 || h.ctx.Err() != nil {
		return nil, false
	}
	if first = h.now == nil || x.awaited(); first {
		h.drop(h.now)
		h.now = &opened{done: make(chan struct{}), wake: make(chan struct{}, 1)}
		go h.keep(x, h.now)
	}
	h.now.users++
	return h.now, first
}

func (h *holder) leave(o *opened, drop, broken bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	o.users--
	o.used = time.Now()
	o.broken = o.broken || broken
	if drop || broken || h.now != o {
		h.drop(o)
	}
}

// drop lets no further query join o, and closes it if it has no users.
func (h *holder) drop(o *opened) {
	if o == nil {
		return
	}
	if h.now == o {
		h.now = nil
	}
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

// keep opens o, and closes it when nobody needs it.
func (h *holder) keep(x *Index, o *opened) {
	err := x.openNow(h.ctx, func(b bleve.Index) error {
		o.b = b
		close(o.done)
		for {
			select {
			case <-o.wake:
			case <-time.After(glances):
			case <-h.ctx.Done():
			}
			if ended, broken := h.ended(x, o); broken {
				panic("damaged") // then it stays open, see open
			} else if ended {
				return nil
			}
		}
	})
	if o.b == nil {
		o.err = err
		h.mu.Lock()
		h.drop(o)
		h.mu.Unlock()
		close(o.done)
	}
}

// ended reports whether o is to be closed.
func (h *holder) ended(x *Index, o *opened) (ended, broken bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if o.users > 0 {
		return false, false
	}
	if h.now == o && h.ctx.Err() == nil && time.Since(o.used) < lingers && !x.awaited() {
		return false, false
	}
	h.drop(o)
	return true, o.broken
}

// aside closes what is open, once its queries have ended, until the returned function is
// called.
func (h *holder) aside() (done func()) {
	if h == nil {
		return func() {}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.writers++
	h.drop(h.now)
	return func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.writers--
	}
}
