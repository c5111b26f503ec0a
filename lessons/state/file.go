package state

import (
	"bufio"
	"io"
	"os"
	"path/filepath"
)

// WriteFile atomically replaces or creates the named file with what fill writes, so that
// a reader finds the old or the new content, also after a crash. The new file has the
// permissions of the old one, or 0600; its folder must exist. If fill fails, WriteFile
// returns its error and keeps the old file.
func WriteFile(name string, fill func(io.Writer) error) error {
	return WriteFileIf(name, fill, func() bool { return true })
}

// WriteFileIf is [WriteFile] for a file that others write to without a lock. If still
// returns false just before the replacement, it keeps the old file and returns nil.
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
	defer os.Remove(f.Name()) // fails if all went well
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
