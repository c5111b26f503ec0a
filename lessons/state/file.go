package state

import (
	"bufio"
	"io"
	"os"
	"path/filepath"
)

// WriteFile replaces the named file by what fill writes, or makes it. Whoever
// opens it, also after a crash, finds the old content or the new one, never a part. The
// new file has the permissions of the old one, or 0600; its folder must exist. When fill
// fails, WriteFile returns its error and leaves the old file as it was.
func WriteFile(name string, fill func(io.Writer) error) error {
	return WriteFileIf(name, fill, func() bool { return true })
}

// WriteFileIf is [WriteFile] for a file that others write to without a lock: it asks still
// at the last moment, and when that returns false it leaves the old file and
// returns nil.
func WriteFileIf(name string, fill func(io.Writer) error, still func() bool) (err error) {
	root, err := os.OpenRoot(filepath.Dir(name))
	if err != nil {
		return err
	}
	defer root.Close()
	f, err := os.CreateTemp(root.Name(), filepath.Base(name)+".*.tmp") // with 0600
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // not there any more when all went well
	defer f.Close()
	if old, err := os.Stat(name); err == nil && old.Mode().Perm() != 0o600 {
		if err := f.Chmod(old.Mode().Perm()); err != nil {
			return err
		}
	}
	w := bufio.NewWriterSize(f, 256<<10)
	for _, step := range []func() error{func() error { return fill(w) }, w.Flush, f.Sync, f.Close} {
		if err := step(); err != nil {
			return err
		}
	}
	if !still() {
		return nil
	}
	if err := Rename(root, filepath.Base(f.Name()), filepath.Base(name)); err != nil {
		return err
	}
	return SyncDir(root, ".")
}
