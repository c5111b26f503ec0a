package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

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

// A listing is what lies in the folders of a corpus.
type listing struct {
	files []found  // by path
	odd   []string // named like a lesson, but a symlink, folder, pipe or device
	temps []string // what a crash left of files that were being written
	sum   uint64   // of all files; the same as long as none comes, goes or changes
}

// list lists the corpus. A folder that cannot be read is an error, because the files in it
// are not gone.
func (d tree) list() (all listing, err error) {
	var leaves []string
	for _, status := range lessons.Statuses {
		if err == nil {
			err = d.enter(file.StatusFolder(status), 2, &leaves, &all.temps)
		}
	}
	// The paths of a leaf are neighbours in the order of all paths.
	slices.SortFunc(leaves, func(a, b string) int { return strings.Compare(a+"/", b+"/") })
	parts, errs := make([]listing, len(leaves)), make([]error, len(leaves))
	each(len(leaves), func(i int) { errs[i] = parts[i].read(d, leaves[i]) })
	if err := errors.Join(append(errs, err)...); err != nil {
		return all, fmt.Errorf("listing the corpus: %v", err)
	}
	for _, p := range parts {
		all.files, all.odd, all.temps = append(all.files, p.files...), append(all.odd, p.odd...), append(all.temps, p.temps...)
	}
	h, line := fnv.New64a(), []byte(nil)
	for _, f := range all.files {
		line = append(line[:0], f.path...)
		line = binary.LittleEndian.AppendUint64(line, uint64(f.size))
		line = binary.LittleEndian.AppendUint64(line, uint64(f.mtime))
		h.Write(line)
	}
	all.sum = h.Sum64()
	return all, nil
}

// enter finds the folders of lessons that lie so deep below a folder. It passes over
// symlinks, which could lead out of the corpus; the corpus itself may be one.
func (d tree) enter(name string, depth int, leaves, temps *[]string) error {
	if depth == 0 {
		*leaves = append(*leaves, name)
		return nil
	}
	if info, err := os.Lstat(d.full(name)); name != "" && err == nil && !info.IsDir() {
		return nil
	}
	within, err := os.ReadDir(d.full(name))
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
			*temps = append(*temps, path.Join(name, e.Name()))
		case e.IsDir() && !strings.HasPrefix(e.Name(), "."):
			if err := d.enter(path.Join(name, e.Name()), below, leaves, temps); err != nil {
				return err
			}
		}
	}
	return nil
}

// read lists one folder of lessons. One that is emptied and removed meanwhile has nothing.
func (l *listing) read(d tree, leaf string) error {
	root, err := os.OpenRoot(d.full(leaf))
	if err == nil {
		defer root.Close()
		err = l.readOpen(root, leaf)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// readOpen looks at files by their names within an open folder, which takes half of the
// time that their paths would.
func (l *listing) readOpen(root *os.Root, leaf string) error {
	dir, err := root.Open(".")
	if err != nil {
		return err
	}
	defer dir.Close()
	names, err := dir.Readdirnames(-1)
	if err != nil {
		return err
	}
	slices.Sort(names)
	for _, name := range names {
		full := leaf + "/" + name
		if isTemp(name) {
			l.temps = append(l.temps, full)
		}
		if strings.HasPrefix(name, ".") || !strings.HasSuffix(name, ".md") {
			continue
		}
		switch info, err := root.Lstat(name); {
		case errors.Is(err, fs.ErrNotExist): // gone while we looked
		case err != nil:
			return err
		case !info.Mode().IsRegular():
			l.odd = append(l.odd, full)
		default:
			l.files = append(l.files, found{full, info.Size(), info.ModTime().UnixNano()})
		}
	}
	return nil
}
