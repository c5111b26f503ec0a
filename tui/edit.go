package tui

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"learnings/lessons"
	"learnings/lessons/file"
)

// This file edits a lesson in the person's own editor. The rules are:
//
//   - The text lies in a draft, a file of the lesson's name, until it is stored.
//     Whatever goes wrong, the draft stays, the status line says where, and the
//     next edit of that lesson opens it again, in another session too.
//   - An edit changes what a lesson says. Id, status and evidence stay, whatever
//     the file says of them.

// draftMsg answers draft: the editor can be opened on path.
type draftMsg struct {
	on     screen
	lesson lessons.Lesson
	path   string
	again  bool // the draft of an earlier edit that was not stored
	err    error
}

// draft writes a lesson to where the editor will find it.
func (fx effects) draft(on screen, l lessons.Lesson) job {
	return func(context.Context) tea.Msg {
		m := draftMsg{on: on, lesson: l}
		if len(fx.Editor) == 0 {
			m.err = errors.New("no editor is set: set VISUAL or EDITOR, or press i to edit the sentence here")
			return m
		}
		if _, err := exec.LookPath(fx.Editor[0]); err != nil {
			m.err = fmt.Errorf("the editor %q was not found: set VISUAL or EDITOR, or press i to edit the sentence here", fx.Editor[0])
			return m
		}
		m.path, m.again, m.err = fx.writeDraft(l)
		return m
	}
}

// writeDraft gives the path of a lesson's draft and whether there was one.
func (fx effects) writeDraft(l lessons.Lesson) (path string, again bool, err error) {
	dir := fx.Drafts
	if dir == "" {
		dir = filepath.Join(os.TempDir(), "learnings-drafts")
	}
	if err := l.Validate(); err != nil {
		return "", false, err // its id would name the file
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", false, fmt.Errorf("making a place for drafts: %w", err)
	}
	path = filepath.Join(dir, string(l.ID)+".md")
	text, err := file.Encode(l)
	if err != nil {
		return "", false, fmt.Errorf("writing the draft: %w", err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return path, true, nil
	}
	if err == nil {
		_, err = f.Write(text)
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		return "", false, fmt.Errorf("writing the draft: %w", err)
	}
	return path, false, nil
}

// leftMsg says that the editor is done.
type leftMsg struct {
	draft draftMsg
	err   error
}

// edit gives the terminal to the editor.
func (fx effects) edit(m draftMsg) tea.Cmd {
	argv := append(slices.Clone(fx.Editor), m.path)
	return tea.Exec(&child{Cmd: exec.Command(argv[0], argv[1:]...)}, func(err error) tea.Msg {
		return leftMsg{draft: m, err: err}
	})
}

// A child is a program that has the terminal for a while.
type child struct{ *exec.Cmd }

// leastRun is how long a child keeps the terminal at the least. When one
// returns at once, bubbletea 2.0.9 can stop drawing for good (its issue 1778).
const leastRun = 60 * time.Millisecond

func (c *child) Run() error {
	end := time.Now().Add(leastRun)
	err := c.Cmd.Run()
	time.Sleep(time.Until(end))
	return err
}

// SetStdin hands on a terminal only: for any other reader exec would wait
// until it ends.
func (c *child) SetStdin(r io.Reader) {
	if f, ok := r.(*os.File); ok {
		c.Stdin = f
	}
}

func (c *child) SetStdout(w io.Writer) { c.Stdout = w }
func (c *child) SetStderr(w io.Writer) { c.Stderr = w }

// editedMsg is a lesson as the person wants it.
type editedMsg struct {
	on     screen
	lesson lessons.Lesson // as it was
	edited lessons.Lesson
	path   string
}

func (m editedMsg) act() act {
	a := editing(m.edited)
	a.draft = m.path
	return a
}

// brokenMsg is a draft that cannot be stored as it is.
type brokenMsg struct {
	path string
	err  error
}

// sameMsg is a draft that says what the lesson says.
type sameMsg struct{}

// collect reads a draft when the editor is done.
func (fx effects) collect(m leftMsg) job {
	return func(context.Context) tea.Msg {
		path, l := m.draft.path, m.draft.lesson
		text, err := os.ReadFile(path)
		switch {
		case err != nil:
			return brokenMsg{path: path, err: fmt.Errorf("reading the draft: %w", err)}
		case m.err != nil:
			return brokenMsg{path: path, err: fmt.Errorf("the editor ended with %v; nothing was stored", m.err)}
		case len(bytes.TrimSpace(text)) == 0:
			if err := os.Remove(path); err != nil {
				return brokenMsg{path: path, err: err}
			}
			_, _, err := fx.writeDraft(l)
			return brokenMsg{path: path, err: errors.Join(errors.New("the editor left nothing; the lesson is as it was"), err)}
		}
		edited, err := file.Decode(text)
		if err != nil {
			return brokenMsg{path: path, err: err}
		}
		if next, err := editing(edited).do(l, lessons.Decision{}); err != nil {
			return brokenMsg{path: path, err: err}
		} else if says(next, l) {
			return errOr(os.Remove(path), path)
		}
		return editedMsg{on: m.draft.on, lesson: l, edited: edited, path: path}
	}
}

func errOr(err error, path string) tea.Msg {
	if err != nil {
		return brokenMsg{path: path, err: err}
	}
	return sameMsg{}
}

// says reports that two states of a lesson are the same for who edits.
func says(a, b lessons.Lesson) bool {
	return a.Wording == b.Wording && a.Category == b.Category && a.Scope == b.Scope && a.Pinned == b.Pinned && a.Confidence.Round() == b.Confidence.Round() &&
		slices.Equal(a.Tags, b.Tags) && slices.Equal(a.Triggers, b.Triggers) && slices.Equal(a.Extra, b.Extra)
}

// stored drops the draft of what is in the store now.
func (fx effects) stored(path string) job {
	return func(context.Context) tea.Msg {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return brokenMsg{path: path, err: fmt.Errorf("removing the draft: %w", err)}
		}
		return nil
	}
}

// An editing session leads from the draft over the editor back to a pane.
// Notes are for the status line.
func (fx effects) editStep(msg tea.Msg) out {
	switch m := msg.(type) {
	case draftMsg:
		if m.err != nil {
			return warn("%v", m.err)
		}
		o := out{cmd: fx.edit(m)}
		if m.again {
			o = o.and(say("this is the text that was not stored last time"))
		}
		return o
	case leftMsg:
		return run(fx.collect(m))
	case brokenMsg:
		return warn("%v · your text is in %s; e opens it again", m.err, m.path)
	case sameMsg:
		return say("nothing was changed")
	case decidedMsg:
		if m.err == nil && m.act.draft != "" {
			return run(fx.stored(m.act.draft))
		}
	}
	return out{}
}
