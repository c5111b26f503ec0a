//go:build unix

package store

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// statIn returns a stat function for names in an open folder. It saves the kernel from
// resolving the folder's path each time, half of the cost with many thousand files.
func statIn(d *os.File) func(name string) (f found, plain bool, err error) {
	fd := int(d.Fd())
	var st unix.Stat_t
	return func(name string) (found, bool, error) {
		if err := unix.Fstatat(fd, name, &st, unix.AT_SYMLINK_NOFOLLOW); err != nil {
			return found{}, false, fmt.Errorf("%s: %w", name, err)
		}
		return found{size: st.Size, mtime: unix.TimespecToNsec(st.Mtim)}, st.Mode&unix.S_IFMT == unix.S_IFREG, nil
	}
}

// stampOf returns the stamp of a file or folder, and whether it is a folder.
func stampOf(name string) (s stamp, isDir bool, err error) {
	var st unix.Stat_t
	if err := unix.Lstat(name, &st); err != nil {
		return s, false, fmt.Errorf("%s: %w", name, err)
	}
	return stamp{unix.TimespecToNsec(st.Mtim), unix.TimespecToNsec(st.Ctim), st.Ino}, st.Mode&unix.S_IFMT == unix.S_IFDIR, nil
}
