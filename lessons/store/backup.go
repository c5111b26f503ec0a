package store

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"

	"learnings/lessons"
	"learnings/lessons/atomicfile"
	"learnings/lessons/file"
)

// This file is for a copy of a corpus with all that was ever done to it, and for
// making a corpus of such a copy.

// CopyJournal writes the journal of a store as it is: what [Restore] reads. A corpus that was
// never written to has none.
func CopyJournal(w io.Writer, s *Store) error {
	done, err := s.ready(thorough)
	if err != nil {
		return err
	}
	defer done()
	f, err := os.Open(s.log.path())
	if err != nil {
		return fmt.Errorf("reading the journal: %w", err)
	}
	defer f.Close()
	if _, err := io.Copy(w, f); err != nil {
		return fmt.Errorf("copying the journal: %w", err)
	}
	return nil
}

// Restore makes an empty corpus of files and a journal: the same files to the byte,
// with their history. The error wraps [lessons.ErrInvalid] when the corpus is not empty
// or the copy is none; nothing is written then. When writing fails half way, what is
// there counts as written by another program.
func Restore(s *Store, files iter.Seq2[File, error], history io.Reader) error {
	for range s.Files() {
		return fmt.Errorf("%w: the corpus is not empty", lessons.ErrInvalid)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	unlock, err := s.gate.lock()
	if err != nil {
		return err
	}
	defer unlock()
	if _, err := os.Stat(s.log.path()); err == nil {
		return fmt.Errorf("%w: the corpus has a history of its own", lessons.ErrInvalid)
	}
	tmp, err := receive(s.state, history)
	if err != nil {
		return err
	}
	defer os.Remove(tmp)
	for f, err := range files {
		if err == nil {
			err = s.tree.restore(f)
		}
		if err != nil {
			return fmt.Errorf("restoring: %w", err)
		}
	}
	root, err := os.OpenRoot(s.state)
	if err != nil {
		return err
	}
	defer root.Close()
	s.table = nil
	return errors.Join(atomicfile.Rename(root, filepath.Base(tmp), journalName), atomicfile.SyncDir(root, "."))
}

// receive writes a journal beside where it goes, and checks that it is one.
func receive(state string, history io.Reader) (name string, err error) {
	if err := os.MkdirAll(state, 0o700); err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp(state, "restore-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	f, err := os.OpenFile(filepath.Join(dir, journalName), os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return "", err
	}
	_, err = io.Copy(f, history)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return "", fmt.Errorf("copying the journal: %w", err)
	}
	copied := journal{dir}
	if head, err := copied.title(); err != nil || head.Journal == "" {
		return "", errors.Join(fmt.Errorf("%w: what should be the history is no journal of learnings", lessons.ErrInvalid), err)
	}
	name = dir + ".jsonl"
	return name, os.Rename(f.Name(), name)
}

// restore writes one file of a copy.
func (d tree) restore(f File) error {
	if !filepath.IsLocal(filepath.FromSlash(f.Path)) || !file.Is(f.Path) {
		return fmt.Errorf("%w: %s is no path of a lesson", lessons.ErrInvalid, lessons.Line(f.Path))
	}
	path := d.full(f.Path)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return atomicfile.Write(path, func(w io.Writer) error {
		_, err := w.Write(f.Text)
		return err
	})
}
