package process

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

// orphansKeepParents is whether a process may name a parent that has ended, as that of
// the desktop has.
const orphansKeepParents = true

func honest(int) bool  { return true }
func attached(int) int { return 0 }

// look takes a snapshot of all processes. It has no arguments, so a script is only known
// by its interpreter, and no paths, so programs go by their names.
func look(pid int) (process, bool) {
	snapshot, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPPROCESS, 0)
	if err != nil {
		return process{}, false
	}
	defer windows.CloseHandle(snapshot)
	entry := windows.ProcessEntry32{Size: uint32(unsafe.Sizeof(windows.ProcessEntry32{}))}
	for err = windows.Process32First(snapshot, &entry); err == nil; err = windows.Process32Next(snapshot, &entry) {
		if int(entry.ProcessID) == pid {
			name := windows.UTF16ToString(entry.ExeFile[:])
			return process{parent: int(entry.ParentProcessID), names: []string{name}, file: name, sure: true}, true
		}
	}
	return process{}, false
}
