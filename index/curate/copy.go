package curate

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"

	"learnings/lessons"
	"learnings/lessons/exchange"
	"learnings/lessons/state"
	"learnings/lessons/store"
)

// CopyTo copies the corpus and its whole history to a folder that does not exist, is empty,
// or holds a copy. An old copy is replaced once the new one is complete.
func (c *Library) CopyTo(ctx context.Context, dir string) (n int, err error) {
	if names, err := os.ReadDir(dir); err == nil && len(names) > 0 && !exchange.IsCopy(dir) {
		return 0, fmt.Errorf("%w: %s is not empty, and holds no copy of a corpus", lessons.ErrInvalid, dir)
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return 0, err
	}
	state.Sweep(true, dir)
	both, err := os.MkdirTemp(filepath.Dir(dir), filepath.Base(dir)+".*.tmp")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(both)
	tmp := filepath.Join(both, "new")
	if err := os.Mkdir(tmp, 0o700); err != nil {
		return 0, err
	}
	if err := os.Mkdir(filepath.Join(tmp, exchange.CopyLessons), 0o700); err != nil {
		return 0, err
	}
	history, err := os.OpenFile(filepath.Join(tmp, exchange.CopyHistory), os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return 0, err
	}
	if err := errors.Join(store.CopyJournal(history, c.Store), history.Sync(), history.Close()); err != nil {
		return 0, err
	}
	for f, err := range c.Store.Files() {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return n, fmt.Errorf("copying the corpus: %w", err)
		}
		path := filepath.Join(tmp, exchange.CopyLessons, filepath.FromSlash(f.Path))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, f.Text, 0o600)); err != nil {
			return n, err
		}
		n++
	}
	// The old one is moved as a whole: half of it would be no copy, and replaced by nobody.
	if err := os.Rename(dir, filepath.Join(both, "old")); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return n, err
	}
	return n, os.Rename(tmp, dir)
}

// RestoreFrom fills an empty corpus from a copy: the same files to the byte, with their
// history. The error wraps [lessons.ErrInvalid] if the corpus is not empty or dir is not a
// copy; then nothing is written.
func (c *Corpus) RestoreFrom(dir string) error {
	if err := c.MustSit("restore a corpus"); err != nil {
		return err
	}
	history, err := os.Open(filepath.Join(dir, exchange.CopyHistory))
	if err != nil {
		return err
	}
	defer history.Close()
	return store.Restore(c.Store, copied(dir), history)
}

// copied yields the files of a copy for a store.
func copied(dir string) iter.Seq2[store.File, error] {
	return func(yield func(store.File, error) bool) {
		for f, err := range exchange.LessonFiles(dir) {
			if !yield(store.File{Path: f.Path, Text: f.Text}, err) {
				return
			}
		}
	}
}
