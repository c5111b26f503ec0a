// Package term talks to a person or a script: answers as tables, tab-separated lines or
// JSON, warnings, questions, a progress bar, and errors with hints.
//
// Text from lessons and transcripts must pass through lessons.Line or lessons.Block
// before it is printed, so that no escape sequence reaches a terminal.
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

// A Console holds a verb's standard streams and what is known of their terminals.
type Console struct {
	In  io.Reader
	Out *Output
	Err io.Writer // warnings, questions and progress, apart from a redirected answer

	Terminals Terminals
	Colour    bool // standard output shows colours
	JSON      bool // print answers as JSON

	telling sync.Mutex    // held while a line is written to Err: models answer concurrently
	asks    *bufio.Reader // the only reader of In, because it reads ahead
}

// Terminals says which standard streams are terminals.
type Terminals struct {
	In, Out, Err bool
	Width        int // columns of standard output; 0 if it is not a terminal
}

// Interactive reports whether a person can be asked a question.
func (c *Console) Interactive() bool { return c.Terminals.In && c.Terminals.Err }

// Warn prints a warning to standard error. Warn and Note are safe for concurrent use.
func (c *Console) Warn(format string, args ...any) {
	c.telling.Lock()
	defer c.telling.Unlock()
	fmt.Fprintf(c.Err, "learnings: %s\n", lessons.Line(fmt.Sprintf(format, args...)))
}

// Say prints a result line to standard output.
func (c *Console) Say(format string, args ...any) {
	fmt.Fprintln(c.Out, OneLine(fmt.Sprintf(format, args...)))
}

// Note prints a progress line to standard error.
func (c *Console) Note(format string, args ...any) {
	c.telling.Lock()
	defer c.telling.Unlock()
	fmt.Fprintf(c.Err, format+"\n", args...)
}

// Give prints an answer for the reader: JSON on request, text and tables on a terminal,
// otherwise tab-separated lines for a list and text for anything else.
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

// pageWidth is the page width when standard output is not a terminal.
const pageWidth = 100

// Page returns standard output as a page, also when it is not a terminal.
func (c *Console) Page() *Page {
	p := &Page{W: c.Out, Width: pageWidth, Colour: c.Colour}
	if c.Terminals.Width > 0 {
		p.Width = c.Terminals.Width
	}
	return p
}

// NewBar starts a progress bar on standard error. The caller must call [Bar.Clear].
// Without a terminal it draws nothing.
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

// Ask prints a question to standard error and returns the typed line, trimmed. It returns
// io.EOF at the end of the input, and stops waiting when ctx is done.
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
	// A read from a terminal cannot be cancelled. After an interrupt the process ends,
	// and this goroutine with it.
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

// Confirm asks for a yes; any other answer or the end of the input means no.
func (c *Console) Confirm(ctx context.Context, question string) (bool, error) {
	answer, err := c.Ask(ctx, question+" [y/N] ")
	if errors.Is(err, io.EOF) {
		return false, nil
	}
	answer = strings.ToLower(answer)
	return answer == "y" || answer == "yes", err
}
