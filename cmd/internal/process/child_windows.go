package process

import (
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

// Group does nothing on Windows.
func Group(*exec.Cmd) (reap func()) { return func() {} }

// detached separates a process from the console and its interrupts.
func detached() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP | windows.DETACHED_PROCESS, HideWindow: true}
}
