package store

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"slices"

	"learnings/lessons"
	"learnings/lessons/file"
)

// This file is for syncing with another copy of the corpus. Both copies must end up equal
// to the byte, so files are taken over as they are, under the copy's names.

// A File is a lesson's file: a slash-separated path within the corpus, and its text.
type File struct {
	Path    string
	Text    []byte
	Outside bool // see [lessons.Lesson.Outside]; Files sets it
}

// Files yields every file in the place of a lesson, in path order, including broken ones.
// An unreadable file yields a [*file.Error].
func (s *Store) Files() iter.Seq2[File, error] {
	return func(yield func(File, error) bool) {
		entries, odd, err := s.everything()
		if err != nil {
			yield(File{}, err)
			return
		}
		for _, e := range entries {
			text, err := s.tree.readFile(e.path)
			if errors.Is(err, lessons.ErrNotFound) {
				continue
			}
			if !yield(File{e.path, text, e.outside || e.rev != revOf(text)}, err) {
				return
			}
		}
		for _, p := range odd {
			if !yield(File{Path: p}, notPlain(p)) {
				return
			}
		}
	}
}

// A Step is a change to the file of one lesson.
type Step struct {
	ID   lessons.ID
	Was  []byte // the text that the step is based on; nil for none
	File        // the new file; it is removed if the path is ""
}

// Adopt makes the files of lessons equal to those of another copy of the corpus, byte for
// byte and at the same paths, all or none. It is one write, undone as a whole. If a file
// no longer equals its step's Was, or something outside of the write is at the new path,
// nothing is written and the error is [lessons.ErrConflict]. Broken files are neither
// read nor overwritten; they count as missing.
func (s *Store) Adopt(w Write, steps ...Step) error {
	record := write{At: s.now().UTC(), Op: cmp.Or(w.Op, lessons.OpAdopt), By: w.By, Undoable: w.Undoable, How: w.How, Why: w.Why}
	_, err := s.write(false, nil, func() (write, error) {
		for _, st := range steps {
			f, err := s.tree.adoption(s.table, st)
			if err != nil {
				return record, fmt.Errorf("taking over %s: %w", st.ID, err)
			}
			if f != nil {
				record.Files = append(record.Files, *f)
			}
		}
		var err error
		record.Files, err = s.tree.arranged(s.table, record.Files)
		return record, err
	})
	return err
}

// adoption checks a step. It returns nil if there is nothing to do.
func (d tree) adoption(t *table, st Step) (*fileStep, error) {
	before, err := d.stateOf(t, st.ID)
	if broken := (*file.Error)(nil); errors.As(err, &broken) && st.Was == nil {
		before, err = nil, nil
	}
	if err != nil {
		return nil, err
	}
	f := &fileStep{ID: st.ID, Before: before}
	if st.Path != "" {
		if !file.Is(st.Path) {
			return nil, fmt.Errorf("%w: %q is no place for a lesson", lessons.ErrInvalid, st.Path)
		}
		f.After = &state{Path: st.Path, Rev: revOf(st.Text), Text: string(st.Text)}
	}
	switch {
	case before == nil && f.After == nil,
		before != nil && f.After != nil && before.Path == f.After.Path && before.Rev == f.After.Rev:
		return nil, nil
	case (before == nil) != (st.Was == nil), before != nil && before.Text != string(st.Was):
		return nil, lessons.ErrConflict
	}
	return f, nil
}

// arranged orders steps so that each finds its path free: what is there moves away first.
// If two swap places, one gets another name.
func (d tree) arranged(t *table, steps []fileStep) ([]fileStep, error) {
	holder := map[string]int{}
	for i, f := range steps {
		if f.Before != nil {
			holder[f.Before.Path] = i
		}
	}
	const begun, done = 1, 2
	progress := make([]int, len(steps))
	p := planner{d: d, t: t, taken: map[string]bool{}}
	var out []fileStep
	var visit func(i int) error
	visit = func(i int) error {
		f := steps[i]
		progress[i] = begun
		if f.After != nil && (f.Before == nil || f.Before.Path != f.After.Path) {
			j, moves := holder[f.After.Path]
			switch {
			case moves && progress[j] == begun:
				l := f.After.lesson(f.ID)
				if l == nil {
					return fmt.Errorf("taking over %s: %w: it is not a lesson", f.ID, lessons.ErrInvalid)
				}
				f.After = &state{Path: p.place(*l, ""), Rev: f.After.Rev, Text: f.After.Text}
				if p.bad != nil {
					return fmt.Errorf("taking over %s: %w", f.ID, p.bad)
				}
			case moves && progress[j] == 0:
				if err := visit(j); err != nil {
					return err
				}
			case !moves:
				if _, err := os.Lstat(d.full(f.After.Path)); !errors.Is(err, fs.ErrNotExist) {
					return fmt.Errorf("taking over %s: %w: there is a file at %s", f.ID, lessons.ErrConflict, f.After.Path)
				}
			}
		}
		progress[i] = done
		out = append(out, f)
		return nil
	}
	for i := range steps {
		if progress[i] == 0 {
			if err := visit(i); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// Forgotten returns the lessons that [Store.Forget] erased, as far back as the journal
// goes.
func (s *Store) Forgotten() (out []lessons.ID, err error) {
	err = s.log.steps(func(_ write, f fileStep, _ int, _ bool) error {
		out = append(out, f.ID)
		return nil
	}, "WHERE json_extract(writes.value, '$.op') = ?", string(lessons.OpForget))
	slices.Sort(out)
	return slices.Compact(out), err
}

// ForgetToo erases lessons that were forgotten on another copy of the corpus. Unlike
// [Store.Forget] it leaves the lessons they were merged with, and ignores unknown ones.
func (s *Store) ForgetToo(ids ...lessons.ID) error {
	return forget(s, ids, func(ids []lessons.ID) ([]lessons.ID, error) {
		unknown, err := s.log.lacks(s.table, ids)
		return slices.DeleteFunc(slices.Clone(ids), func(id lessons.ID) bool { return slices.Contains(unknown, id) }), err
	})
}
