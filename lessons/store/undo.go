package store

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"
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
	return rewind(s, n, by, lessons.OpUndo)
}

// Redo repeats up to n writes that the same person undid last. After a new undoable write
// of theirs there is nothing to redo.
func (s *Store) Redo(n int, by string) ([]lessons.Change, error) {
	return rewind(s, n, by, lessons.OpRedo)
}

// turnables yields the writes that one person can undo, or redo, the next one first. It
// reads the journal backwards and only as far as needed.
func (j journal) turnables(by string, op lessons.Op) iter.Seq2[write, error] {
	return func(yield func(write, error) bool) {
		undone := map[uint64]bool{} // by write: whether it was last undone rather than redone
		redo := map[uint64]bool{}   // undone after the last new write
		var found []write
		newer := false // this person has written since
		err := j.writes(func(w write) error {
			switch {
			case len(w.Undoes)+len(w.Redoes) > 0:
				for _, seq := range slices.Concat(w.Undoes, w.Redoes) {
					if _, known := undone[seq]; !known {
						undone[seq] = len(w.Undoes) > 0
						redo[seq] = undone[seq] && !newer
					}
				}
			case !w.Undoable || w.By != by:
			case op == lessons.OpUndo:
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
		for _, w := range slices.Backward(found) {
			if !yield(w, nil) {
				return
			}
		}
		if err != nil {
			yield(write{}, err)
		}
	}
}

func rewind(s *Store, n int, by string, op lessons.Op) ([]lessons.Change, error) {
	var last lessons.Op // of the last write undone or redone
	written, err := s.write(true, nil, func() (write, error) {
		w := write{At: s.now().UTC(), Op: op, By: by}
		if n <= 0 {
			return w, nil
		}
		b := turnback{d: s.tree, t: s.table, states: map[lessons.ID]*side{}}
		for old, err := range s.log.turnables(by, op) {
			if err == nil {
				old, err = s.log.whole(old)
			}
			if err != nil {
				return w, err
			}
			if err := b.apply(old, op == lessons.OpUndo); err != nil {
				return w, fmt.Errorf("taking %s %q of %s: %w", map[bool]string{true: "back", false: "up again"}[op == lessons.OpUndo], old.Op, old.At.Format("2006-01-02 15:04"), err)
			}
			if last = old.Op; op == lessons.OpUndo {
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
	if err != nil || written == nil {
		return nil, err
	}
	changes := written.changes()
	for i := range changes {
		changes[i].Turned = last
	}
	return changes, nil
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
	l := target.lesson(id)
	if l == nil {
		l = &none
	}
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
