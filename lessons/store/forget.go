package store

import (
	"encoding/json"
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
// to nil with [lessons.OpForget]. It cannot be undone. What a crash or a full disk
// interrupts is finished by the next write, and by calling it again; see [Store.Unforgotten].
//
// Lessons merged into an erased one are erased too, because they hold the same words. For
// a lesson that was itself merged into another, the error wraps [lessons.ErrInvalid] and
// names the other. For one in neither the files nor the journal it is
// [lessons.ErrNotFound].
func (s *Store) Forget(ids ...lessons.ID) error {
	return forget(s, ids, func(ids []lessons.ID) ([]lessons.ID, error) { return s.tree.withMerged(s.table, ids) })
}

// keptForgetting is the key of the ids of lessons that are being erased.
const keptForgetting = "forgetting"

// Unforgotten returns the lessons that a person has forgotten and that are not wholly erased
// yet, because a crash or a full disk came between.
func (s *Store) Unforgotten() (ids []lessons.ID, err error) {
	_, err = s.db.Get(keptForgetting, &ids)
	return ids, err
}

// forget erases, under the lock, the lessons that choose selects from ids.
func forget(s *Store, ids []lessons.ID, choose func([]lessons.ID) ([]lessons.ID, error)) error {
	begun, err := s.Unforgotten()
	if err != nil {
		return err
	}
	done, err := s.ready(false, nil)
	if err != nil {
		return err
	}
	defer done()
	left := s.table.forgetting // what ready has not finished of begun
	ids = slices.DeleteFunc(slices.Clone(ids), func(id lessons.ID) bool { return slices.Contains(begun, id) })
	if len(ids) > 0 {
		if ids, err = choose(ids); err != nil {
			return err
		}
		unknown, err := s.log.lacks(s.table, ids)
		if err != nil {
			return err
		}
		if len(unknown) > 0 {
			return fmt.Errorf("forgetting: %w: %s", lessons.ErrNotFound, unknown[0])
		}
	}
	if ids = append(ids, left...); len(ids) == 0 {
		return nil
	}
	err = s.db.Durably(func(t db.Tx) error { return t.Put(keptForgetting, ids) })
	if err == nil {
		err = s.erase(ids)
	}
	if err != nil {
		return fmt.Errorf("forgetting: %w", err)
	}
	return nil
}

// erase erases the lessons of [keptForgetting], and takes them out of it last. Each step
// may have been done before.
func (s *Store) erase(ids []lessons.ID) error {
	err := s.db.Durably(func(t db.Tx) error {
		for _, id := range ids {
			// Why may quote the lesson. A write that has lost all its files stays,
			// without files.
			for _, query := range []string{"UPDATE writes SET value = json_remove(value, '$.why') WHERE seq IN (SELECT seq FROM steps WHERE lesson = ?)", "DELETE FROM steps WHERE lesson = ?"} {
				if _, err := t.Exec(query, string(id)); err != nil {
					return err
				}
			}
		}
		// The patterns of a guard are words of its lesson.
		list, err := json.Marshal(ids)
		if err != nil {
			return err
		}
		if _, err := t.Exec(`UPDATE kept SET value = (SELECT json_group_array(json(value)) FROM json_each(kept.value) WHERE json_extract(value, '$.id') NOT IN (SELECT value FROM json_each(?)))
			WHERE name = 'guards'`, string(list)); err != nil {
			return err
		}
		// Events hold the words that the lesson was made from. Sessions will be read
		// again.
		for _, query := range []string{"DELETE FROM events", "UPDATE marks SET value = json_remove(value, '$.observed') WHERE instr(value, '\"observed\"')"} {
			if _, err := t.Exec(query); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, name := range s.Aside() { // it may hold anything
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	records := s.table.of(ids...)
	if s.table.err != nil {
		return s.table.err
	}
	// The files last: until then the lessons can be found and forgotten by their ids.
	if err := s.tree.erase(records); err != nil {
		return err
	}
	w := write{Seq: s.table.seq + 1, At: s.now().UTC(), Op: lessons.OpForget}
	for _, id := range ids {
		w.Files = append(w.Files, fileStep{ID: id})
	}
	err = s.db.Durably(func(t db.Tx) error {
		for _, id := range ids {
			if _, err := t.Exec("DELETE FROM files WHERE id = ?", string(id)); err != nil { // paths have words of the lesson
				return err
			}
		}
		return journaled(s.db, t, w, true)
	})
	if err == nil {
		err = s.db.Erase()
	}
	if err == nil {
		err = s.db.Put(keptForgetting, nil)
	}
	return err
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
