//go:build linux || darwin

package doctor

import "golang.org/x/sys/unix"

// tellsModes says that the mode of a file says who may read it.
const tellsModes = true

// free is how many bytes this user may still write to the disk of a path.
func free(path string) (bytes uint64, known bool) {
	var s unix.Statfs_t
	if unix.Statfs(path, &s) != nil {
		return 0, false
	}
	return uint64(s.Bavail) * uint64(s.Bsize), true
}

// writable reports whether this process may make files in a folder.
func writable(dir string) bool { return unix.Access(dir, unix.W_OK|unix.X_OK) == nil }
