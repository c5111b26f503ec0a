//go:build !windows

package state

import "os"

// SyncDir syncs a folder, so that its names survive a power failure.
func SyncDir(root *os.Root, dir string) error {
	d, err := root.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}

// Rename renames a file within root, replacing an existing one.
func Rename(root *os.Root, from, to string) error { return root.Rename(from, to) }
