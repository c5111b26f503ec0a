package store

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"sync"

	"learnings/lessons"
	db "learnings/lessons/state"
)

// commit does a write. It prepares the new files, journals the write, which makes it
// count, then replaces the old files, and returns the write as journaled. If a file
// cannot be replaced, all of the write is taken back.
func (s *Store) commit(w write) (*committed, error) {
	if s.table.err != nil {
		return nil, s.table.err
	}
	root, err := s.tree.open()
	if err != nil {
		return nil, err
	}
	defer root.Close()
	before, err := s.tree.walk()
	if err != nil {
		return nil, err
	}
	st := staging{root: root, files: w.Files}
	defer st.discard()
	if err := st.prepare(); err != nil {
		return nil, err
	}
	w.Seq = s.table.seq + 1
	if err := s.db.Durably(func(t db.Tx) error { return journaled(s.db, t, w, false) }); err != nil {
		return nil, fmt.Errorf("writing the journal: %w", err)
	}
	if err := st.place(s.tree); err != nil {
		if back := st.revert(s.tree); back != nil {
			return nil, fmt.Errorf("%w; and taking back what was done failed (%v): the next write will finish it", err, back)
		}
		if back := s.log.takeBack(w.Seq); back != nil {
			return nil, fmt.Errorf("%w; and taking it back failed (%v): the next write will do it", err, back)
		}
		return nil, err
	}
	s.finished(w, before.sum)
	return &committed{write: w, epoch: s.table.epoch}, nil
}

// finished records in the table what a write did to the files. Errors do not matter: the
// next writer finds the write in the journal.
//
// If the folders were before the write as the last look left them, their new sum is stored,
// so that nobody looks at all files because of this program's own write. A change that
// another program makes during the write is found by the next look at all files.
func (s *Store) finished(w write, before uint64) {
	_ = s.db.Update(func(t db.Tx) error {
		records, whole := s.tree.recordsOf(w.Files)
		if err := record(s.db, t, records); err != nil {
			return err
		}
		var row corpusRow
		if _, err := t.Get(keptCorpus, &row); err != nil {
			return err
		}
		if after, err := s.tree.walk(); err == nil && whole && row.Folders == before && before != 0 {
			row.Folders = after.sum
			if err := t.Put(keptCorpus, row); err != nil {
				return err
			}
		}
		_, err := t.Exec("UPDATE writes SET done = 1 WHERE seq = ?", w.Seq)
		return err
	})
}

// A committed is a journaled write with the epoch of its journal.
type committed struct {
	write
	epoch string
}

// recordsOf returns the table's records for the files of a write, as they are on disk. It
// skips files that somebody else has changed, and then reports that they are not whole.
func (d tree) recordsOf(files []fileStep) (out []entry, whole bool) {
	whole = true
	for _, f := range files {
		if f.Before != nil && (f.After == nil || f.After.Path != f.Before.Path) {
			if _, err := os.Lstat(d.full(f.Before.Path)); errors.Is(err, fs.ErrNotExist) {
				out = append(out, entry{found: found{path: f.Before.Path}, id: f.ID, kind: gone})
			} else {
				whole = false
			}
		}
		if f.After == nil {
			continue
		}
		info, err := os.Lstat(d.full(f.After.Path))
		if data, bad := d.readFile(f.After.Path); err != nil || bad != nil || revOf(data) != f.After.Rev {
			whole = false
			continue
		}
		out = append(out, entry{
			found: found{f.After.Path, info.Size(), info.ModTime().UnixNano()},
			id:    f.ID, rev: f.After.Rev, kind: good, fresh: true, outside: f.After.Outside,
		})
	}
	return out, whole
}

// A staging is the files of one write on their way into the corpus. All paths go through
// an [os.Root], so that no symlink leads out of it.
type staging struct {
	root    *os.Root
	files   []fileStep
	temps   []string        // of each file that gets a new text; "" once it is in place
	folders map[string]bool // existing folders; true if a name was added or removed
	placed  int
}

// prepare creates the folders of the new files and writes and syncs each text to a
// temporary file beside its place.
func (st *staging) prepare() error {
	st.folders = map[string]bool{}
	st.temps = make([]string, len(st.files))
	errs := make([]error, len(st.files))
	var wg sync.WaitGroup
	gate := make(chan struct{}, 16) // more than processors: they wait for the disk
	for i, f := range st.files {
		if f.After == nil {
			continue
		}
		if errs[i] = st.folder(path.Dir(f.After.Path)); errs[i] != nil {
			break
		}
		st.temps[i] = tempIn(path.Dir(f.After.Path))
		gate <- struct{}{}
		wg.Go(func() {
			defer func() { <-gate }()
			errs[i] = st.writeTemp(st.temps[i], f)
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

// folder creates a folder. It refuses a symlink, even within the corpus, because scans do
// not follow it.
func (st *staging) folder(dir string) error {
	if _, ok := st.folders[dir]; ok {
		return nil
	}
	if parent := path.Dir(dir); parent != "." {
		if err := st.folder(parent); err != nil {
			return err
		}
	}
	err := st.root.Mkdir(dir, 0o700)
	if err == nil {
		st.folders[path.Dir(dir)] = true
	} else if !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("making the folder %s: %v", dir, err)
	}
	info, err := st.root.Lstat(dir)
	if err != nil {
		return fmt.Errorf("making the folder %s: %v", dir, err)
	}
	if !info.IsDir() {
		return fmt.Errorf("writing to the folder %s: it is a symlink or a file, not a folder", dir)
	}
	if !st.folders[dir] {
		st.folders[dir] = false
	}
	return nil
}

func tempIn(dir string) string { return path.Join(dir, tempPrefix+newName()+tempSuffix) }

// modeOf returns the permissions of a file, or those for a new one.
func modeOf(root *os.Root, st *state) fs.FileMode {
	if st != nil {
		if info, err := root.Lstat(st.Path); err == nil {
			return info.Mode().Perm()
		}
	}
	return newMode
}

// newMode is the permissions of a new file.
const newMode fs.FileMode = 0o600

// writeTemp writes the new text of a file, with the old one's permissions.
func (st *staging) writeTemp(name string, f fileStep) (err error) {
	out, err := st.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, modeOf(st.root, f.Before))
	if err != nil {
		return fmt.Errorf("writing %s: %v", f.After.Path, err)
	}
	_, err = out.WriteString(f.After.Text)
	if err == nil {
		err = out.Sync()
	}
	if closed := out.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return fmt.Errorf("writing %s: %v", f.After.Path, err)
	}
	return nil
}

// place moves the new files into place, removes those they replace, and syncs the
// folders.
func (st *staging) place(d tree) error {
	for i, f := range st.files {
		if f.Before != nil { // a person may have saved it in an editor just now
			data, err := d.readFile(f.Before.Path)
			if err != nil || revOf(data) != f.Before.Rev {
				return fmt.Errorf("storing %s: %w", f.ID, lessons.ErrConflict)
			}
		}
		if f.After != nil {
			if err := db.Rename(st.root, st.temps[i], f.After.Path); err != nil {
				return fmt.Errorf("writing %s: %v", f.After.Path, err)
			}
			st.temps[i] = ""
			st.folders[path.Dir(f.After.Path)] = true
		}
		st.placed = i + 1
		if f.Before != nil && (f.After == nil || f.After.Path != f.Before.Path) {
			if err := st.root.Remove(f.Before.Path); err != nil {
				return fmt.Errorf("removing %s: %v", f.Before.Path, err)
			}
			st.folders[path.Dir(f.Before.Path)] = true
		}
	}
	st.prune()
	if err := st.sync(); err != nil {
		return fmt.Errorf("writing the corpus: %v", err)
	}
	return nil
}

// sync syncs all changed folders. It ignores those that are gone.
func (st *staging) sync() error {
	dirs := slices.Collect(maps.Keys(st.folders))
	errs := make([]error, len(dirs))
	var wg sync.WaitGroup
	for i, dir := range dirs {
		if st.folders[dir] {
			wg.Go(func() {
				if err := db.SyncDir(st.root, dir); !errors.Is(err, fs.ErrNotExist) {
					errs[i] = err
				}
			})
		}
	}
	wg.Wait()
	return errors.Join(errs...)
}

// prune removes the folders that the write has emptied. Removing any other fails.
func (st *staging) prune() {
	for _, f := range st.files {
		if f.Before == nil || f.After != nil && path.Dir(f.After.Path) == path.Dir(f.Before.Path) {
			continue
		}
		for dir := path.Dir(f.Before.Path); dir != "."; dir = path.Dir(dir) {
			if st.root.Remove(dir) != nil {
				break
			}
		}
	}
}

// revert undoes what place did.
func (st *staging) revert(d tree) error {
	var errs []error
	for _, f := range slices.Backward(st.files[:st.placed]) { // backwards: a later file may be where an earlier one was
		if f.After != nil && (f.Before == nil || f.Before.Path != f.After.Path) {
			errs = append(errs, st.root.Remove(f.After.Path))
		}
		if f.Before == nil {
			continue
		}
		if data, err := d.readFile(f.Before.Path); err == nil && revOf(data) == f.Before.Rev {
			continue
		}
		temp := tempIn(path.Dir(f.Before.Path))
		err := st.writeTemp(temp, fileStep{Before: f.Before, After: f.Before})
		if err == nil {
			err = db.Rename(st.root, temp, f.Before.Path)
		}
		errs = append(errs, err)
	}
	return errors.Join(append(errs, st.sync())...)
}

// discard removes what was prepared but not placed.
func (st *staging) discard() {
	for _, t := range st.temps {
		if t != "" {
			_ = st.root.Remove(t)
		}
	}
}
