package store

import (
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"learnings/lessons"
	"learnings/lessons/file"
)

// A found is what a folder says about a file.
type found struct {
	path  string // within the corpus, with slashes
	size  int64
	mtime int64 // nanoseconds
}

const tempPrefix, tempSuffix = ".learnings-", ".tmp"

func isTemp(name string) bool {
	return strings.HasPrefix(name, tempPrefix) && strings.HasSuffix(name, tempSuffix)
}

// A stamp tells a folder from what it becomes. Times are in nanoseconds.
type stamp struct {
	mtime int64
	ctime int64 // which no program can set; 0 where there is none
	inode uint64
}

// tick is longer than any clock stands still that gives stamps with a part below a
// millisecond. Nearly all file systems have one.
const tick = 100 * time.Millisecond

// fresh reports that a later change could leave the stamp the same. It also holds for a
// stamp of the future, where a clock was put back.
func (s stamp) fresh(now time.Time) bool {
	last, settle := max(s.mtime, s.ctime), settleTime
	if last%int64(time.Millisecond) != 0 {
		settle = tick
	}
	return now.UnixNano()-last < int64(settle)
}

// sum is a hash of a folder. The folders of a corpus are told by all of theirs, combined
// by xor: then a write replaces those of its own folders.
func (s stamp) sum(name string) uint64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%s\x00%d %d %d", name, s.mtime, s.ctime, s.inode)
	return h.Sum64()
}

// A walk is the folders of a corpus. Names that come, go or are replaced change their
// folder. What is written into a file that keeps its name does not.
type walk struct {
	dir    string
	began  time.Time
	leaves []string // the folders that hold lessons
	sum    uint64
	fresh  bool     // some folder is
	temps  []string // what a crash left of files that were being written
}

func (d tree) walk() (*walk, error) {
	w := &walk{dir: d.dir, began: time.Now()}
	for _, status := range lessons.Statuses {
		if err := w.enter(file.StatusFolder(status), 2); err != nil {
			return nil, fmt.Errorf("listing the corpus: %v", err)
		}
	}
	// The paths of a leaf are neighbours in the order of all paths.
	slices.SortFunc(w.leaves, func(a, b string) int { return strings.Compare(a+"/", b+"/") })
	return w, nil
}

// enter sees a folder that has others below it so deep. It passes over symlinks, which
// could lead out of the corpus, and what is no folder.
func (w *walk) enter(name string, depth int) error {
	full := filepath.Join(w.dir, filepath.FromSlash(name))
	if name == "" {
		full += string(filepath.Separator) // it may be a symlink itself
	}
	st, isDir, err := stampOf(full)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !isDir {
		return nil
	}
	if err != nil {
		return err
	}
	w.sum ^= st.sum(name)
	w.fresh = w.fresh || st.fresh(w.began)
	if depth == 0 {
		w.leaves = append(w.leaves, name)
		return nil
	}
	within, err := os.ReadDir(full)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, e := range within {
		below := depth - 1
		if below == 1 && e.Name() == file.Global {
			below = 0
		}
		switch {
		case isTemp(e.Name()):
			w.temps = append(w.temps, join(name, e.Name()))
		case e.IsDir() && !strings.HasPrefix(e.Name(), "."):
			if err := w.enter(join(name, e.Name()), below); err != nil {
				return err
			}
		}
	}
	return nil
}

func join(a, b string) string {
	if a == "" {
		return b
	}
	return a + "/" + b
}

// A listing is what is in the folders of lessons, by path.
type listing struct {
	files []found
	odd   []string // named like a lesson, but a symlink, folder, pipe or device
	temps []string // as in walk
}

// list lists the folders of lessons. One that cannot be read is an error, because the
// files in it are not gone.
func (w *walk) list() (all listing, err error) {
	parts := make([]listing, len(w.leaves))
	errs := make([]error, len(w.leaves))
	each(len(w.leaves), func(i int) { errs[i] = parts[i].read(w.dir, w.leaves[i]) })
	if err := errors.Join(errs...); err != nil {
		return all, fmt.Errorf("listing the corpus: %v", err)
	}
	for _, p := range parts {
		all.files, all.odd, all.temps = append(all.files, p.files...), append(all.odd, p.odd...), append(all.temps, p.temps...)
	}
	return all, nil
}

// read lists one folder, by name. One that is emptied and removed meanwhile has nothing.
func (l *listing) read(dir, leaf string) error {
	d, err := os.Open(filepath.Join(dir, filepath.FromSlash(leaf)))
	if err == nil {
		defer d.Close()
		err = l.readOpen(d, leaf)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

func (l *listing) readOpen(d *os.File, leaf string) error {
	names, err := d.Readdirnames(-1)
	if err != nil {
		return err
	}
	slices.Sort(names)
	stat := statIn(d)
	for _, name := range names {
		if isTemp(name) {
			l.temps = append(l.temps, leaf+"/"+name)
		}
		if strings.HasPrefix(name, ".") || !strings.HasSuffix(name, ".md") {
			continue
		}
		f, plain, err := stat(name)
		switch f.path = leaf + "/" + name; {
		case errors.Is(err, fs.ErrNotExist): // gone while we looked
		case err != nil:
			return err
		case !plain:
			l.odd = append(l.odd, f.path)
		default:
			l.files = append(l.files, f)
		}
	}
	return nil
}
