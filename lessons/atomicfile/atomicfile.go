// Package atomicfile replaces files as a whole: whoever opens one, and whoever
// comes after a crash or a loss of power, finds the old content or the new one,
// never a part.
package atomicfile

import (
	"bufio"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// tempSuffix ends the name of a file that is not in its place yet. A crash can
// leave one behind.
const tempSuffix = ".tmp"

// Write replaces the named file by what fill writes, or makes it. The new file has
// the permissions of the old one, or 0600; its folder must exist. When Write
// returns nil the content is on the disk. When fill fails, Write returns its error
// and leaves the old file as it was.
func Write(name string, fill func(io.Writer) error) error {
	return WriteIf(name, fill, func() bool { return true })
}

// WriteIf is [Write] for a file that others write to without a lock: it asks still
// at the last moment, and when that returns false it leaves the old file and
// returns nil.
func WriteIf(name string, fill func(io.Writer) error, still func() bool) (err error) {
	root, err := os.OpenRoot(filepath.Dir(name))
	if err != nil {
		return err
	}
	defer root.Close()
	f, err := os.CreateTemp(root.Name(), filepath.Base(name)+".*"+tempSuffix) // with 0600
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // not there any more when all went well
	defer f.Close()
	if old, err := os.Stat(name); err == nil && old.Mode().Perm() != privateFile {
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

// privateFile are the permissions of a file that only its owner reads.
const privateFile fs.FileMode = 0o600
