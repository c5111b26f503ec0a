package decide

import (
	"context"
	"errors"
	"fmt"
	"slices"

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
		if err := fx.CanEdit(); err != nil {
			return kit.OutMsg{Out: kit.Warn("%v, or press i to edit the sentence here", err)}
		}
		d, err := fx.Corpus.OpenDraft(l)
		if err != nil {
			return kit.OutMsg{Out: kit.Warn("%v", err)}
		}
		o := kit.Out{Cmd: desk.Exec(append(slices.Clone(fx.Editor), d.Path), func(err error) tea.Msg {
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
