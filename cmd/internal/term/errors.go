package term

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"learnings/lessons"
)

// ErrClosed ends a verb whose output is no longer read, such as one piped into head. It
// is not a failure.
var ErrClosed = errors.New("nobody reads the output any more")

// A UsageError reports an invalid command line.
type UsageError struct{ msg string }

func (e UsageError) Error() string { return e.msg }

// Usagef returns a [UsageError] with a formatted message.
func Usagef(format string, args ...any) error { return UsageError{fmt.Sprintf(format, args...)} }

// A missing is an error for a thing that was named and is not there. It is a
// [lessons.ErrNotFound], as for a lesson, and says so in its own words.
type missing struct{ error }

func (missing) Is(err error) bool { return err == lessons.ErrNotFound }

// Missingf returns an error for a thing, not a lesson, that was named and is not there.
func Missingf(format string, args ...any) error { return missing{fmt.Errorf(format, args...)} }

// hinted is an error with a hint.
type hinted struct {
	err  error
	hint string
}

func (h hinted) Error() string { return h.err.Error() }
func (h hinted) Unwrap() error { return h.err }

// Hint adds to err what to do about it; [Report] prints that on its own line. Of nested
// hints only the innermost is printed, as the nearest to the cause. A nil err stays nil.
func Hint(err error, format string, args ...any) error {
	if err == nil {
		return nil
	}
	return hinted{err, fmt.Sprintf(format, args...)}
}

// Report writes err and its hint to w. It writes nothing for nil and [ErrClosed].
func Report(w io.Writer, err error) {
	switch {
	case err == nil, errors.Is(err, ErrClosed):
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
