package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"learnings/lessons"
	"learnings/lessons/atomicfile"
)

// Forget erases lessons for good: their files, including broken and doubled ones, and
// every word of them in the journal. Followers see a change to nil with
// [lessons.OpForget]. It cannot be undone; after a crash in the middle of it, call it
// again.
//
// The lessons that were merged into one are erased with it, because they hold the
// same words. A lesson that was itself merged into another cannot be erased alone: the
// error wraps [lessons.ErrInvalid] and names the other. For a lesson that is in no
// file and not in the journal it is [lessons.ErrNotFound].
func (s *Store) Forget(ids ...lessons.ID) error {
	return forget(s, ids, func(ids []lessons.ID) ([]lessons.ID, error) { return s.tree.withMerged(s.table, ids) })
}

// forget erases the lessons that choose makes of ids, under the lock.
func forget(s *Store, ids []lessons.ID, choose func([]lessons.ID) ([]lessons.ID, error)) error {
	done, err := s.ready(thorough)
	if err != nil {
		return err
	}
	defer done()
	if ids, err = choose(ids); err != nil || len(ids) == 0 {
		return err
	}
	var records []entry
	unknown := slices.Clone(ids)
	for _, e := range s.table.all() {
		if slices.Contains(ids, e.id) {
			records = append(records, lost(e))
			unknown = slices.DeleteFunc(unknown, func(id lessons.ID) bool { return id == e.id })
		}
	}
	if unknown, err = s.log.lacks(unknown); err != nil {
		return err
	}
	if len(unknown) > 0 {
		return fmt.Errorf("forgetting: %w: %s", lessons.ErrNotFound, unknown[0])
	}
	// From here on the journal may have been rewritten, so its length says nothing.
	if err := s.table.add(s.state, mark{seq: s.table.mark.seq}); err != nil {
		return err
	}
	if err := s.tree.erase(records); err != nil {
		return err
	}
	m, err := s.log.rewrite(write{Seq: s.table.mark.seq + 1, At: s.now().UTC(), Op: lessons.OpForget}, ids)
	if err != nil {
		return err
	}
	if err := eraseLeftovers(s.state); err != nil {
		return err
	}
	s.table.replace(records)
	s.table.mark = m
	return s.table.write(s.state) // as a whole: the old one has paths with words of the content
}

// eraseLeftovers removes the files of a state folder that may hold anything: what
// was damaged, and what a process was writing when it was killed. The lock is held,
// so nobody is writing them now.
func eraseLeftovers(state string) error {
	names := []string{tornName, glanceName}
	for _, pattern := range []string{damagedName + "*", glanceName + ".*" + tempSuffix, journalName + ".*" + tempSuffix, tableName + ".*" + tempSuffix} {
		found, _ := fs.Glob(os.DirFS(state), pattern) // the patterns are well-formed
		names = append(names, found...)
	}
	for _, name := range names {
		if err := os.Remove(filepath.Join(state, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("forgetting: %v", err)
		}
	}
	return nil
}

// withMerged adds the lessons that were merged into those given.
func (d tree) withMerged(t *table, ids []lessons.ID) ([]lessons.ID, error) {
	into := map[lessons.ID]lessons.ID{}
	for _, e := range t.all() {
		if e.kind != good {
			continue
		}
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

// lacks gives the lessons that the journal does not mention.
func (j journal) lacks(ids []lessons.ID) ([]lessons.ID, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	_, err := j.walk(0, func(line []byte, _, _ int64) error {
		ids = slices.DeleteFunc(ids, func(id lessons.ID) bool { return mentions(line, id) })
		return nil
	})
	return ids, err
}

// erase removes files.
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

// rewrite makes the journal anew without any word of some lessons, and adds a last
// write that says they were forgotten. It gives the mark of that write.
func (j journal) rewrite(last write, ids []lessons.ID) (mark, error) {
	m := mark{seq: last.Seq}
	err := atomicfile.Write(j.path(), func(out io.Writer) error {
		put := func(line []byte) error {
			n, err := out.Write(line)
			m.end += int64(n)
			return err
		}
		_, err := j.lines(0, func(line []byte, start, _ int64) error {
			if !json.Valid(line) {
				return nil // there is no telling whose words are in it
			}
			if start > 0 && slices.ContainsFunc(ids, func(id lessons.ID) bool { return mentions(line, id) }) {
				var w write
				if err := unmarshal(line, &w); err != nil {
					return nil
				}
				w.Files = slices.DeleteFunc(w.Files, func(f fileStep) bool { return slices.Contains(ids, f.ID) })
				w.Why = "" // it may quote the lesson
				var err error
				if line, err = marshal(w); err != nil {
					return err
				}
			}
			return put(line)
		})
		if err != nil {
			return err
		}
		for _, id := range ids {
			last.Files = append(last.Files, fileStep{ID: id})
		}
		line, err := marshal(last)
		if err != nil {
			return err
		}
		return put(line)
	})
	if err != nil {
		return m, fmt.Errorf("forgetting: %v", err)
	}
	return m, nil
}
