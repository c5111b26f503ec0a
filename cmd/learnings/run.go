package main

import (
	"context"
	"errors"
	"io"
	"log"
	"os"
	"os/signal"
	"syscall"
	"time"

	"learnings/cmd/internal/answer"
	"learnings/cmd/internal/process"
	"learnings/cmd/internal/term"
)

// run is the program: it does what e.args say and returns the exit code. It
// leaves no goroutine of its own behind.
//
// An interrupt ends the context: a verb finishes what it is writing, so that
// nothing is half done, and the code is 130. A second one kills. SIGTERM ends also a verb that waits for a file.
func run(ctx context.Context, e env) int {
	log.SetOutput(io.Discard) // where bleve says what it could not read; we say it ourselves
	if c, ok := answer.Parse(e.args); ok {
		if c.Event == answer.Worker {
			runWorker(ctx, e, c)
		} else {
			answer.Hook(ctx, e.world(), c)
		}
		return exitOK // whatever happened: a hook must never stand in an agent's way
	}
	ctx, terminated, stop := process.Interruptible(ctx)
	defer stop()

	// With somebody listening, a write to a closed pipe is an error that we can
	// end on, and not the end of the process in the middle of its work.
	pipes := make(chan os.Signal, 1)
	signal.Notify(pipes, syscall.SIGPIPE)
	defer signal.Stop(pipes)

	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	out := term.NewOutput(e.stdout, e.tty.Out, cancel)

	a := newApp(e, out)
	var err error
	if !process.Bounded(terminated, grace, func() { err = a.advised(newRoot(a).ExecuteContext(ctx)) }) {
		term.Report(e.stderr, context.Canceled)
		return exitInterrupted
	}
	if flushed := out.Flush(); err == nil || errors.Is(err, context.Canceled) {
		if flushed != nil {
			err = flushed
		}
	}
	term.Report(e.stderr, err)
	return exitCode(err)
}

// grace is how long a verb may take to end in order after SIGTERM. Ending later is
// no loss: every write can be finished or taken back after a kill.
const grace = 3 * time.Second
