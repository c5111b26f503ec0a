package store

import (
	"os"
	"path/filepath"
)

// statIn returns a stat function for names in an open folder.
func statIn(d *os.File) func(name string) (f found, plain bool, err error) {
	return func(name string) (found, bool, error) {
		info, err := os.Lstat(filepath.Join(d.Name(), name))
		if err != nil {
			return found{}, false, err
		}
		return found{size: info.Size(), mtime: info.ModTime().UnixNano()}, info.Mode().IsRegular(), nil
	}
}

// stampOf returns the stamp of a file or folder, and whether it is a folder.
func stampOf(name string) (s stamp, isDir bool, err error) {
	info, err := os.Lstat(name)
	if err != nil {
		return s, false, err
	}
	return stamp{mtime: info.ModTime().UnixNano()}, info.IsDir(), nil
}
