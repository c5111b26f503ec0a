package store

import (
	"errors"
	"io/fs"
	"os"

	"learnings/lessons"
	db "learnings/lessons/state"
)

// ready locks the corpus for a write, after a scan for changes by others if need says so.
// done unlocks it; it is nil if there is an error.
func (s *Store) ready(quick bool, need func() bool) (done func(), err error) {
	s.mu.Lock()
	unlock, err := s.gate.lock()
	if err != nil {
		s.mu.Unlock()
		return nil, err
	}
	done = func() { unlock(); s.mu.Unlock() }
	if err = s.begin(); err == nil && (need == nil || need()) {
		err = s.catchUp(quick)
	}
	if err != nil {
		done()
		return nil, err
	}
	return done, nil
}

// write calls prepare, with the corpus locked as by [Store.ready], and commits the write
// it returns. The result is the write as journaled, nil if there is nothing to do.
func (s *Store) write(quick bool, need func() bool, prepare func() (write, error)) (c *committed, err error) {
	done, err := s.ready(quick, need)
	if err != nil {
		return nil, err
	}
	w, err := prepare()
	if err == nil && len(w.Files)+len(w.Undoes)+len(w.Redoes) > 0 {
		if c, err = s.commit(w); err == nil {
			if s.made == nil {
				s.made = map[uint64]bool{}
			}
			s.made[c.Seq] = true
		}
	}
	done()
	return c, err
}

// begin prepares journal and table for a write: it creates missing ones and finishes what
// a crash interrupted. The lock must be held.
func (s *Store) begin() (err error) {
	if s.table, err = s.read(); err != nil {
		return err
	}
	if err = s.sealed(); err != nil {
		return err
	}
	if s.table.cut {
		var records []entry
		foreign, ours := map[uint64]bool{}, s.log.ours()
		err = s.log.steps(func(w write, f fileStep, _ int, _ bool) error {
			if !ours(w, f) {
				foreign[w.Seq] = true
				return nil
			}
			w.Files = []fileStep{f}
			done, err := s.tree.finish(w)
			records = append(records, done...)
			return err
		}, "WHERE NOT done ORDER BY steps.seq, n")
		if err == nil {
			err = s.db.Update(func(t db.Tx) error {
				for seq := range foreign {
					if err := errors.Join(remove(t, seq), t.Put(keptForeign, s.now().UTC())); err != nil {
						return err
					}
				}
				if _, err := t.Exec("UPDATE writes SET done = 1 WHERE NOT done"); err != nil {
					return err
				}
				return record(s.db, t, records)
			})
		}
		if err == nil {
			s.table, err = s.read()
		}
	}
	if err == nil && s.table.epoch == "" {
		err = s.rebuild()
	}
	// What cannot be erased now must not stop this write: [Store.Unforgotten] still has it.
	if err == nil && len(s.table.forgetting) > 0 && s.erase(s.table.forgetting) == nil {
		s.table, err = s.read()
	}
	return err
}

// keptForeign is when a write was last removed from the journal, unfinished, that another
// program had put there.
const keptForeign = "foreign-write"

// sealed makes the key of this machine when the state has none. What was in the state of
// an earlier version counts as this program's; where the key is lost, everything in it
// waits to be confirmed.
func (s *Store) sealed() error {
	made, err := s.db.MakeKey()
	if err != nil || !made {
		return err
	}
	var b began
	if lost, err := s.db.Get(keptSealed, &b); lost || err != nil {
		return err
	}
	known := s.table.entriesOf("WHERE outside = 0", func(entry, int64) bool { return false })
	return s.db.Update(func(t db.Tx) error {
		if err := s.log.seal(t); err != nil {
			return err
		}
		return record(s.db, t, known)
	})
}

// rebuild rebuilds the table from the files.
func (s *Store) rebuild() error {
	v, err := s.look(&table{db: s.db, head: head{seq: s.table.seq}}, false)
	if err != nil {
		return err
	}
	if err := s.tree.sweep(v.temps); err != nil {
		return err
	}
	if v.Epoch = newName(); len(v.news) > 0 {
		err = s.log.vouch(v.news)
	}
	if err == nil {
		err = s.db.Durably(func(tx db.Tx) error {
			if _, err := tx.Exec("DELETE FROM files"); err != nil {
				return err
			}
			return v.save(s.db, tx)
		})
	}
	if err == nil {
		s.table, err = s.read()
		s.looked = v.began
	}
	return err
}

// vouch marks, from the journal, the files that are as a write left them. All others came
// from outside.
func (j journal) vouch(entries []entry) error {
	last := map[lessons.ID]*state{}
	ours := j.ours()
	err := j.steps(func(w write, f fileStep, _ int, _ bool) error {
		if !ours(w, f) {
			return nil
		}
		if last[f.ID] = f.After; f.After != nil {
			f.After.Text = ""
		}
		return nil
	}, "ORDER BY steps.seq, n")
	for i, e := range entries {
		is := last[e.id]
		entries[i].outside = is == nil || is.Rev != e.rev || is.Outside
	}
	return err
}

// finish completes a write after a crash, for files that are still as they were before
// it.
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
		if err := st.prepare(); err != nil {
			return nil, err
		}
		if err := st.place(d); err != nil {
			return nil, err
		}
	}
	records, _ := d.recordsOf(w.Files)
	return records, nil
}

// undone reports whether a step was not fully done and nobody has changed the file since.
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
