// Learnings-hook answers the hooks of coding agents and prints the status line. It does
// what `learnings hook` and `learnings status` do, without the code for the desk, models
// and extraction, and starts in a quarter of the time.
//
// Package hook is the program; this package connects it to the system. The background
// worker is learnings itself, from the same folder or from the PATH.
package main

import (
	"context"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"time"

	xterm "github.com/charmbracelet/x/term"

	"learnings/cmd/internal/hook"
	"learnings/cmd/internal/process"
	"learnings/cmd/internal/settings"
)

func main() {
	args := settings.Pin(os.Getenv, os.Args[1:]) // before the environment is read
	os.Exit(hook.Small(context.Background(), system(), os.Stderr, args, forward))
}

// system returns the World of this process.
func system() hook.World {
	here := settings.Here(os.Getenv)
	w := hook.World{Stdout: os.Stdout, Getenv: os.Getenv, Dir: here.Dir, Now: time.Now, Start: start}
	if !xterm.IsTerminal(os.Stdin.Fd()) {
		w.Stdin = os.Stdin
	}
	w.Setup = func(c hook.Call) (hook.Setup, error) {
		p, err := settings.FindPlaces(here, c.Dir)
		if err != nil {
			return hook.Setup{}, err
		}
		return p.Hooks(here.Home), nil
	}
	return w
}

// learnings returns the path of the full program.
func learnings() (string, error) {
	if path := process.Beside("learnings", os.Getenv("PATH"), runtime.GOOS); path != "" {
		return path, nil
	}
	return "", hook.ErrAlone
}

// start starts learnings in the background.
func start(dir string, args ...string) error {
	path, err := learnings()
	if err != nil {
		return err
	}
	return process.Start(os.Environ(), path, dir, args...)
}

// forward runs learnings and waits for it. SIGTERM or an interrupt ends it.
func forward(ctx context.Context, args []string) error {
	path, err := learnings()
	if err != nil {
		return err
	}
	ctx, _, stop := process.Interruptible(ctx)
	defer stop()
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	return cmd.Run()
}
