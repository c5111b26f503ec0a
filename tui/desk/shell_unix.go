//go:build !windows

package desk

import (
	"os"
	"os/signal"

	"golang.org/x/sys/unix"
)

// HasShell reports that a shell with jobs has started this process: nobody else would go
// on with it, and the system stops no process that nobody can go on with.
func HasShell() bool {
	if signal.Ignored(unix.SIGTSTP) {
		return false
	}
	parent := os.Getppid()
	mine, err := unix.Getsid(0)
	if err != nil {
		return false
	}
	its, err := unix.Getsid(parent)
	if err != nil || its != mine {
		return false
	}
	group, err := unix.Getpgid(parent)
	return err == nil && group != unix.Getpgrp()
}
