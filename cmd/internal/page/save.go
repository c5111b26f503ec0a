package page

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"learnings/lessons/state"
)

// ErrForeign means that the file exists and is not a report.
var ErrForeign = errors.New("it is there, and is no report")

// Save writes the page to a file atomically and returns a summary of it. It replaces an
// earlier report, or any file if over is set; else the error is [ErrForeign].
func (p *Page) Save(name string, over bool) (says string, err error) {
	if ours, err := isReport(name); err != nil {
		return "", err
	} else if !ours && !over {
		return "", fmt.Errorf("writing the report to %s: %w", name, ErrForeign)
	}
	evidence, n := 0, &meter{}
	err = state.WriteFile(name, func(w io.Writer) error {
		n.w = w
		evidence, err = p.Write(n)
		return err
	})
	return fmt.Sprintf("%s, evidence of %s, %.1f MB", counted(len(p.Lessons), "lesson"), Count(evidence), float64(n.n)/1e6), err
}

// isReport reports whether a file may be replaced: it is an earlier report, empty, or
// missing.
func isReport(name string) (bool, error) {
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	defer f.Close()
	head := make([]byte, 512)
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return false, err
	}
	return n == 0 || bytes.Contains(head[:n], []byte(Mark)), nil
}

// A meter counts the bytes written through it.
type meter struct {
	w io.Writer
	n int64
}

func (c *meter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}
