// Package term is how the program talks to a person or a script: answers as tables,
// tab-separated lines or JSON, warnings, questions, a progress bar, and errors that
// say what to type next.
//
// What comes from lessons and transcripts passes through lessons.Line or
// lessons.Block before it is printed, so that no escape sequence in it reaches a
// terminal.
package term

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"learnings/lessons"
)

// A Console is what a verb reads answers from and writes to: standard input, output
// and error, and what is known of the terminals behind them.
type Console struct {
	In  io.Reader
	Out *Output
	Err io.Writer // warnings, questions and progress, so that a redirected answer is not mixed with them

	Terminals Terminals
	Colour    bool // standard output takes colours
	JSON      bool // answers are printed as JSON

	telling sync.Mutex    // held for each line to Err: a model is asked about several sessions at once
	asks    *bufio.Reader // the one reader of In: another would miss what this one has read ahead
}

// Terminals says which of the standard streams are terminals.
type Terminals struct {
	In, Out, Err bool
	Width        int // of standard output in columns; 0 when it is not a terminal
}

// Interactive reports whether a person can be asked a question.
func (c *Console) Interactive() bool { return c.Terminals.In && c.Terminals.Err }

// Warn tells the person something that does not stop the work. It and Note are safe
// for concurrent use.
func (c *Console) Warn(format string, args ...any) {
	c.telling.Lock()
	defer c.telling.Unlock()
	fmt.Fprintf(c.Err, "learnings: %s\n", lessons.Line(fmt.Sprintf(format, args...)))
}

// Say writes one line to standard output: what was done.
func (c *Console) Say(format string, args ...any) {
	fmt.Fprintln(c.Out, OneLine(fmt.Sprintf(format, args...)))
}

// Note writes one line to standard error: how the work went, beside its result.
func (c *Console) Note(format string, args ...any) {
	c.telling.Lock()
	defer c.telling.Unlock()
	fmt.Fprintf(c.Err, format+"\n", args...)
}

// Give prints an answer in the form that suits the reader: JSON on request, text and
// tables on a terminal; otherwise tab-separated lines if it is a list, or else text.
func (c *Console) Give(ans Answer) error {
	if c.JSON {
		for _, o := range ans.Objects() {
			if err := WriteJSON(c.Out, o); err != nil {
				return err
			}
		}
		return nil
	}
	if list, ok := ans.(interface{ Plain(w io.Writer) }); ok && !c.Terminals.Out {
		list.Plain(c.Out)
		return nil
	}
	p := c.Page()
	if !c.Terminals.Out {
		p.Width = Unbounded
	}
	ans.Terminal(p)
	return nil
}

// pageWidth is how wide a page is when standard output is not a terminal.
const pageWidth = 100

// Page returns standard output as a page, whether or not it is a terminal.
func (c *Console) Page() *Page {
	p := &Page{W: c.Out, Width: pageWidth, colour: c.Colour}
	if c.Terminals.Width > 0 {
		p.Width = c.Terminals.Width
	}
	return p
}

// NewBar starts a progress bar on standard error. The caller must [Bar.Clear] it. It draws
// nothing unless standard error is a terminal.
func (c *Console) NewBar(now func() time.Time) *Bar {
	b := &Bar{w: c.Err, now: now, on: c.Terminals.Err, start: now()}
	if b.on {
		c.Err = b
	}
	return b
}

// maxAnswer is the most bytes of a typed line.
const maxAnswer = 64 << 10

var errLongLine = errors.New("the line is too long")

// Ask writes a question to standard error and returns the line that was typed,
// without white space around it. At the end of the input it returns io.EOF; when
// ctx is done it stops waiting.
func (c *Console) Ask(ctx context.Context, question string) (string, error) {
	if err := c.Out.Flush(); err != nil {
		return "", err
	}
	if c.asks == nil {
		c.asks = bufio.NewReaderSize(c.In, maxAnswer)
	}
	fmt.Fprint(c.Err, lessons.Block(question))
	type typed struct {
		text string
		err  error
	}
	// A read from a terminal cannot be cancelled. After an interrupt the process
	// ends, and this goroutine with it.
	got := make(chan typed, 1)
	go func() {
		b, err := c.asks.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			err = errLongLine
		}
		got <- typed{strings.TrimSpace(string(b)), err}
	}()
	select {
	case <-ctx.Done():
		fmt.Fprintln(c.Err)
		return "", ctx.Err()
	case t := <-got:
		if errors.Is(t.err, io.EOF) && t.text != "" {
			return t.text, nil
		}
		return t.text, t.err
	}
}

// Confirm asks for a yes; any other answer, and the end of the input, is a no.
func (c *Console) Confirm(ctx context.Context, question string) (bool, error) {
	answer, err := c.Ask(ctx, question+" [y/N] ")
	if errors.Is(err, io.EOF) {
		return false, nil
	}
	answer = strings.ToLower(answer)
	return answer == "y" || answer == "yes", err
}
