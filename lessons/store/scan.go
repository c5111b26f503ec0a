package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"iter"
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

// A tree is the folder of a corpus. Paths within it have slashes.
type tree struct{ dir string }

// identify reads the id of a file in the table. A broken file keeps its previous id.
func (d tree) identify(e entry) (lessons.ID, error) {
	data, err := d.readFile(e.path)
	if err != nil {
		return "", err
	}
	if revOf(data) == e.rev {
		return e.id, nil
	}
	l, err := file.DecodeAt(e.path, data, e.id)
	if err != nil {
		return e.id, nil
	}
	return l.ID, nil
}

// open opens the folder for writing, and creates it if needed.
func (d tree) open() (*os.Root, error) {
	if err := os.MkdirAll(d.dir, 0o700); err != nil {
		return nil, fmt.Errorf("making the corpus: %v", err)
	}
	root, err := os.OpenRoot(d.dir)
	if err != nil {
		return nil, fmt.Errorf("opening the corpus: %v", err)
	}
	return root, nil
}

func (d tree) full(path string) string { return filepath.Join(d.dir, filepath.FromSlash(path)) }

// read reads a lesson. id is for a file that has none.
func (d tree) read(path string, id lessons.ID) (lessons.Lesson, error) {
	data, err := d.readFile(path)
	if err != nil {
		return lessons.Lesson{}, err
	}
	l, err := file.DecodeAt(path, data, id)
	l.Rev = revOf(data)
	return l, err
}

// A reading is a file's lesson, or why it is not one.
type reading struct {
	lesson lessons.Lesson
	err    error
}

// readEach reads files in order, in batches on all processors.
func (d tree) readEach(entries []entry) iter.Seq2[entry, reading] {
	return func(yield func(entry, reading) bool) {
		for part := range slices.Chunk(entries, 256) {
			read := make([]reading, len(part))
			each(len(part), func(i int) { read[i].lesson, read[i].err = d.read(part[i].path, part[i].id) })
			for i, e := range part {
				if !yield(e, read[i]) {
					return
				}
			}
		}
	}
}

// readFile reads a file of the corpus: never through a symlink, never from a pipe, and
// never more than the largest lesson's size.
func (d tree) readFile(path string) ([]byte, error) {
	full := d.full(path)
	info, err := os.Lstat(full)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%w: %s", lessons.ErrNotFound, path)
	case err != nil:
		return nil, &file.Error{Path: path, Err: err}
	case !info.Mode().IsRegular():
		return nil, &file.Error{Path: path, Err: errors.New("it is not a plain file")}
	case info.Size() > file.MaxSize:
		return nil, tooLarge(path)
	}
	f, err := os.Open(full)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %s", lessons.ErrNotFound, path)
	}
	if err != nil {
		return nil, &file.Error{Path: path, Err: err}
	}
	defer f.Close()
	data := bytes.NewBuffer(make([]byte, 0, info.Size()+bytes.MinRead))
	if n, err := data.ReadFrom(io.LimitReader(f, file.MaxSize+1)); err != nil {
		return nil, &file.Error{Path: path, Err: err}
	} else if n > file.MaxSize {
		return nil, tooLarge(path)
	}
	return data.Bytes(), nil
}

func tooLarge(path string) error {
	return &file.Error{Path: path, Err: fmt.Errorf("the file is larger than %d KB", file.MaxSize>>10)}
}

// revOf returns the revision of a file: a hash of its bytes, so that edits by hand count.
func revOf(data []byte) lessons.Rev {
	sum := sha256.Sum256(data)
	return lessons.Rev(hex.EncodeToString(sum[:16]))
}
