package decide

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"learnings/index/curate"
	"learnings/lessons"
	"learnings/tui/desk"
	"learnings/tui/kit"
)

// This file runs the person's own editor on a lesson. The text is a [curate.Draft]: if
// anything fails, it is kept, the status line says where, and the next edit of the lesson
// resumes it.

// openOwn writes a lesson to a file and opens it in the editor.
func openOwn(fx desk.Desk, on desk.Screen, l lessons.Lesson) kit.Job {
	return func(context.Context) tea.Msg {
		if len(fx.Editor) == 0 {
			return kit.OutMsg{Out: kit.Warn("no editor is set: set VISUAL or EDITOR, or press i to edit the sentence here")}
		}
		if _, err := exec.LookPath(fx.Editor[0]); err != nil {
			return kit.OutMsg{Out: kit.Warn("the editor %q was not found: set VISUAL or EDITOR, or press i to edit the sentence here", fx.Editor[0])}
		}
		d, err := fx.Corpus.OpenDraft(l)
		if err != nil {
			return kit.OutMsg{Out: kit.Warn("%v", err)}
		}
		argv := append(slices.Clone(fx.Editor), d.Path)
		o := kit.Out{Cmd: tea.Exec(&child{exec.Command(argv[0], argv[1:]...)}, func(err error) tea.Msg {
			return kit.OutMsg{Out: kit.Run(collect(on, d, err))}
		})}
		if d.Again {
			o.Note.Text = "this is the text that was not stored last time"
		}
		return kit.OutMsg{Out: o}
	}
}

// collect reads the draft when the editor has exited. failed is the editor's error.
func collect(on desk.Screen, d *curate.Draft, failed error) kit.Job {
	return func(context.Context) tea.Msg {
		var edited lessons.Lesson
		err := fmt.Errorf("the editor ended with %v; nothing was stored", failed)
		if failed == nil {
			edited, err = d.Read()
		}
		switch {
		case errors.Is(err, curate.ErrUnchanged):
			return kit.OutMsg{Out: kit.Say("nothing was changed")}
		case err != nil:
			return kit.OutMsg{Out: kit.Warn("%v · your text is kept, e opens it again: %s", err, d.Path)}
		}
		return desk.EditedMsg{On: on, DecideMsg: desk.DecideMsg{Action: curate.EditDraft(d, edited), Chosen: desk.Only(d.Lesson)}}
	}
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
