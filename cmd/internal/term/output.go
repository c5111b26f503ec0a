package term

import (
	"bufio"
	"context"
	"errors"
	"io"
	"sync"
	"syscall"
)

// An Output is standard output, buffered unless a person watches it. When the reader has
// gone, as with a pipe into head, it cancels the work with [ErrClosed]. It is safe for
// concurrent use.
type Output struct {
	Raw io.Writer // the stream itself, for a program that controls the terminal

	mu     sync.Mutex
	w      *bufio.Writer
	live   bool // flush each write
	err    error
	cancel context.CancelCauseFunc
}

// NewOutput returns an Output that writes to w, unbuffered if live is set. It calls
// cancel with the first write error.
func NewOutput(w io.Writer, live bool, cancel context.CancelCauseFunc) *Output {
	return &Output{Raw: w, w: bufio.NewWriterSize(w, 64<<10), live: live, cancel: cancel}
}

// Write keeps the first error and cancels the work with it, so that callers need not
// check each write.
func (o *Output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	n, err := o.w.Write(p)
	if err == nil && o.live {
		err = o.w.Flush()
	}
	o.keep(err)
	return n, o.err
}

// Flush writes the buffer and returns the first error of all writes.
func (o *Output) Flush() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.keep(o.w.Flush())
	return o.err
}

func (o *Output) keep(err error) {
	if err == nil || o.err != nil {
		return
	}
	o.err = err
	if errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe) || closedPipe(err) {
		o.err = ErrClosed
	}
	o.cancel(o.err)
}
