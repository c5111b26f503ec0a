package store

import (
	"errors"
	"io/fs"
	"os"
	"time"
)

// syncDir does nothing: Windows has no way to flush a folder.
func syncDir(*os.Root, string) error { return nil }

// rename tries again for a moment: a virus scanner or an indexer that has the
// file open makes it fail.
func rename(root *os.Root, from, to string) (err error) {
	for range 20 {
		if err = root.Rename(from, to); err == nil || errors.Is(err, fs.ErrNotExist) {
			return err
		}
		time.Sleep(5 * time.Millisecond)
	}
	return err
}
