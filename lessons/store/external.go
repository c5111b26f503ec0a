package store

import (
	"fmt"
	"os"
	"slices"
	"time"

	"learnings/lessons"
	db "learnings/lessons/state"
)

// A watch says how often a Store checks for changes by other programs.
type watch struct {
	trust time.Duration // how long a full scan is trusted; see Store.Trusting
	aside func() error  // see Store.Trusting; may be nil

	looked time.Time // when the last scan recorded in the table began
	odd    []string  // what it found that is named like a lesson but is not a regular file
}

// justLooked reports whether the last scan is recent enough to trust.
func (w *watch) justLooked() bool { return time.Since(w.looked) < w.trust }

// trusted reports whether checking the folders is enough. It may ask another process for
// a full scan.
func (s *Store) trusted(t *table) bool {
	now, at := time.Now(), int64(0)
	if age := now.UnixNano() - t.Full; 0 <= age && age < int64(s.trust) {
		return true
	}
	if s.aside == nil {
		return false
	}
	if _, err := s.db.Get(keptAsked, &at); err != nil || at <= t.Full {
		return s.db.Put(keptAsked, now.UnixNano()) == nil && s.aside() == nil
	}
	if waited := now.UnixNano() - at; 0 <= waited && waited < askPatience*int64(s.trust) {
		return true
	}
	_ = s.db.Put(keptAsked, now.UnixNano()) // nobody did it: this Store scans; keep others from doing so too
	return false
}

// askPatience is how long to wait for a requested scan on a busy machine, as a multiple
// of watch.trust.
const askPatience = 5

// look finds what changed since the table was written.
func (s *Store) look(t *table, quick bool) (*sight, error) {
	v, err := s.tree.look(t, quick && s.trust > 0 && t.epoch != "" && s.trusted(t))
	if err == nil {
		s.odd = v.Odd
	}
	return v, err
}

// saw saves a scan that found no changes, unless somebody has written since. It only
// saves time, so errors are ignored.
func (s *Store) saw(v *sight, t *table) {
	s.looked = v.began
	if t.epoch == "" || v.quick || len(v.temps) > 0 {
		return // readers create nothing, and the next look has to find what is to be swept
	}
	_ = s.db.Update(func(tx db.Tx) error {
		now := &table{}
		if err := now.load(tx); err != nil || now.head != t.head {
			return err
		}
		return v.save(s.db, tx)
	})
}

// save stores the findings in the database.
func (v *sight) save(d db.DB, t db.Tx) error {
	if err := record(d, t, slices.Concat(v.news, v.settled)); err != nil {
		return err
	}
	return t.Put(keptCorpus, v.corpusRow)
}

// files returns all files as they are now and records nothing. With an id, it may ignore
// other lessons.
func (s *Store) files(id lessons.ID) (*table, []entry, error) {
	for try := 1; ; try++ {
		defer s.gate.insist(try == tries)()
		t, err := s.known()
		if err != nil {
			return nil, nil, err
		}
		v, err := s.look(t, false)
		if err != nil {
			return nil, nil, err
		}
		if try < tries {
			// A file that another process moves during the scan may be missed in both
			// places.
			if now, err := s.known(); err == nil && (now.head != t.head || now.cut) {
				if _, has := now.find(id); id == "" || has {
					continue
				}
			}
		}
		if len(v.news) == 0 {
			s.saw(v, t)
		}
		return t, v.files, nil
	}
}

// tries is how often to look for a file that others keep moving.
const tries = 3

// catchUp records what other programs did to the files, as far as a scan finds it. The
// lock must be held.
func (s *Store) catchUp(quick bool) error {
	v, err := s.look(s.table, quick)
	if err != nil {
		return err
	}
	if err := s.tree.sweep(v.temps); err != nil {
		return err
	}
	if len(v.news) == 0 {
		s.saw(v, s.table)
		return nil
	}
	seq := s.table.seq
	err = s.db.Update(func(t db.Tx) error {
		for part := range slices.Chunk(v.steps, 500) { // not all in memory, with their texts
			seq++
			w := write{Seq: seq, At: s.now().UTC(), Op: lessons.OpExternal}
			for _, st := range part {
				w.Files = append(w.Files, s.tree.externalStep(st))
			}
			if err := journaled(s.db, t, w, true); err != nil {
				return err
			}
		}
		return v.save(s.db, t)
	})
	if err != nil {
		return fmt.Errorf("recording what others have changed: %w", err)
	}
	s.looked = v.began
	s.table, err = s.read()
	return err
}

// externalStep reads the file once more. Changes after that belong to the next scan.
func (d tree) externalStep(st step) fileStep {
	f := fileStep{ID: st.id}
	if st.before.path != "" {
		f.Before = &state{Path: st.before.path, Rev: st.before.rev, Outside: st.before.outside}
	}
	if st.after.path != "" {
		text, _ := d.readFile(st.after.path)
		f.After = &state{Path: st.after.path, Rev: revOf(text), Text: string(text), Outside: st.after.outside}
	}
	return f
}

// sweep removes temporary files that a crash left. The lock must be held, so that nobody
// is writing.
func (d tree) sweep(temps []string) error {
	if len(temps) == 0 {
		return nil
	}
	root, err := d.open()
	if err != nil {
		return err
	}
	defer root.Close()
	for _, p := range temps {
		_ = root.Remove(p) // if it fails, the next look finds it again
	}
	return nil
}

// current returns the table after recording changes by other programs. If nothing has
// changed it only reads and takes no lock. A Store that trusts a recent scan does not
// wait for a writing process either: it returns the state after the last write; the next
// full scan finds the rest.
func (s *Store) current() (*table, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t, err := s.known()
	if err != nil {
		return nil, err
	}
	quick := true
	if t.epoch != "" && !t.cut {
		if s.justLooked() {
			return t, nil
		}
		v, err := s.look(t, true)
		if err != nil {
			return nil, err
		}
		if len(v.news)+len(v.temps) == 0 {
			s.saw(v, t)
			return t, nil
		}
		quick = v.quick
	}
	if _, err := os.Stat(s.tree.dir); err != nil && t.epoch == "" {
		return t, nil // nothing exists yet, and readers create nothing
	}
	lock := s.gate.lock
	if t.epoch != "" && s.trust > 0 {
		lock = s.gate.tryLock
	}
	unlock, err := lock()
	if err != nil {
		return nil, err
	}
	if unlock == nil {
		return t, nil
	}
	defer unlock()
	if err := s.begin(); err != nil {
		return nil, err
	}
	if err := s.catchUp(quick); err != nil {
		return nil, err
	}
	return s.table, nil
}
