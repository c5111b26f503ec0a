package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"learnings/lessons"
)

// Questions go to standard error, so that a redirected answer does not swallow
// them.

// maxAnswer is the most bytes of a typed line.
const maxAnswer = 64 << 10

var errLongLine = errors.New("the line is too long")

// A prompter asks for lines.
type prompter struct {
	a  *app
	in *bufio.Reader
}

// prompter is the one reader of standard input: another would miss what this
// one has read ahead.
func (a *app) prompter() *prompter {
	if a.asks == nil {
		a.asks = &prompter{a, bufio.NewReaderSize(a.stdin, maxAnswer)}
	}
	return a.asks
}

// line asks and gives what was typed, without white space around it. The end of
// the input is io.EOF; an interrupt ends the wait.
func (p *prompter) line(ctx context.Context, question string) (string, error) {
	if err := p.a.out.Flush(); err != nil {
		return "", err
	}
	fmt.Fprint(p.a.stderr, lessons.Block(question))
	type typed struct {
		text string
		err  error
	}
	// A read from a terminal cannot be called off. After an interrupt the
	// process ends, and this with it.
	got := make(chan typed, 1)
	go func() {
		b, err := p.in.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			err = errLongLine
		}
		got <- typed{strings.TrimSpace(string(b)), err}
	}()
	select {
	case <-ctx.Done():
		fmt.Fprintln(p.a.stderr)
		return "", ctx.Err()
	case t := <-got:
		if errors.Is(t.err, io.EOF) && t.text != "" {
			return t.text, nil
		}
		return t.text, t.err
	}
}

// confirm asks for a yes; everything else is a no.
func (a *app) confirm(ctx context.Context, question string) (bool, error) {
	answer, err := a.prompter().line(ctx, question+" [y/N] ")
	if errors.Is(err, io.EOF) {
		return false, nil
	}
	answer = strings.ToLower(answer)
	return answer == "y" || answer == "yes", err
}
