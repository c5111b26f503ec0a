package index

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/index/scorch"
	"github.com/blevesearch/bleve/v2/index/scorch/mergeplan"

	"learnings/lessons"
)

const (
	// After syncBatch lessons a sync lets readers in.
	syncBatch = 500
	// smallFile is how many lessons are merged within milliseconds.
	smallFile = 1000
)

// maxFiles is how many files search can read about as fast as one.
var maxFiles = 12

// cursorKey is the key of the cursor. Its value has a prefix, because the first cursor is
// empty.
var cursorKey = []byte("learnings-cursor")

const cursorMark = "@"

// Sync brings the index up to date with a log and returns how many changes it took in. If
// there is no usable index it makes one. Readers continue meanwhile. After an error, the
// next call continues from the last batch.
//
// It waits for another writer until ctx ends, and then returns [ErrBusy].
func (x *Index) Sync(ctx context.Context, log Log) (changed int, err error) {
	err = x.writing(ctx, func() error {
		changed, err = follow(ctx, x, log)
		if errors.Is(err, ErrNoIndex) || errors.Is(err, errDamaged) || errors.Is(err, lessons.ErrCursor) || errors.Is(err, errForget) {
			changed, err = x.rebuild(ctx, log)
		}
		return err
	})
	return changed, err
}

// Mend rebuilds the index if it is worn, and reports whether it was: it has so many files,
// or so many deleted lessons in them, that every call takes longer. It takes as long as
// Rebuild, and readers continue meanwhile. Call it only from a process that nobody waits
// for.
func (x *Index) Mend(ctx context.Context, log Log) (worn bool, err error) {
	if worn, err = isWorn(ctx, x); err != nil || !worn {
		return false, err
	}
	err = x.writing(ctx, func() error {
		if worn, err = isWorn(ctx, x); err == nil && worn { // another process may have just mended it
			_, err = x.rebuild(ctx, log)
		}
		return err
	})
	return worn, err
}

// isWorn returns false if there is no index: the next sync makes one.
func isWorn(ctx context.Context, x *Index) (worn bool, err error) {
	err = x.view(ctx, func(r *reader) error {
		live, gone := int64(0), int64(0)
		for _, f := range r.snap.Segments() {
			live += f.LiveSize()
			gone += f.FullSize() - f.LiveSize()
		}
		worn = len(r.ends) > maxFiles || gone > live+smallFile
		return nil
	})
	if errors.Is(err, ErrNoIndex) {
		return false, nil
	}
	return worn, err
}

// Rebuild makes the index again from the whole log and returns how many lessons it holds.
func (x *Index) Rebuild(ctx context.Context, log Log) (n int, err error) {
	err = x.writing(ctx, func() error {
		n, err = x.rebuild(ctx, log)
		return err
	})
	return n, err
}

// errForget makes a sync rebuild, because bleve may keep the words of a deleted document in
// its files for long.
var errForget = errors.New("a lesson is to be forgotten")

// Cursor returns the place in the log up to which any program has updated the index. A
// cached view of the index is stale once it changes. The error is [ErrNoIndex] if there is
// none.
func (x *Index) Cursor(ctx context.Context) (c lessons.Cursor, err error) {
	err = x.session(ctx, func(b bleve.Index) error {
		c, err = cursorOf(b)
		return err
	})
	return c, err
}

func cursorOf(b bleve.Index) (lessons.Cursor, error) {
	c, err := b.GetInternal(cursorKey)
	if err != nil || len(c) == 0 {
		return "", fmt.Errorf("%w: it has no cursor: %v", errDamaged, err)
	}
	return lessons.Cursor(strings.TrimPrefix(string(c), cursorMark)), nil
}

// Noted returns the cursor that the last writer noted, without opening the index; "" if
// unknown. An index that has since lost data through damage is behind it.
func (x *Index) Noted() lessons.Cursor {
	c, err := x.current()
	if err != nil {
		return ""
	}
	return c.Cursor
}

// follow takes in what the log has after the cursor of the index.
func follow(ctx context.Context, x *Index, log Log) (changed int, err error) {
	from, err := x.Cursor(ctx)
	if err != nil {
		return 0, err
	}
	next := newPile()
	flush := func() error {
		if len(next.latest) == 0 {
			return nil
		}
		err := x.update(ctx, func(b bleve.Index) error {
			if err := next.write(b, newMaker()); err != nil {
				return err
			}
			return compact(ctx, b)
		})
		if err == nil {
			changed += next.changes
			next = newPile()
		}
		return err
	}
	for c, err := range log.Since(from) {
		if err == nil {
			err = ctx.Err()
		}
		if err == nil && c.Op == lessons.OpForget {
			return 0, errForget
		}
		if err != nil {
			return changed, errors.Join(flush(), err)
		}
		next.add(c)
		if len(next.latest) >= syncBatch {
			if err := flush(); err != nil {
				return changed, err
			}
		}
	}
	return changed, flush()
}

// rebuild makes a new generation from the whole log.
func (x *Index) rebuild(ctx context.Context, log Log) (n int, err error) {
	err = x.replace(ctx, func(b bleve.Index) error {
		if err := build(ctx, b, log); err != nil {
			return err
		}
		// Merge everything into one file, which is the fastest to open.
		whole := mergeplan.SingleSegmentMergePlanOptions
		whole.SegmentsPerMergeTask = math.MaxInt32
		if err := forceMerge(ctx, b, whole); err != nil {
			return err
		}
		count, err := b.DocCount()
		n = int(count)
		return err
	})
	return n, err
}

// build puts the whole log into an empty index, in any order.
func build(ctx context.Context, b bleve.Index, log Log) error {
	m, next := newMaker(), newPile()
	for c, err := range log.Since("") {
		if err := cmp.Or(err, ctx.Err()); err != nil {
			return err
		}
		next.add(c)
		if len(next.latest) >= syncBatch {
			if err := next.write(b, m); err != nil {
				return err
			}
			next = newPile()
		}
	}
	return next.write(b, m)
}

// A pile is the last state of each lesson in a run of changes.
type pile struct {
	latest  map[lessons.ID]*lessons.Lesson // nil for a deleted one
	cursor  lessons.Cursor
	changes int
}

func newPile() *pile { return &pile{latest: map[lessons.ID]*lessons.Lesson{}} }

func (p *pile) add(c lessons.Change) {
	if c.After != nil {
		short := shorten(*c.After)
		p.latest[c.ID] = &short
	} else {
		p.latest[c.ID] = nil
	}
	p.cursor = c.Cursor
	p.changes++
}

// write puts the pile and its cursor into the index in one batch, so that a crash loses
// both or neither.
func (p *pile) write(b bleve.Index, m *maker) error {
	batch := b.NewBatch()
	for id, l := range p.latest {
		if l == nil {
			batch.Delete(string(id))
			continue
		}
		d, err := m.document(*l)
		if err != nil {
			return err
		}
		if err := batch.IndexAdvanced(d); err != nil {
			return fmt.Errorf("indexing lesson %s: %v", id, err)
		}
	}
	batch.SetInternal(cursorKey, []byte(cursorMark+string(p.cursor)))
	if err := b.Batch(batch); err != nil {
		return fmt.Errorf("writing the index: %v", err)
	}
	return nil
}

// compact merges small files if there are many, because every call opens them all. Bleve's
// own merging runs in the background, which needs an index that stays open, and also
// rewrites the large files while readers wait; compact leaves those to [Index.Mend].
func compact(ctx context.Context, b bleve.Index) error {
	return read(ctx, b, func(r *reader) error {
		if len(r.ends) <= maxFiles {
			return nil
		}
		small := mergeplan.SingleSegmentMergePlanOptions
		small.MaxSegmentSize = 2 * smallFile // bleve merges what is less than half of it
		return forceMerge(ctx, b, small)
	})
}

func forceMerge(ctx context.Context, b bleve.Index, plan mergeplan.MergePlanOptions) error {
	adv, err := b.Advanced()
	if s, ok := adv.(*scorch.Scorch); ok && err == nil {
		err = s.ForceMerge(ctx, &plan)
	}
	if err != nil {
		return fmt.Errorf("merging the files of the index: %v", err)
	}
	return nil
}
