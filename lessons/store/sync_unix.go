//go:build !windows

package store

import "os"

// syncDir makes the names in a folder last through a loss of power.
func syncDir(root *os.Root, dir string) error {
	d, err := root.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}

func rename(root *os.Root, from, to string) error { return root.Rename(from, to) }
