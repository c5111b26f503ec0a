package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A found is what a folder says about a file.
type found struct {
	path  string // within the corpus, with slashes
	size  int64
	mtime int64 // nanoseconds
}

// A survey is what is in a corpus, by path.
type survey struct {
	files []found
	odd   []string // named like a lesson, but a symlink, folder, pipe or device
	temps []string // what a crash left of files that were being written
}

const tempPrefix, tempSuffix = ".learnings-", ".tmp"

func isTemp(name string) bool {
	return strings.HasPrefix(name, tempPrefix) && strings.HasSuffix(name, tempSuffix)
}

// scan lists folders of lessons. One that cannot be read is an error, because the
// files in it are not gone.
func scan(dir string, leaves []string) (survey, error) {
	// The paths of a leaf are neighbours in the order of all paths, so it is enough to
	// sort the leaves, and the names in each.
	slices.SortFunc(leaves, byFolder)
	parts := make([]survey, len(leaves))
	errs := make([]error, len(leaves))
	each(len(leaves), func(i int) { parts[i], errs[i] = scanLeaf(dir, leaves[i]) })
	if err := errors.Join(errs...); err != nil {
		return survey{}, err
	}
	var all survey
	n := 0
	for _, p := range parts {
		n += len(p.files)
	}
	all.files = make([]found, 0, n)
	for _, p := range parts {
		all.files = append(all.files, p.files...)
		all.odd = append(all.odd, p.odd...)
		all.temps = append(all.temps, p.temps...)
	}
	return all, nil
}

func join(a, b string) string {
	if a == "" {
		return b
	}
	return a + "/" + b
}

// subfolders lists a folder of folders. It leaves out symlinks, which could lead out of
// the corpus.
func subfolders(dir, name string) (folders, temps []string, err error) {
	entries, err := os.ReadDir(filepath.Join(dir, filepath.FromSlash(name)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, fmt.Errorf("listing the corpus: %v", err)
	}
	for _, e := range entries {
		switch {
		case isTemp(e.Name()):
			temps = append(temps, join(name, e.Name()))
		case e.IsDir() && !strings.HasPrefix(e.Name(), "."):
			folders = append(folders, e.Name())
		}
	}
	return folders, temps, nil
}

// scanLeaf lists one folder of lessons, by name.
func scanLeaf(dir, leaf string) (survey, error) {
	d, err := os.Open(filepath.Join(dir, filepath.FromSlash(leaf)))
	if errors.Is(err, fs.ErrNotExist) {
		return survey{}, nil
	}
	if err != nil {
		return survey{}, fmt.Errorf("listing the corpus: %v", err)
	}
	defer d.Close()
	names, err := d.Readdirnames(-1)
	if errors.Is(err, fs.ErrNotExist) {
		return survey{}, nil // emptied and removed while we looked
	}
	if err != nil {
		return survey{}, fmt.Errorf("listing the corpus: %v", err)
	}
	slices.Sort(names)
	s := survey{files: make([]found, 0, len(names))}
	stat := statIn(d)
	for _, name := range names {
		hidden := strings.HasPrefix(name, ".")
		switch {
		case isTemp(name):
			s.temps = append(s.temps, leaf+"/"+name)
			continue
		case hidden || !strings.HasSuffix(name, ".md"):
			continue
		}
		f, plain, err := stat(name)
		switch f.path = leaf + "/" + name; {
		case errors.Is(err, fs.ErrNotExist): // gone while we looked
		case err != nil:
			return survey{}, fmt.Errorf("listing the corpus: %v", err)
		case !plain:
			s.odd = append(s.odd, f.path)
		default:
			s.files = append(s.files, f)
		}
	}
	return s, nil
}
