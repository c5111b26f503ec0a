package tui

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
	"learnings/tui/decide"
	"learnings/tui/desk"
	"learnings/tui/kit"
)

// This file runs the person's own editor on a lesson. The text is a
// [curate.Draft]: whatever goes wrong, it is kept, the status line says where,
// and the next edit of that lesson goes on with it.

// draftMsg answers draft: the editor can be opened.
type draftMsg struct {
	on    desk.Screen
	draft *curate.Draft
	err   error
}

// draft writes a lesson to where the editor will find it.
func openDraft(fx desk.Desk, on desk.Screen, l lessons.Lesson) kit.Job {
	return func(context.Context) tea.Msg {
		m := draftMsg{on: on}
		if len(fx.Editor) == 0 {
			m.err = errors.New("no editor is set: set VISUAL or EDITOR, or press i to edit the sentence here")
		} else if _, err := exec.LookPath(fx.Editor[0]); err != nil {
			m.err = fmt.Errorf("the editor %q was not found: set VISUAL or EDITOR, or press i to edit the sentence here", fx.Editor[0])
		} else {
			m.draft, m.err = fx.Corpus.OpenDraft(l)
		}
		return m
	}
}

// leftMsg says that the person has left the editor.
type leftMsg struct {
	draftMsg
	err error // of the editor
}

// edit gives the terminal to the editor.
func runEditor(fx desk.Desk, m draftMsg) tea.Cmd {
	argv := append(slices.Clone(fx.Editor), m.draft.Path)
	return tea.Exec(&child{Cmd: exec.Command(argv[0], argv[1:]...)}, func(err error) tea.Msg {
		return leftMsg{draftMsg: m, err: err}
	})
}

// A child is a program that has the terminal for a while.
type child struct{ *exec.Cmd }

// leastRun is how long a child keeps the terminal at least. When one returns at
// once, bubbletea 2.0.9 can stop drawing for good (its issue 1778).
const leastRun = 60 * time.Millisecond

func (c *child) Run() error {
	end := time.Now().Add(leastRun)
	err := c.Cmd.Run()
	time.Sleep(time.Until(end))
	return err
}

// SetStdin hands on a terminal only: exec would wait for any other reader to
// end.
func (c *child) SetStdin(r io.Reader) {
	switch f := r.(type) {
	case *os.File:
		c.Stdin = f
	case *stdin:
		c.Stdin = f.File
	}
}

func (c *child) SetStdout(w io.Writer) { c.Stdout = w }
func (c *child) SetStderr(w io.Writer) { c.Stderr = w }

// brokenMsg is a draft that cannot be stored as it is.
type brokenMsg struct {
	path string
	err  error
}

// sameMsg is a draft that says what the lesson says.
type sameMsg struct{}

// collect reads a draft when the editor is done.
func collectDraft(fx desk.Desk, m leftMsg) kit.Job {
	return func(context.Context) tea.Msg {
		d := m.draft
		if m.err != nil {
			return brokenMsg{path: d.Path, err: fmt.Errorf("the editor ended with %v; nothing was stored", m.err)}
		}
		edited, err := d.Read()
		switch {
		case errors.Is(err, curate.ErrUnchanged):
			return sameMsg{}
		case err != nil:
			return brokenMsg{path: d.Path, err: err}
		}
		return desk.EditedMsg{On: m.on, DecideMsg: desk.DecideMsg{Action: curate.EditDraft(d, edited), Chosen: desk.Only(d.Lesson)}}
	}
}

// editStep leads an edit on, from the draft to the editor and back to a pane.
// Its notes are for the status line.
func editStep(fx desk.Desk, msg tea.Msg) kit.Out {
	switch m := msg.(type) {
	case draftMsg:
		if m.err != nil {
			return kit.Warn("%v", m.err)
		}
		o := kit.Out{Cmd: runEditor(fx, m)}
		if m.draft.Again {
			o = o.And(kit.Say("this is the text that was not stored last time"))
		}
		return o
	case leftMsg:
		return kit.Run(collectDraft(fx, m))
	case brokenMsg:
		return kit.Warn("%v · your text is kept, e opens it again: %s", m.err, m.path)
	case decide.DraftKeptMsg:
		if m.Err != nil {
			return kit.Warn("the draft could not be kept: %v", m.Err)
		}
	case sameMsg:
		return kit.Say("nothing was changed")
	}
	return kit.Out{}
}
