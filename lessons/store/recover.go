package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"learnings/lessons"
)

// ready locks the corpus for a write that must know what others did, as far as a look
// tells. Done unlocks it; it is nil when there is an error.
func (s *Store) ready(l look) (done func(), err error) {
	s.mu.Lock()
	unlock, err := s.gate.lock()
	if err != nil {
		s.mu.Unlock()
		return nil, err
	}
	done = func() { unlock(); s.mu.Unlock() }
	if err = s.begin(); err == nil {
		err = s.catchUp(l)
	}
	if err != nil {
		done()
		return nil, err
	}
	return done, nil
}

// begin readies journal and table for a write: it creates them when they are missing,
// and finishes what a crash interrupted. It needs the lock.
func (s *Store) begin() error {
	t, err := loadTable(s.state, s.table)
	if err != nil && !errors.Is(err, errNoTable) {
		return fmt.Errorf("reading the file table: %v", err)
	}
	head, err := s.log.title()
	if errors.Is(err, errNewer) {
		return err
	}
	if err != nil || t == nil || t.journal != head.Journal {
		return s.rebuild(head, err)
	}
	s.table = t
	if t.mark.end == s.log.size() {
		return nil
	}
	m, records, err := s.recover()
	if err != nil {
		return err
	}
	return t.add(s.state, m, records...)
}

// rebuild makes the table anew from the files, and the journal too when it cannot be
// read; the old one is kept aside.
func (s *Store) rebuild(head title, bad error) error {
	var last, end int64
	var seq uint64
	if bad == nil && head.Journal != "" {
		end, bad = s.log.writes(func(w write, _ []byte, start, _ int64) error {
			last, seq = start, w.Seq
			return nil
		})
	}
	if bad != nil {
		aside := filepath.Join(s.state, damagedName+newName())
		if err := os.Rename(s.log.path(), aside); err != nil {
			return fmt.Errorf("%w; putting it aside failed: %v", bad, err)
		}
		head, last, end, seq = title{}, 0, 0, 0
	}
	if head.Journal == "" {
		var err error
		if head, end, err = s.log.create(); err != nil {
			return err
		}
	}
	t := &table{epoch: newName(), journal: head.Journal, mark: mark{seq, end}}
	if last > 0 {
		t.mark = mark{seq - 1, last} // the last write may not have been finished
	}
	s.table = t
	m, records, err := s.recover()
	if err != nil {
		return err
	}
	t.mark = m
	t.replace(records)
	n, err := s.look(t, thorough)
	if err != nil {
		return err
	}
	if err := s.tree.sweep(n.temps); err != nil {
		return err
	}
	t.replace(append(n.records, n.settled...))
	if err := s.log.vouch(t); err != nil {
		return err
	}
	if err := t.write(s.state); err != nil {
		return err
	}
	s.saw(n, t)
	return nil
}

// vouch takes from the journal which files of a table made anew are as a write left
// them. All others came from outside.
func (j journal) vouch(t *table) error {
	known := map[lessons.ID]state{}
	_, err := j.walk(0, func(line []byte, _, _ int64) error {
		var w write
		if err := unmarshal(line, &w); err != nil {
			return nil // damaged: what it wrote is not vouched for
		}
		for _, f := range w.Files {
			if delete(known, f.ID); f.After != nil {
				known[f.ID] = state{Rev: f.After.Rev, Outside: f.After.Outside}
			}
		}
		return nil
	})
	entries := slices.Clone(t.all())
	for i, e := range entries {
		is, ok := known[e.id]
		entries[i].outside = !ok || is.Rev != e.rev || is.Outside
	}
	t.entries = entries
	return err
}

// recover finishes the writes that are in the journal but not yet in the table, and
// gives what the table lacks.
func (s *Store) recover() (mark, []entry, error) {
	m := s.table.mark
	from := m.end
	if from != s.log.size() && !s.log.writeIs(from, m.seq+1) {
		from = 0 // it was written anew, by Forget
	}
	var records []entry
	end, err := s.log.walk(from, func(line []byte, _, _ int64) error {
		var w write
		if err := unmarshal(line, &w); err != nil || w.Seq <= m.seq {
			return nil // a damaged line is passed over: an incomplete one would be the last, without an end
		}
		m.seq = w.Seq
		done, err := s.tree.finish(w)
		records = append(records, done...)
		return err
	})
	if err != nil {
		return m, nil, err
	}
	if m.end = end; end < s.log.size() {
		err = s.log.cut(end, true)
	}
	return m, records, err
}

// writeIs reports whether a write is at an offset of the journal.
func (j journal) writeIs(at int64, seq uint64) bool {
	is := false
	_, err := j.walk(at, func(line []byte, _, _ int64) error {
		w, err := header(line)
		is = err == nil && w.Seq == seq
		return errStop
	})
	return is && err == nil && at > 0
}

// finish does what a crash left undone of a write, to files that are still as they
// were before it.
func (d tree) finish(w write) ([]entry, error) {
	if w.Op == lessons.OpExternal {
		records, _ := d.recordsOf(w.Files)
		return records, nil
	}
	var left []fileStep
	for _, f := range w.Files {
		if d.undone(f) {
			left = append(left, f)
		}
	}
	if len(left) > 0 {
		root, err := d.open()
		if err != nil {
			return nil, err
		}
		defer root.Close()
		st := staging{root: root, files: left}
		defer st.discard()
		if err := st.makeFolders(); err != nil {
			return nil, err
		}
		if err := st.prepare(); err != nil {
			return nil, err
		}
		if err := st.place(d); err != nil {
			return nil, err
		}
		if err := st.sync(); err != nil {
			return nil, fmt.Errorf("writing the corpus: %v", err)
		}
	}
	records, _ := d.recordsOf(w.Files)
	return records, nil
}

// undone reports whether a step was not done, or not completely, and nobody has
// changed the file since.
func (d tree) undone(f fileStep) bool {
	is := func(st *state) bool {
		data, err := d.readFile(st.Path)
		return err == nil && revOf(data) == st.Rev
	}
	if f.Before != nil && !is(f.Before) {
		return false
	}
	if f.After == nil || f.Before != nil && f.Before.Path == f.After.Path {
		return f.Before != nil
	}
	_, err := os.Lstat(d.full(f.After.Path))
	return errors.Is(err, fs.ErrNotExist) || is(f.After)
}

func unmarshal(line []byte, w *write) error {
	if !bytes.HasPrefix(line, []byte("{")) {
		return errors.New("it is not a JSON object")
	}
	return json.Unmarshal(line, w)
}
