package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"learnings/lessons"
)

// Since yields every change after a cursor, oldest first. It first records what other
// programs did to the files, to give it a place in the order. If nothing has changed,
// nothing is written and no lock is taken.
//
// From "" it yields every lesson as it is, with only After, Rev and Cursor set. Only the
// last one has a cursor, so that a follower cannot stop early and miss lessons. Broken
// files are left out: a lesson whose file breaks changes to nil, and back when it is
// repaired.
//
// The error is [lessons.ErrCursor] if the cursor's journal or table no longer exists;
// start again from "" then.
func (s *Store) Since(c lessons.Cursor) iter.Seq2[lessons.Change, error] {
	return func(yield func(lessons.Change, error) bool) {
		t, err := s.current()
		if err == nil && c == "" {
			s.tree.snapshot(t, yield)
			return
		}
		if err == nil {
			err = s.log.follow(t, c, yield)
		}
		if err != nil {
			yield(lessons.Change{}, err)
		}
	}
}

// Written returns the number of the last write by any process. It grows with every write.
func (s *Store) Written() int64 {
	t, err := s.read()
	if err != nil {
		return 0
	}
	return int64(t.seq)
}

// Changed reports whether Since would yield anything. It never waits for a lock, and
// checks only folders if nothing has changed.
func (s *Store) Changed(c lessons.Cursor) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p, err := parseCursor(c)
	if c == "" || err != nil {
		return true, nil
	}
	t, err := s.known()
	if err != nil {
		return false, err
	}
	if p.epoch != t.epoch || p.seq != t.seq+1 || t.cut {
		return true, nil
	}
	if s.justLooked() {
		return false, nil
	}
	v, err := s.look(t, true)
	if err != nil {
		return false, err
	}
	if len(v.news) == 0 {
		s.saw(v, t)
	}
	return len(v.steps) > 0, nil
}

// snapshot yields every lesson. It delays by one, to know which is the last.
func (d tree) snapshot(t *table, yield func(lessons.Change, error) bool) {
	var held *lessons.Change
	for e, r := range d.readEach(t.entries("WHERE kind = ?", string(good))) {
		l := r.lesson
		if r.err != nil || l.ID != e.id {
			continue // broken or just changed: the next call reports it
		}
		if held != nil && !yield(*held, nil) {
			return
		}
		l.Outside = e.outside || l.Rev != e.rev
		held = &lessons.Change{ID: l.ID, After: &l}
	}
	if held != nil {
		held.Cursor = cursorAt(t.epoch, t.seq+1, 0)
		yield(*held, nil)
	}
}

// A cursor is the next write to yield, and how many of its changes were yielded. Earlier
// versions had a fourth part.
type cursor struct {
	epoch string
	seq   uint64
	done  int
}

func cursorAt(epoch string, seq uint64, done int) lessons.Cursor {
	return lessons.Cursor(fmt.Sprintf("%s.%d.%d.0", epoch, seq, done))
}

func parseCursor(c lessons.Cursor) (cursor, error) {
	parts := strings.Split(string(c), ".")
	if len(parts) != 4 {
		return cursor{}, lessons.ErrCursor
	}
	seq, err1 := strconv.ParseUint(parts[1], 10, 64)
	done, err2 := strconv.Atoi(parts[2])
	if errors.Join(err1, err2) != nil || done < 0 {
		return cursor{}, lessons.ErrCursor
	}
	return cursor{parts[0], seq, done}, nil
}

// follow yields the changes after a cursor, up to the head of the table.
func (j journal) follow(t *table, c lessons.Cursor, yield func(lessons.Change, error) bool) error {
	p, err := parseCursor(c)
	if err != nil || p.epoch != t.epoch || p.seq > t.seq+1 {
		return lessons.ErrCursor
	}
	return j.steps(func(w write, f fileStep, n int, last bool) error {
		if !yield(committed{write: w, epoch: t.epoch}.change(f, n, last), nil) {
			return errStop
		}
		return nil
	}, "WHERE (steps.seq > ?1 OR steps.seq = ?1 AND n >= ?2) AND steps.seq <= ?3 ORDER BY steps.seq, n", p.seq, p.done, t.seq)
}

// changes returns a write as its followers see it.
func (c committed) changes() []lessons.Change {
	out := make([]lessons.Change, 0, len(c.Files))
	for i, f := range c.Files {
		out = append(out, c.change(f, i, i == len(c.Files)-1))
	}
	return out
}

// change returns the i-th step of a write as a change.
func (c committed) change(f fileStep, i int, last bool) lessons.Change {
	next := cursorAt(c.epoch, c.Seq, i+1)
	if last {
		next = cursorAt(c.epoch, c.Seq+1, 0)
	}
	return lessons.Change{
		Cursor: next, ID: f.ID, Before: f.Before.lesson(f.ID), After: f.After.lesson(f.ID),
		Op: c.Op, By: c.By, How: c.How, Why: c.Why, Session: c.Session, At: c.At, Batch: c.Seq, Turns: slices.Concat(c.Undoes, c.Redoes),
	}
}

// History returns the changes of one lesson, oldest first and without cursors, as far
// back as the journal goes.
func (s *Store) History(id lessons.ID) ([]lessons.Change, error) {
	t, err := s.current()
	if err != nil {
		return nil, err
	}
	var out []lessons.Change
	err = s.log.steps(func(w write, f fileStep, i int, last bool) error {
		ch := committed{write: w, epoch: t.epoch}.change(f, i, last)
		if n := len(out); ch.Before == nil && n > 0 && out[n-1].After != nil && f.Before != nil && f.Before.Rev == out[n-1].After.Rev {
			ch.Before = out[n-1].After
		}
		ch.Cursor = ""
		out = append(out, ch)
		return nil
	}, "WHERE lesson = ? AND steps.seq <= ? ORDER BY steps.seq, n", string(id), t.seq)
	return out, err
}

// Latest returns for each of some lessons the latest change that says how it was decided,
// or that another program made. It is missing where the journal has none.
func (s *Store) Latest(ids ...lessons.ID) (map[lessons.ID]lessons.Change, error) {
	list, err := json.Marshal(ids)
	if err != nil {
		return nil, err
	}
	out := map[lessons.ID]lessons.Change{}
	err = s.log.steps(func(w write, f fileStep, i int, last bool) error {
		if w.How != "" || w.Op == lessons.OpExternal {
			out[f.ID] = committed{write: w}.change(f, i, last)
		}
		return nil
	}, "WHERE lesson IN (SELECT value FROM json_each(?)) ORDER BY steps.seq, n", string(list))
	return out, err
}

// Journal yields the changes that this machine knows of, newest first; those of one write
// in the order of the write.
func (s *Store) Journal() iter.Seq2[lessons.Change, error] { return s.journal("") }

// JournalOf yields the changes of [Store.Journal] that were made in a session, and all of
// some lessons. It reads no others: a long journal takes a second.
func (s *Store) JournalOf(ids []lessons.ID) iter.Seq2[lessons.Change, error] {
	list, _ := json.Marshal(ids) // strings
	return s.journal(`AND (steps.seq IN (SELECT seq FROM writes WHERE json_extract(value, '$.session') <> '') OR lesson IN (SELECT value FROM json_each(?)))`, string(list))
}

func (s *Store) journal(where string, args ...any) iter.Seq2[lessons.Change, error] {
	return func(yield func(lessons.Change, error) bool) {
		t, err := s.current()
		if err == nil {
			err = s.log.steps(func(w write, f fileStep, i int, last bool) error {
				if !yield(committed{write: w, epoch: t.epoch}.change(f, i, last), nil) {
					return errStop
				}
				return nil
			}, "WHERE steps.seq <= ? "+where+" ORDER BY steps.seq DESC, n", append([]any{t.seq}, args...)...)
		}
		if err != nil {
			yield(lessons.Change{}, err)
		}
	}
}

// Aside returns the paths of unreadable databases, which were set aside with their
// history. [Store.Forget] removes them.
func (s *Store) Aside() []string {
	paths, _ := filepath.Glob(filepath.Join(s.state, damagedName+"*"))
	return append(paths, s.db.Aside()...)
}
