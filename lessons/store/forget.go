package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"

	"learnings/lessons"
	db "learnings/lessons/state"
)

// Forget erases lessons for good: their files, including broken and duplicate ones, every
// word of them in the journal, and the stored events of sessions. Followers see a change
// to nil with [lessons.OpForget]. It cannot be undone. After a crash in the middle, call
// it again.
//
// Lessons merged into an erased one are erased too, because they hold the same words. For
// a lesson that was itself merged into another, the error wraps [lessons.ErrInvalid] and
// names the other. For one in neither the files nor the journal it is
// [lessons.ErrNotFound].
func (s *Store) Forget(ids ...lessons.ID) error {
	return forget(s, ids, func(ids []lessons.ID) ([]lessons.ID, error) { return s.tree.withMerged(s.table, ids) })
}

// forget erases, under the lock, the lessons that choose selects from ids.
func forget(s *Store, ids []lessons.ID, choose func([]lessons.ID) ([]lessons.ID, error)) error {
	done, err := s.ready(false, nil)
	if err != nil {
		return err
	}
	defer done()
	if ids, err = choose(ids); err != nil || len(ids) == 0 {
		return err
	}
	unknown, err := s.log.lacks(s.table, ids)
	if err != nil {
		return err
	}
	if len(unknown) > 0 {
		return fmt.Errorf("forgetting: %w: %s", lessons.ErrNotFound, unknown[0])
	}
	records := s.table.of(ids...)
	if s.table.err != nil {
		return s.table.err
	}
	if err := s.tree.erase(records); err != nil {
		return err
	}
	w := write{Seq: s.table.seq + 1, At: s.now().UTC(), Op: lessons.OpForget}
	for _, id := range ids {
		w.Files = append(w.Files, fileStep{ID: id})
	}
	err = s.db.Durably(func(t db.Tx) error {
		for _, id := range ids {
			// Why may quote the lesson. A write that has lost all its files stays,
			// without files.
			for _, query := range []string{
				"UPDATE writes SET value = json_remove(value, '$.why') WHERE seq IN (SELECT seq FROM steps WHERE lesson = ?)",
				"DELETE FROM steps WHERE lesson = ?", "DELETE FROM files WHERE id = ?",
			} {
				if _, err := t.Exec(query, string(id)); err != nil {
					return err
				}
			}
		}
		// Events hold the words that the lesson was made from. Sessions will be read
		// again.
		for _, query := range []string{"DELETE FROM events", "UPDATE marks SET value = json_remove(value, '$.observed') WHERE instr(value, '\"observed\"')"} {
			if _, err := t.Exec(query); err != nil {
				return err
			}
		}
		return journaled(t, w, true)
	})
	if err != nil {
		return fmt.Errorf("forgetting: %w", err)
	}
	for _, name := range s.Aside() { // it may hold anything
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("forgetting: %v", err)
		}
	}
	return s.db.Erase()
}

// withMerged adds the lessons that were merged into the given ones.
func (d tree) withMerged(t *table, ids []lessons.ID) ([]lessons.ID, error) {
	into := map[lessons.ID]lessons.ID{}
	for _, e := range t.entries("WHERE kind = ?", string(good)) {
		if l, err := d.read(e.path, e.id); err == nil && l.Status == lessons.Merged {
			into[l.ID] = l.Decided.Into
		}
	}
	out := slices.Clone(ids)
	for grown := true; grown; {
		grown = false
		for from, to := range into {
			if slices.Contains(out, to) && !slices.Contains(out, from) {
				out, grown = append(out, from), true
			}
		}
	}
	for _, id := range ids {
		if to := into[id]; to != "" && !slices.Contains(out, to) {
			if _, ok := t.find(to); ok {
				return nil, fmt.Errorf("forgetting %s: %w: it was merged into %s, which holds its words; forget that one, or split it off first", id, lessons.ErrInvalid, to)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// lacks returns the ids found neither in the files nor in the journal.
func (j journal) lacks(t *table, ids []lessons.ID) (out []lessons.ID, err error) {
	known := map[lessons.ID]bool{}
	for _, e := range t.of(ids...) {
		known[e.id] = true
	}
	for _, id := range ids {
		if known[id] {
			continue
		}
		err := j.steps(func(write, fileStep, int, bool) error { known[id] = true; return errStop }, "WHERE lesson = ? LIMIT 1", string(id))
		if err != nil {
			return nil, err
		}
		if !known[id] {
			out = append(out, id)
		}
	}
	return out, t.err
}

func (d tree) erase(records []entry) error {
	if len(records) == 0 {
		return nil
	}
	root, err := d.open()
	if err != nil {
		return err
	}
	defer root.Close()
	st := staging{root: root, folders: map[string]bool{}}
	for _, e := range records {
		if err := root.Remove(e.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("forgetting %s: %v", e.id, err)
		}
		st.folders[path.Dir(e.path)] = true
		st.files = append(st.files, fileStep{ID: e.id, Before: &state{Path: e.path}})
	}
	if err := st.sync(); err != nil {
		return fmt.Errorf("forgetting: %v", err)
	}
	st.prune()
	return nil
}
