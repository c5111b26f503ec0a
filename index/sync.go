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
	// syncBatch is after how many lessons a sync lets the readers in.
	syncBatch = 500
	// smallFile is how many lessons are merged in a few milliseconds.
	smallFile = 1000
)

// maxFiles is with how many files search is still about as fast as with one.
var maxFiles = 12

// cursorKey has the cursor behind a mark, because every index has a cursor and
// the first one is empty.
var cursorKey = []byte("learnings-cursor")

const cursorMark = "@"

// Sync brings the index up to date with a log and says how many changes it took
// in. Where there is no index that can be brought up to date it makes one.
// Readers go on meanwhile. An error leaves what was taken in before it, and the
// next call goes on from there.
//
// It waits for another writer until ctx ends, and then gives [ErrBusy].
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

// Mend makes an index anew that is worn, and says whether it was: its files have become so
// many, or so much in them is deleted, that every call takes longer. That takes as long as
// Rebuild, and readers go on meanwhile; it is for a process for which nobody waits.
func (x *Index) Mend(ctx context.Context, log Log) (worn bool, err error) {
	if worn, err = isWorn(ctx, x); err != nil || !worn {
		return false, err
	}
	err = x.writing(ctx, func() error {
		if worn, err = isWorn(ctx, x); err == nil && worn { // another process may just have done so
			_, err = x.rebuild(ctx, log)
		}
		return err
	})
	return worn, err
}

// isWorn is false where there is no index: the next sync makes one.
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

// Rebuild makes the index anew from the whole log and says how many lessons it
// holds.
func (x *Index) Rebuild(ctx context.Context, log Log) (n int, err error) {
	err = x.writing(ctx, func() error {
		n, err = x.rebuild(ctx, log)
		return err
	})
	return n, err
}

// errForget makes a sync rebuild: deleting a document leaves its words in files
// that bleve may keep for long.
var errForget = errors.New("a lesson is to be forgotten")

// Cursor is the place in the log up to which the index has taken it in, by
// whichever program: it tells whoever keeps a view of the index that the index
// has moved on. It is [ErrNoIndex] where there is none.
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

// Noted is the same without opening the index, as the last writer noted it, and "" where
// it is not known. An index that has lost what it had since, through damage, is behind it.
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

// rebuild makes a new generation of the whole log.
func (x *Index) rebuild(ctx context.Context, log Log) (n int, err error) {
	err = x.replace(ctx, func(b bleve.Index) error {
		if err := build(ctx, b, log); err != nil {
			return err
		}
		// One file of all, which every later call opens.
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

// build puts the whole log into an index that is empty, in any order.
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
	latest  map[lessons.ID]*lessons.Lesson // nil for one that is gone
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

// write puts the pile and its cursor into the index in one batch: after a crash
// there are both or neither.
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

// compact merges small files when there are many, because every call opens them
// all. bleve would merge in the background, which needs an index that stays
// open, and would also rewrite the large ones while readers wait; those are left
// to [Index.Mend].
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
