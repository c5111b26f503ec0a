package process

import "syscall"

// detachedProcess is DETACHED_PROCESS: no console.
const detachedProcess = 0x00000008

// detached separates a process from the console and its interrupts.
func detached() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP | detachedProcess, HideWindow: true}
}
