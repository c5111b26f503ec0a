package store

import (
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"learnings/lessons"
)

// Since gives every change after a cursor, oldest first. What other programs did to
// the files is found and recorded first, so that it has its place in the order. When
// nothing has changed, nothing is written and no lock is taken.
//
// From "" it gives every lesson as it is, with After, Rev and Cursor only. The cursor
// of all but the last is "": whoever stops earlier has not seen everything. Broken
// files are left out: a lesson whose file breaks changes to nil, and back when the
// file is repaired.
//
// The error is [lessons.ErrCursor] when the cursor is of a journal or a table that no
// longer exists; start again from "" then.
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

// Written is how many bytes of writes there are, by whichever process: it grows with
// every write, and tells whoever follows the store that there was one.
func (s *Store) Written() int64 { return s.log.size() }

// Changed reports whether Since would give anything. It never waits for a lock, and
// where nothing has changed it reads no more than a glance.
func (s *Store) Changed(c lessons.Cursor) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p, err := parseCursor(c)
	if c == "" || err != nil {
		return true, nil
	}
	if g := s.glance(); g != nil && g.current(s.state) && p == (cursor{g.epoch, g.mark.seq + 1, 0, g.mark.end}) && g.mark.end == s.log.size() && s.calm(g) {
		return false, nil
	}
	t, err := s.known()
	if err != nil {
		return false, err
	}
	if p.epoch != t.epoch || p.seq != t.mark.seq+1 || t.mark.end != s.log.size() {
		return true, nil
	}
	n, err := s.look(t, quick)
	if err != nil {
		return false, err
	}
	if len(n.records) > 0 { // others may have written while we looked
		if now, err := s.known(); err == nil && now.mark != t.mark {
			t, n.records = now, now.lacks(n.records)
		}
	}
	if len(n.records) == 0 {
		s.saw(n, t)
		return p.epoch != t.epoch || p.seq != t.mark.seq+1, nil
	}
	return len(n.steps) > 0, nil
}

// snapshot gives every lesson. It holds one back at a time, to know which is the last.
func (d tree) snapshot(t *table, yield func(lessons.Change, error) bool) {
	var held *lessons.Change
	for e, r := range d.readEach(t.all()) {
		l := r.lesson
		if e.kind != good || r.err != nil || l.ID != e.id {
			continue // broken, or changed meanwhile: then the next call says how
		}
		if held != nil && !yield(*held, nil) {
			return
		}
		l.Outside = e.outside || l.Rev != e.rev
		held = &lessons.Change{ID: l.ID, After: &l}
	}
	if held != nil {
		held.Cursor = cursorAt(t.epoch, t.mark.seq+1, 0, t.mark.end)
		yield(*held, nil)
	}
}

// A cursor is the next write to give, how many of its changes were given, and where
// its line begins, which saves searching for it.
type cursor struct {
	epoch string
	seq   uint64
	done  int
	at    int64
}

func cursorAt(epoch string, seq uint64, done int, at int64) lessons.Cursor {
	return lessons.Cursor(fmt.Sprintf("%s.%d.%d.%d", epoch, seq, done, at))
}

func parseCursor(c lessons.Cursor) (cursor, error) {
	parts := strings.Split(string(c), ".")
	if len(parts) != 4 {
		return cursor{}, lessons.ErrCursor
	}
	seq, err1 := strconv.ParseUint(parts[1], 10, 64)
	done, err2 := strconv.Atoi(parts[2])
	at, err3 := strconv.ParseInt(parts[3], 10, 64)
	if errors.Join(err1, err2, err3) != nil || done < 0 || at < 0 {
		return cursor{}, lessons.ErrCursor
	}
	return cursor{parts[0], seq, done, at}, nil
}

// follow gives the changes after a cursor, up to the mark of the table.
func (j journal) follow(t *table, c lessons.Cursor, yield func(lessons.Change, error) bool) error {
	p, err := parseCursor(c)
	if err != nil || p.epoch != t.epoch || p.seq > t.mark.seq+1 {
		return lessons.ErrCursor
	}
	if p.seq == t.mark.seq+1 {
		return nil
	}
	if !j.writeIs(p.at, p.seq) {
		p.at = 0
	}
	_, err = j.walk(p.at, func(line []byte, start, end int64) error {
		if w, err := header(line); err != nil && p.at > 0 {
			return lessons.ErrCursor // what the damaged write changed can only be read from the files
		} else if err != nil || w.Seq < p.seq {
			return nil
		} else if w.Seq > t.mark.seq {
			return errStop
		}
		var w write
		if err := unmarshal(line, &w); err != nil {
			return lessons.ErrCursor
		}
		for i, ch := range (committed{write: w, start: start, end: end, epoch: t.epoch}).changes() {
			if w.Seq == p.seq && i < p.done {
				continue
			}
			if !yield(ch, nil) {
				return errStop
			}
		}
		return nil
	})
	return err
}

// changes gives a write as its followers see it.
func (c committed) changes() []lessons.Change {
	out := make([]lessons.Change, 0, len(c.Files))
	for i, f := range c.Files {
		out = append(out, c.change(f, i, i == len(c.Files)-1))
	}
	return out
}

// change gives the step of a write that has i others before it.
func (c committed) change(f fileStep, i int, last bool) lessons.Change {
	next := cursorAt(c.epoch, c.Seq, i+1, c.start)
	if last {
		next = cursorAt(c.epoch, c.Seq+1, 0, c.end)
	}
	return lessons.Change{
		Cursor: next, ID: f.ID, Before: f.Before.lesson(f.ID), After: f.After.lesson(f.ID),
		Op: c.Op, By: c.By, How: c.How, Why: c.Why, Session: c.Session, At: c.At, Batch: c.Seq, Turns: slices.Concat(c.Undoes, c.Redoes),
	}
}

// History gives the changes of one lesson, oldest first and without cursors, as far back
// as the journal goes.
func (s *Store) History(id lessons.ID) ([]lessons.Change, error) {
	t, err := s.current()
	if err != nil {
		return nil, err
	}
	var out []lessons.Change
	err = s.log.steps(id, func(w write) error {
		if w.Seq > t.mark.seq {
			return errStop
		}
		ch := committed{write: w, epoch: t.epoch}.changes()[0]
		if n := len(out); ch.Before == nil && n > 0 && out[n-1].After != nil && w.Files[0].Before != nil && w.Files[0].Before.Rev == out[n-1].After.Rev {
			ch.Before = out[n-1].After
		}
		ch.Cursor = ""
		out = append(out, ch)
		return nil
	})
	return out, err
}

// Journal gives the changes that this machine knows of, newest first; those of one
// write in the order of the write.
func (s *Store) Journal() iter.Seq2[lessons.Change, error] {
	return func(yield func(lessons.Change, error) bool) {
		t, err := s.current()
		if err != nil {
			yield(lessons.Change{}, err)
			return
		}
		lines, err := s.log.spans()
		if err != nil {
			yield(lessons.Change{}, err)
			return
		}
		for _, sp := range slices.Backward(lines) {
			err := s.log.each(sp, t, func(ch lessons.Change) error {
				if !yield(ch, nil) {
					return errStop
				}
				return nil
			})
			if errors.Is(err, errStop) {
				return
			} else if err != nil {
				yield(lessons.Change{}, err)
				return
			}
		}
	}
}

// at reads the write at an offset.
func (j journal) at(at int64, epoch string) (c committed, err error) {
	c.epoch = epoch
	_, err = j.walk(at, func(line []byte, start, end int64) error {
		c.start, c.end = start, end
		if err := unmarshal(line, &c.write); err != nil {
			return fmt.Errorf("%w, at byte %d: %v", errUnread, start, err)
		}
		return errStop
	})
	return c, err
}

// An Unread is what of the past is not known, because a disk or another program has
// damaged it.
type Unread struct {
	Journal string   // the path of its file
	Lines   int      // of the journal, which everything else passes over
	Aside   []string // paths of journals whose beginning could not be read; [Store.Forget] removes them
}

// Unread looks for damage in the journal.
func (s *Store) Unread() (u Unread, err error) {
	u.Journal, u.Aside = s.log.path(), s.log.aside()
	lines, err := s.log.spans()
	for _, sp := range lines {
		if ok, err := s.log.valid(sp); err != nil {
			return u, err
		} else if !ok {
			u.Lines++
		}
	}
	return u, err
}

// aside gives the paths of journals that could not be read and were put aside.
func (j journal) aside() []string {
	paths, _ := filepath.Glob(filepath.Join(j.state, damagedName+"*"))
	return paths
}
