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

// A found is a file's entry in a folder.
type found struct {
	path  string // within the corpus, with slashes
	size  int64
	mtime int64 // nanoseconds
}

const tempPrefix, tempSuffix = ".learnings-", ".tmp"

func isTemp(name string) bool {
	return strings.HasPrefix(name, tempPrefix) && strings.HasSuffix(name, tempSuffix)
}

// A stamp identifies the state of a folder. Times are in nanoseconds.
type stamp struct {
	mtime int64
	ctime int64 // programs cannot set it; 0 if unavailable
	inode uint64
}

// tick is longer than the clock resolution of any file system with time stamps below a
// millisecond, which nearly all have.
const tick = 100 * time.Millisecond

// fresh reports whether a later change could leave the stamp the same, including a stamp
// of the future after a clock was set back.
func (s stamp) fresh(now time.Time) bool {
	last, settle := max(s.mtime, s.ctime), settleTime
	if last%int64(time.Millisecond) != 0 {
		settle = tick
	}
	return now.UnixNano()-last < int64(settle)
}

// sum hashes a folder. The hashes of a corpus are combined by xor, so that a write can
// replace those of its own folders.
func (s stamp) sum(name string) uint64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%s\x00%d %d %d", name, s.mtime, s.ctime, s.inode)
	return h.Sum64()
}

// A walk lists the folders of a corpus. Adding, removing or replacing a name changes its
// folder; writing into an existing file does not.
type walk struct {
	dir    string
	began  time.Time
	leaves []string // the folders that hold lessons
	sum    uint64
	fresh  bool     // a folder is
	temps  []string // temporary files that a crash left
}

func (d tree) walk() (*walk, error) {
	w := &walk{dir: d.dir, began: time.Now()}
	for _, status := range lessons.Statuses {
		if err := w.enter(file.StatusFolder(status), 2); err != nil {
			return nil, fmt.Errorf("listing the corpus: %v", err)
		}
	}
	// In the order of all paths, so that files of one leaf are adjacent.
	slices.SortFunc(w.leaves, func(a, b string) int { return strings.Compare(a+"/", b+"/") })
	return w, nil
}

// enter visits a folder with subfolders down to a depth. It skips symlinks, which could
// lead out of the corpus, and anything that is not a folder.
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

// A listing is the contents of the folders of lessons, by path.
type listing struct {
	files []found
	odd   []string // named like a lesson, but a symlink, folder, pipe or device
	temps []string // as in walk
}

// list lists the folders of lessons. An unreadable folder is an error, because its files
// are not gone.
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

// read lists one folder, by name. A folder removed meanwhile is empty.
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
