package index

import (
	"context"
	"io/fs"
	"path/filepath"

	"github.com/blevesearch/bleve/v2"

	"learnings/lessons"
)

// A Health is how an index is.
type Health struct {
	Totals []int          // see [Index.Totals]
	Cursor lessons.Cursor // see [Index.Cursor]
	Size   int64          // bytes on disk
	Spare  int            // generations that a crash has left; the next rebuild removes them
}

// Examine opens the index as a query does, and leaves one that is damaged as it is: a
// query would forget it. The errors to decide on are [ErrNoIndex] and [ErrBusy]; any other
// is of damage, or of a folder that cannot be read.
func (x *Index) Examine(ctx context.Context, queries ...Query) (h Health, err error) {
	err = x.look(ctx, func(b bleve.Index) error {
		if h.Cursor, err = cursorOf(b); err != nil {
			return err
		}
		return read(ctx, b, func(r *reader) error {
			h.Totals, err = r.totals(queries)
			return err
		})
	})
	if err != nil {
		return h, err
	}
	gens, err := x.generations()
	h.Spare = max(len(gens)-1, 0)
	// A file that is replaced meanwhile counts or does not.
	_ = filepath.WalkDir(x.path, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if info, err := d.Info(); err == nil {
				h.Size += info.Size()
			}
		}
		return nil
	})
	return h, err
}
