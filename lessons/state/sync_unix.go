//go:build !windows

package state

import "os"

// SyncDir makes the names in a folder last through a loss of power.
func SyncDir(root *os.Root, dir string) error {
	d, err := root.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}

// Rename renames a file within root, over one that is there.
func Rename(root *os.Root, from, to string) error { return root.Rename(from, to) }
