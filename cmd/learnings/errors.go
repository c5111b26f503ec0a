package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"learnings/lessons"
)

// errClosed ends a verb whose output nobody reads any more, such as one piped
// into head. It is not a failure.
var errClosed = errors.New("nobody reads the output any more")

// A usageError is a command line that makes no sense.
type usageError struct{ msg string }

func (e usageError) Error() string { return e.msg }

// usagef returns a [usageError] with a formatted message.
func usagef(format string, args ...any) error { return usageError{fmt.Sprintf(format, args...)} }

// hinted is an error that also says what to type next.
type hinted struct {
	err  error
	hint string
}

func (h hinted) Error() string { return h.err.Error() }
func (h hinted) Unwrap() error { return h.err }

// hint adds to err what to do about it; [report] prints that on a line of its
// own. Of several hints the innermost is printed: it is nearest to the cause.
// A nil err stays nil.
func hint(err error, format string, args ...any) error {
	if err == nil {
		return nil
	}
	return hinted{err, fmt.Sprintf(format, args...)}
}

// report writes err to w: what is wrong, and on another line its hint. It writes
// nothing for a nil error and for [errClosed].
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
