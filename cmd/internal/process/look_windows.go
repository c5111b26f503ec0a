package process

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

// look takes a snapshot of all processes. It has no arguments, so a script is only known
// by its interpreter.
func look(pid int) (process, bool) {
	snapshot, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPPROCESS, 0)
	if err != nil {
		return process{}, false
	}
	defer windows.CloseHandle(snapshot)
	entry := windows.ProcessEntry32{Size: uint32(unsafe.Sizeof(windows.ProcessEntry32{}))}
	for err = windows.Process32First(snapshot, &entry); err == nil; err = windows.Process32Next(snapshot, &entry) {
		if int(entry.ProcessID) == pid {
			return process{int(entry.ParentProcessID), []string{windows.UTF16ToString(entry.ExeFile[:])}}, true
		}
	}
	return process{}, false
}
