package store

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"path/filepath"

	"learnings/lessons"
	"learnings/lessons/file"
	db "learnings/lessons/state"
)

// This file copies a corpus with its whole history, and restores such a copy.

// CopyJournal writes the journal of a store for [Restore]. A corpus that was never
// written to has no journal.
func CopyJournal(w io.Writer, s *Store) error {
	done, err := s.ready(false, nil)
	if err != nil {
		return err
	}
	defer done()
	out := bufio.NewWriter(w)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false) // it would turn < into six bytes
	err = enc.Encode(title{Journal: s.table.epoch, Version: journalVersion})
	if err == nil {
		err = s.log.writes(func(w write) error {
			w, err := s.log.whole(w)
			if err == nil {
				err = enc.Encode(w)
			}
			return err
		}, "ORDER BY seq")
	}
	if err = errors.Join(err, out.Flush()); err != nil {
		return fmt.Errorf("copying the journal: %w", err)
	}
	return nil
}

// A title is the first line of a journal's copy.
type title struct {
	Journal string `json:"journal"` // its name
	Version int    `json:"version"`
}

// journalVersion is the format version that this program writes and understands.
const journalVersion = 1

// Restore fills an empty corpus from files and the copy of a journal: the same bytes with
// their history. If the corpus is not empty or the copy is invalid, nothing is written
// and the error wraps [lessons.ErrInvalid]. If a write fails half way, the files written
// so far count as written by another program, and the next Restore of the same copy
// completes it.
func Restore(s *Store, files iter.Seq2[File, error], history io.Reader) error {
	there := map[string]string{}
	for f := range s.Files() {
		there[f.Path] = string(f.Text)
	}
	for f, err := range files {
		if text, ok := there[f.Path]; ok && err == nil && text == string(f.Text) {
			delete(there, f.Path)
		}
	}
	if len(there) > 0 {
		return fmt.Errorf("%w: the corpus is not empty", lessons.ErrInvalid)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	unlock, err := s.gate.lock()
	if err != nil {
		return err
	}
	defer unlock()
	t, err := s.read()
	if err != nil {
		return err
	}
	if t.seq > 0 {
		return fmt.Errorf("%w: the corpus has a history of its own", lessons.ErrInvalid)
	}
	in := bufio.NewReader(history)
	line, err := in.ReadBytes('\n')
	var head title
	if json.Unmarshal(line, &head) != nil || head.Journal == "" || head.Version != journalVersion {
		return fmt.Errorf("%w: what should be the history is no journal of learnings", lessons.ErrInvalid)
	}
	if _, err := s.db.MakeKey(); err != nil {
		return err
	}
	err = s.db.Durably(func(t db.Tx) error {
		if _, err := t.Exec("DELETE FROM files"); err != nil { // it is made again, from the history
			return err
		}
		if err := t.Put(keptCorpus, nil); err != nil {
			return err
		}
		for err == nil {
			if line, err = in.ReadBytes('\n'); err == nil {
				_, err = db.TakeWrite(t, line)
			}
		}
		if err != io.EOF {
			return fmt.Errorf("copying the journal: %w", err)
		}
		if err := s.log.seal(t); err != nil {
			return err
		}
		for f, err := range files {
			if err == nil {
				err = s.tree.restore(f)
			}
			if err != nil {
				return fmt.Errorf("restoring: %w", err)
			}
		}
		return nil
	})
	return err
}

// restore writes one file of a copy.
func (d tree) restore(f File) error {
	if !filepath.IsLocal(filepath.FromSlash(f.Path)) || !file.Is(f.Path) {
		return fmt.Errorf("%w: %s is no path of a lesson", lessons.ErrInvalid, lessons.Line(f.Path))
	}
	root, err := d.open()
	if err != nil {
		return err
	}
	defer root.Close()
	st := staging{root: root, files: []fileStep{{After: &state{Path: f.Path, Text: string(f.Text)}}}}
	defer st.discard()
	if err := st.prepare(); err != nil {
		return err
	}
	return st.place(d)
}
