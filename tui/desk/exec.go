package desk

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"learnings/tui/kit"
)

// This file gives the terminal to other programs.

// Exec returns a command that runs a program in the terminal and then sends what then
// returns.
func Exec(argv []string, then func(error) tea.Msg) tea.Cmd {
	return tea.Exec(&child{exec.Command(argv[0], argv[1:]...)}, then)
}

// CanEdit returns an error if there is no editor.
func (fx Desk) CanEdit() error {
	if len(fx.Editor) == 0 {
		return fmt.Errorf("no editor is set: set VISUAL or EDITOR")
	}
	if _, err := exec.LookPath(fx.Editor[0]); err != nil {
		return fmt.Errorf("the editor %q was not found: set VISUAL or EDITOR", fx.Editor[0])
	}
	return nil
}

// toLine are the editors that open a file at a line given as +N.
var toLine = []string{"vi", "vim", "nvim", "view", "nano", "emacs", "emacsclient", "micro", "kak", "joe", "mg"}

// EditFile opens a file in the person's editor, at a line where the editor can, and then
// sends answer.
func (fx Desk) EditFile(path string, line int, answer tea.Msg) kit.Out {
	return kit.Run(func(context.Context) tea.Msg {
		if err := fx.CanEdit(); err != nil {
			return kit.OutMsg{Out: kit.Warn("%v", err)}
		}
		argv := slices.Clone(fx.Editor)
		if slices.Contains(toLine, filepath.Base(argv[0])) {
			argv = append(argv, fmt.Sprintf("+%d", max(line, 1)))
		}
		return kit.OutMsg{Out: kit.Out{Cmd: Exec(append(argv, path), func(err error) tea.Msg {
			if err != nil {
				return kit.OutMsg{Out: kit.Warn("the editor ended with %v", err)}
			}
			return answer
		})}}
	})
}

// A child is a program that uses the terminal for a while.
type child struct{ *exec.Cmd }

// leastRun is the least time a child keeps the terminal. If one returns at once,
// bubbletea 2.0.9 can stop drawing for good (its issue 1778).
const leastRun = 60 * time.Millisecond

func (c *child) Run() error {
	end := time.Now().Add(leastRun)
	err := c.Cmd.Run()
	time.Sleep(time.Until(end))
	return err
}

// SetStdin passes on terminals only: exec would wait for any other reader to end.
func (c *child) SetStdin(r io.Reader) {
	if t, ok := r.(interface{ Terminal() *os.File }); ok {
		r = t.Terminal()
	}
	if f, ok := r.(*os.File); ok {
		c.Stdin = f
	}
}

func (c *child) SetStdout(w io.Writer) { c.Stdout = w }
func (c *child) SetStderr(w io.Writer) { c.Stderr = w }
