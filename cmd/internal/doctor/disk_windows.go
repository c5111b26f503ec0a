package doctor

import "golang.org/x/sys/windows"

// tellsModes says that the mode of a file says who may read it. Here lists of rights do.
const tellsModes = false

// free is how many bytes this user may still write to the disk of a path.
func free(path string) (bytes uint64, known bool) {
	p, err := windows.UTF16PtrFromString(path)
	if err != nil || windows.GetDiskFreeSpaceEx(p, &bytes, nil, nil) != nil {
		return 0, false
	}
	return bytes, true
}

// writable is not known here without writing.
func writable(string) bool { return true }
