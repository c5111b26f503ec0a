// Package term talks to a person or a script: answers as tables, tab-separated lines or
// JSON, warnings, questions, a progress bar, and errors with hints.
//
// Text from lessons and transcripts must pass through lessons.Line or lessons.Block
// before it is printed, so that no escape sequence reaches a terminal.
package term

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"syscall"
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

// Limits on ids read from standard input.
const (
	maxIDLine = 1 << 20 // a line may be a whole lesson as JSON
	maxIDs    = 100_000
)

// ReadIDs reads ids from this program's output: an id on a line, tab-separated cells that
// begin with one, or a JSON object with one.
func ReadIDs(r io.Reader) ([]string, error) {
	var out []string
	in := bufio.NewScanner(r)
	in.Buffer(nil, maxIDLine)
	for n := 1; in.Scan(); n++ {
		line := strings.TrimSpace(in.Text())
		id, _, _ := strings.Cut(line, "\t")
		if strings.HasPrefix(line, "{") {
			var l struct{ ID string }
			if err := json.Unmarshal([]byte(line), &l); err != nil || l.ID == "" {
				return nil, Usagef("standard input, line %d: a JSON object without an id", n)
			}
			id = l.ID
		}
		if id = strings.TrimSpace(id); id == "" {
			continue
		}
		if out = append(out, id); len(out) > maxIDs {
			return nil, Usagef("more than %d ids on standard input", maxIDs)
		}
	}
	if err := in.Err(); err != nil {
		return nil, fmt.Errorf("reading ids from standard input: %w", err)
	}
	return out, nil
}

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

// A Bar shows progress on the last line of standard error. While it is shown, all other
// output to standard error must go through it. It is safe for concurrent use.
type Bar struct {
	mu    sync.Mutex
	w     io.Writer
	now   func() time.Time
	on    bool
	drawn bool
	start time.Time
	last  time.Time
}

const (
	barEvery = 100 * time.Millisecond // at least between two updates
	barWidth = 24                     // columns, without brackets
)

// Write removes the bar and writes text in its place.
func (b *Bar) Write(text []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.erase()
	return b.w.Write(text)
}

// Clear removes the bar.
func (b *Bar) Clear() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.erase()
}

func (b *Bar) erase() {
	if b.drawn {
		fmt.Fprint(b.w, "\r\x1b[K")
		b.drawn = false
	}
}

// Show draws the bar with done of total filled, followed by text. It ignores calls that
// follow each other too quickly.
func (b *Bar) Show(done, total int64, text string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.now()
	if !b.on || now.Sub(b.last) < barEvery && b.drawn {
		return
	}
	b.last, b.drawn = now, true
	part := 0.0
	if total > 0 {
		part = min(float64(done)/float64(total), 1)
	}
	full := int(part * barWidth)
	left := ""
	// Too early for an estimate.
	if took := now.Sub(b.start); part > 0.02 && took > time.Second {
		left = fmt.Sprintf(", %v left", time.Duration(float64(took)/part*(1-part)).Round(time.Second))
	}
	fmt.Fprintf(b.w, "\r[%s%s] %s%s\x1b[K", strings.Repeat("#", full), strings.Repeat(".", barWidth-full), text, left)
}

// EditorCommand returns the command of the person's editor: VISUAL, EDITOR, or the
// system's default. goos is a GOOS value.
func (c *Console) EditorCommand(getenv func(string) string, goos string) ([]string, error) {
	for _, key := range []string{"VISUAL", "EDITOR"} {
		if s := strings.TrimSpace(getenv(key)); s != "" {
			words, err := Words(s)
			if err != nil {
				return nil, fmt.Errorf("%s=%s: %v", key, s, err)
			}
			return words, nil
		}
	}
	if goos == "windows" {
		return []string{"notepad"}, nil
	}
	if !c.Interactive() { // vi would wait for keys that nobody can press
		return nil, Hint(Usagef("no editor is named, and there is no terminal for vi"), "set VISUAL or EDITOR, or type it in a terminal; `learnings edit ID --content …` changes single fields")
	}
	return []string{"vi"}, nil
}

// RunEditor runs the editor on a file and waits for it.
func (c *Console) RunEditor(editor []string, path string) error {
	if err := c.Out.Flush(); err != nil {
		return err
	}
	program, err := exec.LookPath(editor[0])
	if err != nil && !errors.Is(err, exec.ErrDot) {
		return Hint(fmt.Errorf("there is no editor %q on this machine", editor[0]),
			"set VISUAL or EDITOR to one that there is, or change single fields: `learnings edit ID --content …`")
	}
	cmd := exec.Command(program, append(editor[1:], path)...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = c.In, c.Out.Raw, c.Err
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("the editor %s failed: %v", editor[0], err)
	}
	return nil
}

// Words splits a line at blanks, with quotes as in a shell. A backslash only escapes a
// blank or a quote, because Windows paths contain backslashes. The error means an
// unclosed quote; the words are valid as if it were closed.
func Words(line string) (words []string, err error) {
	var word []byte // nil between words
	quote := byte(0)
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case quote == 0 && (c == ' ' || c == '\t' || c == '\n'):
			if word != nil {
				words, word = append(words, string(word)), nil
			}
			continue
		case c == quote:
			quote = 0
			continue
		case quote == 0 && (c == '"' || c == '\''):
			quote, word = c, append([]byte{}, word...)
			continue
		case c == '\\' && quote != '\'' && i+1 < len(line) && strings.IndexByte(` "'`, line[i+1]) >= 0:
			i++
		}
		word = append(word, line[i])
	}
	if word != nil {
		words = append(words, string(word))
	}
	if quote != 0 {
		err = fmt.Errorf("a quote %c is not closed", quote)
	}
	return words, err
}

// ShellQuote quotes a text for a POSIX shell.
func ShellQuote(s string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r > 0x7f || strings.ContainsRune("/.-_+:@%,", r)
	}
	if s != "" && strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
