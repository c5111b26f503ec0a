package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"learnings/lessons"
)

// A console is what a verb reads answers from and writes to: standard input, output
// and error, and what is known of the terminals behind them.
type console struct {
	in  io.Reader
	out *output
	err io.Writer // warnings, questions and progress, so that a redirected answer is not mixed with them

	terminals terminals
	colour    bool // standard output takes colours

	asks *bufio.Reader // the one reader of in: another would miss what this one has read ahead
}

// terminals says which of the standard streams are terminals.
type terminals struct {
	in, out, err bool
	width        int // of standard output in columns; 0 when it is not a terminal
}

// interactive reports whether a person can be asked a question.
func (c *console) interactive() bool { return c.terminals.in && c.terminals.err }

// warn tells the person something that does not stop the work.
func (c *console) warn(format string, args ...any) {
	fmt.Fprintf(c.err, "learnings: %s\n", lessons.Line(fmt.Sprintf(format, args...)))
}

// say writes one line to standard output: what was done.
func (c *console) say(format string, args ...any) {
	fmt.Fprintln(c.out, oneLine(fmt.Sprintf(format, args...)))
}

// note writes one line to standard error: how the work went, beside its result.
func (c *console) note(format string, args ...any) {
	fmt.Fprintf(c.err, format+"\n", args...)
}

// give prints an answer in the form that suits the reader: JSON on request, tables
// on a terminal, tab-separated lines otherwise.
func (c *console) give(ans answer, asJSON bool) error {
	switch {
	case asJSON:
		for _, o := range ans.objects() {
			if err := printJSON(c.out, o); err != nil {
				return err
			}
		}
	case c.terminals.out:
		ans.terminal(c.page())
	default:
		ans.plain(c.out)
	}
	return nil
}

// pageWidth is how wide a page is when standard output is not a terminal.
const pageWidth = 100

// page returns standard output as a page, whether or not it is a terminal.
func (c *console) page() *page {
	p := &page{w: c.out, width: pageWidth, colour: c.colour}
	if c.terminals.width > 0 {
		p.width = c.terminals.width
	}
	return p
}

// bar starts a progress bar on standard error. The caller must clear it. It draws
// nothing unless standard error is a terminal.
func (c *console) bar(now func() time.Time) *bar {
	b := &bar{w: c.err, now: now, on: c.terminals.err, start: now()}
	if b.on {
		c.err = b
	}
	return b
}

// maxAnswer is the most bytes of a typed line.
const maxAnswer = 64 << 10

var errLongLine = errors.New("the line is too long")

// ask writes a question to standard error and returns the line that was typed,
// without white space around it. At the end of the input it returns io.EOF; when
// ctx is done it stops waiting.
func (c *console) ask(ctx context.Context, question string) (string, error) {
	if err := c.out.Flush(); err != nil {
		return "", err
	}
	if c.asks == nil {
		c.asks = bufio.NewReaderSize(c.in, maxAnswer)
	}
	fmt.Fprint(c.err, lessons.Block(question))
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
		fmt.Fprintln(c.err)
		return "", ctx.Err()
	case t := <-got:
		if errors.Is(t.err, io.EOF) && t.text != "" {
			return t.text, nil
		}
		return t.text, t.err
	}
}

// confirm asks for a yes; any other answer, and the end of the input, is a no.
func (c *console) confirm(ctx context.Context, question string) (bool, error) {
	answer, err := c.ask(ctx, question+" [y/N] ")
	if errors.Is(err, io.EOF) {
		return false, nil
	}
	answer = strings.ToLower(answer)
	return answer == "y" || answer == "yes", err
}
