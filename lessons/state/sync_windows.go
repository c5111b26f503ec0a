package state

import (
	"errors"
	"io/fs"
	"os"
	"time"
)

// SyncDir does nothing: Windows has no way to flush a folder.
func SyncDir(*os.Root, string) error { return nil }

// Rename renames a file within root, replacing an existing one. It retries for a tenth of
// a second, because a virus scanner or an indexer may have the file open.
func Rename(root *os.Root, from, to string) (err error) {
	for range 20 {
		if err = root.Rename(from, to); err == nil || errors.Is(err, fs.ErrNotExist) {
			return err
		}
		time.Sleep(5 * time.Millisecond)
	}
	return err
}
