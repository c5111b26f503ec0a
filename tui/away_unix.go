//go:build !windows

package tui

import (
	"context"
	"os"
	"os/signal"

	"golang.org/x/sys/unix"
)

func (w *away) listen() {
	signal.Notify(w.conts, unix.SIGCONT)
	if !signal.Ignored(unix.SIGTSTP) {
		signal.Notify(w.stops, unix.SIGTSTP)
	}
}

func (w *away) deaf() {
	signal.Stop(w.stops)
	signal.Stop(w.conts)
}

// stop stops this process and those of its job until the shell goes on with them.
func (w *away) stop(ctx context.Context) {
	w.gone.Store(true)
	_ = unix.Kill(0, unix.SIGSTOP) // what Go has once handled, as SIGTSTP, stops nothing any more
	select {
	case <-w.back:
	case <-ctx.Done():
	}
}

// hasShell reports that a shell with jobs has started this process: nobody else would go
// on with it, and the system stops no process that nobody can go on with.
func hasShell() bool {
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
