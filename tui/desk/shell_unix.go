//go:build !windows

package desk

import (
	"os"
	"os/signal"

	"golang.org/x/sys/unix"
)

// HasShell reports whether a shell with job control started this process. Only such a
// shell can resume it after a stop.
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
