package main

import (
	"bufio"
	"context"
	"errors"
	"io"
	"sync"
	"syscall"
)

// An output is standard output, buffered unless a person watches it. When
// nobody reads any more (a pipe into head, say), it ends the work with
// [errClosed], which is a quiet end and no error.
type output struct {
	raw    io.Writer // beneath, for a program that takes the terminal over
	mu     sync.Mutex
	w      *bufio.Writer
	live   bool // flush each write
	err    error
	cancel context.CancelCauseFunc
}

func newOutput(w io.Writer, live bool, cancel context.CancelCauseFunc) *output {
	return &output{raw: w, w: bufio.NewWriterSize(w, 64<<10), live: live, cancel: cancel}
}

// Write never fails halfway for the caller's eye: the first error is kept and
// ends the context, so that nobody need check each line that is printed.
func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	n, err := o.w.Write(p)
	if err == nil && o.live {
		err = o.w.Flush()
	}
	o.keep(err)
	return n, o.err
}

// Flush sends what is buffered, as before a question.
func (o *output) Flush() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.keep(o.w.Flush())
	return o.err
}

func (o *output) keep(err error) {
	if err == nil || o.err != nil {
		return
	}
	o.err = err
	if errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe) || closedPipe(err) {
		o.err = errClosed
	}
	o.cancel(o.err)
}
