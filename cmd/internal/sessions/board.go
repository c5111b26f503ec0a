package sessions

import (
	"context"
	"fmt"
	"iter"
	"path/filepath"
	"sync"
	"time"

	"learnings/extractor/past"
	"learnings/extractor/transcript"
)

// A Board finds sessions for a screen, which shows what is known at once, and answers
// queries about those that it has found. It may be asked by several goroutines.
type Board struct {
	Finder  Finder
	NotRead []error // told behind what is found at once
	Now     func() time.Time

	mu   sync.Mutex
	rows map[string]past.Row // by path
}

// Unread is the number of turns of a session that has not been read yet.
const Unread = -1

// List tells of each session twice: at once with what its place and what is kept tell,
// its turns [Unread] where nothing is kept, then with what reading it tells. What cannot
// be read is an error.
func (b *Board) List(ctx context.Context, places transcript.Places) iter.Seq2[past.Row, error] {
	return func(yield func(past.Row, error) bool) {
		told := map[string]bool{} // what cannot be found is told once
		// An extraction, of this desk or of a hook, has its own ledger.
		if err := b.Finder.Catalog.Marks.Refresh(); err != nil {
			if told[err.Error()] = true; !yield(past.Row{}, err) {
				return
			}
		}
		for f, err := range transcript.FindKnown(places, b.Finder.Catalog.Marks.Recall) {
			if ctx.Err() != nil {
				return
			}
			if err != nil {
				if told[err.Error()] = true; !yield(past.Row{}, err) {
					return
				}
				continue
			}
			if !yield(b.found(f), nil) {
				return
			}
		}
		for _, err := range b.NotRead {
			if !yield(past.Row{}, err) {
				return
			}
		}
		for row, err := range b.Finder.All(ctx, places) {
			if ctx.Err() != nil {
				return
			}
			if err != nil && told[err.Error()] {
				continue
			}
			if err == nil {
				b.keep(row)
			}
			if !yield(row, err) {
				return
			}
		}
	}
}

// found is a session before it is read.
func (b *Board) found(f transcript.File) past.Row {
	r, known := b.Finder.Kept.Recall(f)
	if !known {
		r = past.Record{Info: transcript.Info{File: f}}
	}
	row := b.Finder.row(r)
	if !known {
		row.Human, row.Corrections, row.ToolErrors = Unread, Unread, Unread
	}
	if row.Session.ID == "" {
		row.Session.ID = filepath.Base(f.Path)
	}
	b.keep(row)
	return row
}

func (b *Board) keep(row past.Row) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.rows == nil {
		b.rows = map[string]past.Row{}
	}
	b.rows[row.Path] = row
}

// Where reads a query and says of which of the sessions that were found it is, by their
// paths. The error is that of [past.Parse].
func (b *Board) Where(query string) (func(path string) bool, error) {
	q, err := past.Parse(query, b.Now())
	if err != nil {
		return nil, err
	}
	return func(path string) bool {
		b.mu.Lock()
		row, ok := b.rows[path]
		b.mu.Unlock()
		return ok && q.Match(&row)
	}, nil
}

// Problem says what is wrong with a session's file; "" for nothing.
func Problem(row past.Row, err error) string {
	switch {
	case err != nil:
		return err.Error()
	case row.BadLines == 1:
		return "1 bad line"
	case row.BadLines > 1:
		return fmt.Sprintf("%d bad lines", row.BadLines)
	}
	return ""
}
