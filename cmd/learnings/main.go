// Learnings reads the session transcripts of coding agents, proposes lessons,
// lets a person judge them, and gives the approved ones to the next session.
//
// # Code overview
//
// This package knows every other one and nothing knows it. It turns arguments,
// environment and configuration into values, hands them to the packages that do
// the work, and turns what they answer into text, JSON and an exit code:
//
//   - [run] is the whole program: main only calls it. What it may know of the
//     world is in an env, so that a test can be a world of its own.
//   - root.go lists the verbs, verb.go is what all of them are made of. The help of
//     a verb is a text file in the folder help; a verb says what must be open before
//     it runs, has its flags, and does its work.
//   - app.go holds what verbs share: the places, the settings, the corpus with its
//     index. It is the one place that decides whether a person is deciding.
//   - Package term is how verbs print answers, warn, ask and word errors.
//   - `learnings hook` does not pass through any of this: see package hook, which
//     learnings-hook shares. background.go is the worker that a hook starts, and what it
//     may do unasked.
//
// Text of transcripts and lessons is printed through package term, or through
// lessons.Line and lessons.Block, so that no escape sequence in it reaches a
// terminal.
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

	"learnings/cmd/internal/hook"
	"learnings/cmd/internal/process"
	"learnings/cmd/internal/term"
	"learnings/index/curate"
	"learnings/lessons"
)

func main() { os.Exit(run(context.Background(), system())) }

// grace is how long a verb may take to end after SIGTERM. Being killed later loses
// nothing: every write can be finished or undone.
const grace = 3 * time.Second

// run runs the command of e.args and returns the exit code. It leaves no goroutine
// behind.
//
// An interrupt cancels the context: a verb finishes its current write and the code is
// 130. A second one kills the process. SIGTERM also ends a verb that is blocked on a
// file.
func run(ctx context.Context, e env) int {
	log.SetOutput(io.Discard) // bleve logs unreadable files here; we report them ourselves
	if c, ok := hook.Parse(e.args); ok {
		if c.Event == hook.Worker {
			runWorker(ctx, e, c)
		} else {
			hook.Answer(ctx, e.world(), c)
		}
		return exitOK // a hook must never block an agent
	}
	ctx, terminated, stop := process.Interruptible(ctx)
	defer stop()

	// With a listener, a write to a closed pipe is an error to handle, and does not kill
	// the process in the middle of its work.
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

// Exit codes, as `learnings help --all` lists them.
const (
	exitOK          = 0
	exitError       = 1
	exitUsage       = 2
	exitNotFound    = 3
	exitConflict    = 4
	exitNothing     = 5
	exitPerson      = 6
	exitInterrupted = 130
)

// exitHelp is the help on exit codes.
const exitHelp = `Exit codes:
  0    done
  1    something failed; standard error says what and where
  2    the command line is wrong, or a terminal is missing
  3    what was named is not there: a lesson, a session, a project, a store
  4    the lesson has changed since it was read; nothing was written
  5    there is nothing to do (nothing to undo or redo)
  6    only a person decides: an agent asked, or nobody was there to confirm
  130  interrupted; what was done until then is kept
`

var errSession = errors.New("no such session")

// exitCode maps an error to its exit code.
func exitCode(err error) int {
	var usage term.UsageError
	switch {
	case err == nil, errors.Is(err, term.ErrClosed):
		return exitOK
	case errors.Is(err, context.Canceled):
		return exitInterrupted
	case errors.As(err, &usage):
		return exitUsage
	case errors.Is(err, curate.ErrPerson):
		return exitPerson
	case errors.Is(err, lessons.ErrNotFound), errors.Is(err, errSession):
		return exitNotFound
	case errors.Is(err, lessons.ErrConflict):
		return exitConflict
	case errors.Is(err, curate.ErrNothing):
		return exitNothing
	default:
		return exitError
	}
}
