package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"

	"learnings/cmd/internal/term"
)

// run is the program: it does what e.args say and returns the exit code. It
// leaves no goroutine of its own behind.
//
// An interrupt ends the context: a verb finishes what it is writing, so that
// nothing is half done, and the code is 130. A second one kills.
func run(ctx context.Context, e env) int {
	if h, ok := hookCall(e); ok {
		if h.event == workerEvent {
			runWorker(ctx, e, h)
		} else {
			runHook(ctx, e, h)
		}
		return exitOK // whatever happened: a hook must never stand in an agent's way
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // from now on a signal does what it does by default

	// With somebody listening, a write to a closed pipe is an error that we can
	// end on, and not the end of the process in the middle of its work.
	pipes := make(chan os.Signal, 1)
	signal.Notify(pipes, syscall.SIGPIPE)
	defer signal.Stop(pipes)

	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	out := term.NewOutput(e.stdout, e.tty.Out, cancel)

	a := newApp(e, out)
	err := a.advised(newRoot(a).ExecuteContext(ctx))
	if flushed := out.Flush(); err == nil || errors.Is(err, context.Canceled) {
		if flushed != nil {
			err = flushed
		}
	}
	term.Report(e.stderr, err)
	return exitCode(err)
}
