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

// This file is for syncing with another copy of the corpus. The copy has lessons as
// files, under names of its own, and afterwards both are to be the same to the byte;
// so here files are taken as they are.

// A File is a lesson's file: a path within the corpus, with slashes, and its text.
type File struct {
	Path    string
	Text    []byte
	Outside bool // see [lessons.Lesson.Outside]; Files sets it
}

// Files gives every file that lies where lessons do, in the order of their paths,
// including broken ones. A file that cannot be read at all yields a [*file.Error].
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

// A Step is what becomes of one lesson.
type Step struct {
	ID   lessons.ID
	Was  []byte // the text of its file from which the step was made; nil for none
	File        // what its file becomes; it is removed when the path is ""
}

// Adopt makes the files of lessons the same as in another copy of the corpus: byte for
// byte, at its paths, all or none. It is one write, which is undone as a whole. When
// the file of a lesson is no longer the step's Was, or something that is not part of
// the write lies at its new path, nothing is written and the error is
// [lessons.ErrConflict]. A broken file is neither read nor overwritten: it counts as
// none.
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

// adoption checks a step. It is nil when there is nothing to do.
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

// arranged puts steps in an order in which each finds its place free, because whatever
// lies there moves away first. When two swap places, one gets another name.
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

// Forgotten gives the lessons that [Store.Forget] erased, as far back as the journal
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
// [Store.Forget] it erases no others, whatever they were merged with here, and passes
// over those that are unknown here.
func (s *Store) ForgetToo(ids ...lessons.ID) error {
	return forget(s, ids, func(ids []lessons.ID) ([]lessons.ID, error) {
		unknown, err := s.log.lacks(s.table, ids)
		return slices.DeleteFunc(slices.Clone(ids), func(id lessons.ID) bool { return slices.Contains(unknown, id) }), err
	})
}
