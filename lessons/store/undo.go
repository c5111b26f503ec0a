package store

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"math"
	"os"
	"slices"

	"learnings/lessons"
	"learnings/lessons/file"
)

// Undo undoes the last n undoable writes of one person, newest first, as one write. It is
// not an error if there are fewer or none. What others wrote since stays, as do uses and
// outcomes. If a lesson was changed otherwise since, also by hand, nothing is done and
// the error is [lessons.ErrConflict].
func (s *Store) Undo(n int, by string) ([]lessons.Change, error) {
	changes, _, err := rewind(s, n, turning{by: by, op: lessons.OpUndo})
	return changes, err
}

// Redo repeats up to n writes that the same person undid last. After a new undoable write
// of theirs there is nothing to redo.
func (s *Store) Redo(n int, by string) ([]lessons.Change, error) {
	changes, _, err := rewind(s, n, turning{by: by, op: lessons.OpRedo})
	return changes, err
}

// Turn undoes or redoes, as op says, the last write of one person among those made through
// this Store; a redo repeats all that one undo made through it has undone. passed are the changes of their newest write since that was made elsewhere
// and stays; it is also told if there is nothing to undo here.
func (s *Store) Turn(op lessons.Op, by string) (changes, passed []lessons.Change, err error) {
	n := 1
	if op == lessons.OpRedo {
		n = math.MaxInt // what was undone at once
	}
	return rewind(s, n, turning{by: by, op: op, here: true})
}

// Points returns the changes of each write that Undo takes back, newest first: of as many as
// most, or of all for 0.
func (s *Store) Points(most int, by string) (out [][]lessons.Change, err error) {
	for w, err := range s.turnables(turning{by: by, op: lessons.OpUndo}, nil) {
		if err == nil {
			w, err = s.log.whole(w)
		}
		if err != nil {
			return out, err
		}
		if out = append(out, committed{write: w}.changes()); len(out) == most {
			break
		}
	}
	return out, nil
}

// A turning says which writes are undone or redone.
type turning struct {
	by   string
	op   lessons.Op
	here bool // only those made through the Store
}

// turnables yields the writes that can be undone, or redone, the next one first, and calls
// pass for those that can be undone and were made elsewhere. It reads the journal backwards
// and only as far as needed.
func (s *Store) turnables(t turning, pass func(write)) iter.Seq2[write, error] {
	return func(yield func(write, error) bool) {
		undone := map[uint64]bool{} // by write: whether it was last undone rather than redone
		redo := map[uint64]bool{}   // undone after the last new write
		by := map[uint64]uint64{}   // the write that undid each here
		var found []write
		newer := false // this person has written since
		err := s.log.writes(func(w write) error {
			switch {
			case len(w.Undoes)+len(w.Redoes) > 0:
				for _, seq := range slices.Concat(w.Undoes, w.Redoes) {
					if _, known := undone[seq]; !known {
						undone[seq] = len(w.Undoes) > 0
						redo[seq] = undone[seq] && !newer
						if t.here && s.made[w.Seq] {
							by[seq] = w.Seq
						}
					}
				}
			case !w.Undoable || w.By != t.by:
			case t.here && !s.made[w.Seq] && (t.op == lessons.OpUndo || by[w.Seq] == 0):
				if !undone[w.Seq] {
					if pass(w); len(s.made) == 0 {
						return errStop
					}
				}
			case t.op == lessons.OpUndo:
				if !undone[w.Seq] && !yield(w, nil) {
					return errStop
				}
			case !undone[w.Seq]:
				return errStop // what was undone before it cannot be redone
			default:
				if newer = true; redo[w.Seq] {
					found = append(found, w)
				}
			}
			return nil
		}, "ORDER BY seq DESC")
		for i, w := range slices.Backward(found) {
			if last := found[len(found)-1]; t.here && i < len(found)-1 && (by[w.Seq] == 0 || by[w.Seq] != by[last.Seq]) {
				break // what one key undid one key redoes
			}
			if !yield(w, nil) {
				return
			}
		}
		if err != nil {
			yield(write{}, err)
		}
	}
}

func rewind(s *Store, n int, t turning) (changes, passed []lessons.Change, err error) {
	var last lessons.Op // of the last write undone or redone
	var other write     // the newest that was passed
	written, err := s.write(true, nil, func() (write, error) {
		w := write{At: s.now().UTC(), Op: t.op, By: t.by}
		if n <= 0 {
			return w, nil
		}
		b := turnback{d: s.tree, t: s.table, states: map[lessons.ID]*side{}}
		for old, err := range s.turnables(t, func(w write) {
			if other.Seq == 0 {
				other = w
			}
		}) {
			if err == nil {
				old, err = s.log.whole(old)
			}
			if err != nil {
				return w, err
			}
			if err := b.apply(old, t.op == lessons.OpUndo); err != nil {
				return w, fmt.Errorf("taking %s %q of %s: %w", map[bool]string{true: "back", false: "up again"}[t.op == lessons.OpUndo], old.Op, old.At.Format("2006-01-02 15:04"), err)
			}
			if last = old.Op; t.op == lessons.OpUndo {
				w.Undoes = append(w.Undoes, old.Seq)
			} else {
				w.Redoes = append(w.Redoes, old.Seq)
			}
			if len(w.Undoes)+len(w.Redoes) >= n {
				break
			}
		}
		var err error
		w.Files, err = b.steps()
		return w, err
	})
	if err == nil && other.Seq > 0 {
		if other, err = s.log.whole(other); err == nil {
			passed = committed{write: other}.changes()
		}
	}
	if err != nil || written == nil {
		return nil, passed, err
	}
	changes = written.changes()
	for i := range changes {
		changes[i].Turned = last
	}
	return changes, passed, nil
}

// A turnback computes the files after writes are undone or redone in turn.
type turnback struct {
	d      tree
	t      *table
	states map[lessons.ID]*side
	order  []lessons.ID
}

// A side is a file now and afterwards.
type side struct{ is, will *state }

func (b *turnback) apply(w write, undo bool) error {
	for _, f := range w.Files {
		from, to := f.After, f.Before
		if !undo {
			from, to = to, from
		}
		sd := b.states[f.ID]
		if sd == nil {
			is, err := b.d.stateOf(b.t, f.ID)
			if err != nil {
				return fmt.Errorf("%w: %s: %v", lessons.ErrConflict, f.ID, err)
			}
			sd = &side{is, is}
			b.states[f.ID] = sd
			b.order = append(b.order, f.ID)
		}
		next, err := turned(f.ID, sd.will, from, to)
		if err != nil {
			return err
		}
		sd.will = next
	}
	return nil
}

// turned returns the state that replaces now, if now is still what the write left. Uses
// and outcomes since then are carried over.
func turned(id lessons.ID, now, left, target *state) (*state, error) {
	if (now == nil) != (left == nil) {
		return nil, fmt.Errorf("%w: %s", lessons.ErrConflict, id)
	}
	if now == nil || now.Rev == left.Rev {
		return target, nil
	}
	a, b := now.lesson(id), left.lesson(id)
	if a == nil || b == nil {
		return nil, fmt.Errorf("%w: %s", lessons.ErrConflict, id)
	}
	var none lessons.Lesson
	l := cmp.Or(target.lesson(id), &none)
	carried, ok := lessons.Carry(*a, *b, *l)
	if !ok {
		return nil, fmt.Errorf("%w: %s", lessons.ErrConflict, id)
	}
	if l == &none {
		return target, nil // the lesson goes with its uses and outcomes
	}
	text, err := file.Encode(carried)
	if err != nil {
		return nil, err
	}
	return &state{Path: target.Path, Rev: revOf(text), Text: string(text), Outside: target.Outside}, nil
}

// steps returns the changes from the current states to the new ones.
func (b *turnback) steps() ([]fileStep, error) {
	out := []fileStep{}
	p := planner{d: b.d, t: b.t}
	for _, id := range b.order {
		sd := b.states[id]
		will := sd.will
		if will != nil && (sd.is == nil || sd.is.Path != will.Path) {
			if _, err := os.Lstat(b.d.full(will.Path)); !errors.Is(err, fs.ErrNotExist) || !p.free(will.Path) {
				l := will.lesson(id) // another file has taken its name
				will = &state{Path: p.place(*l, ""), Rev: will.Rev, Text: will.Text, Outside: will.Outside}
			}
		}
		if sd.is == will || sd.is != nil && will != nil && sd.is.is(*will) {
			continue
		}
		out = append(out, fileStep{ID: id, Before: sd.is, After: will})
	}
	return out, p.bad
}
