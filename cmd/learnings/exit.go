package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"learnings/lessons"
)

// Exit codes, as `learnings help` lists them.
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

// exitHelp is the part of the help that lists the codes.
const exitHelp = `Exit codes:
  0    done
  1    something failed; standard error says what and where
  2    the command line is wrong, or a terminal is missing
  3    no such lesson, session or project
  4    the lesson has changed since it was read; nothing was written
  5    there is nothing to do (nothing to undo or redo)
  6    only a person decides: an agent asked, or nobody was there to confirm
  130  interrupted; what was done until then is kept
`

// Errors that decide an exit code.
var (
	errNothing = errors.New("nothing to do")
	errPerson  = errors.New("only a person decides")
	errClosed  = errors.New("nobody reads the output any more")
	errSession = errors.New("no such session")
)

// A usageError is a command line that cannot be meant.
type usageError struct{ msg string }

func (e usageError) Error() string { return e.msg }

func usagef(format string, args ...any) error { return usageError{fmt.Sprintf(format, args...)} }

// A hinted error also says what to type next.
type hinted struct {
	err  error
	hint string
}

func (h hinted) Error() string { return h.err.Error() }
func (h hinted) Unwrap() error { return h.err }

// hint adds what to do about an error. The innermost hint is the one shown:
// it is nearest to the cause.
func hint(err error, format string, args ...any) error {
	if err == nil {
		return nil
	}
	return hinted{err, fmt.Sprintf(format, args...)}
}

// exitCode is the one switch from errors to exit codes.
func exitCode(err error) int {
	var usage usageError
	switch {
	case err == nil, errors.Is(err, errClosed):
		return exitOK
	case errors.Is(err, context.Canceled):
		return exitInterrupted
	case errors.As(err, &usage):
		return exitUsage
	case errors.Is(err, errPerson):
		return exitPerson
	case errors.Is(err, lessons.ErrNotFound), errors.Is(err, errSession):
		return exitNotFound
	case errors.Is(err, lessons.ErrConflict):
		return exitConflict
	case errors.Is(err, errNothing):
		return exitNothing
	default:
		return exitError
	}
}

// report writes an error as one line that says what is wrong and, where we know
// it, another that says what to do. A closed pipe is nobody's error.
func report(w io.Writer, err error) {
	switch {
	case err == nil, errors.Is(err, errClosed):
		return
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(w, "learnings: interrupted; what was done until now is kept")
		return
	}
	for i, line := range strings.Split(strings.TrimSpace(lessons.Block(err.Error())), "\n") {
		if i == 0 {
			fmt.Fprintf(w, "learnings: %s\n", line)
		} else {
			fmt.Fprintf(w, "  %s\n", line)
		}
	}
	var h hinted
	for inner := err; errors.As(inner, &h); inner = h.err {
	}
	if h.hint != "" {
		fmt.Fprintf(w, "hint: %s\n", lessons.Block(h.hint))
	} else if errors.Is(err, lessons.ErrConflict) {
		fmt.Fprintln(w, "hint: somebody else wrote it in between; look at it again with `learnings show` and repeat")
	}
}
