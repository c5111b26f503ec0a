// Learnings-hook answers the hooks of coding agents and says what waits for a person.
// It does what `learnings hook` and `learnings status` do, without what a desk, a model
// or an extraction needs, and starts in a quarter of the time.
//
// Package hook is the program; this one gives it the world. The worker that takes
// lessons from sessions is learnings itself, from the same folder or from the PATH.
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

func main() { os.Exit(hook.Small(context.Background(), system(), os.Stderr, os.Args[1:], forward)) }

// system is the real world.
func system() hook.World {
	w := hook.World{Stdout: os.Stdout, Getenv: os.Getenv, Now: time.Now, Start: start}
	if !xterm.IsTerminal(os.Stdin.Fd()) {
		w.Stdin = os.Stdin
	}
	// Without one of these, what needs it says so.
	w.Home, _ = os.UserHomeDir()
	w.Dir, _ = os.Getwd()
	w.Setup = func(c hook.Call) (hook.Setup, error) {
		world := settings.World{Getenv: os.Getenv, OS: runtime.GOOS, Home: w.Home, Dir: w.Dir}
		p, err := settings.FindPlaces(world, c.Dir)
		if err != nil {
			return hook.Setup{}, err
		}
		return p.Hooks(), nil
	}
	return w
}

// learnings is the path of the program that does what this one does not.
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

// forward runs learnings to its end, which SIGTERM or an interrupt brings about.
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
