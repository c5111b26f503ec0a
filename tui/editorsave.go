package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"learnings/index/curate"
	"learnings/tui/decide"
	"learnings/tui/desk"
	"learnings/tui/kit"
)

// This file is what becomes of a text when its editor is left: it is stored, stored and
// approved, or kept as a draft.

// save stores what was typed, and with approve has it approved too.
func (d editor) save(approve bool) (kit.Dialog, kit.Out) {
	l, e, err := d.edited()
	if err != nil {
		d.at = e
		return d, kit.Warn("%v", err)
	}
	same := len(d.differing()) == 0
	switch {
	case d.give != nil:
		next := d.give(l)
		if m, ok := next.(decide.Merge); ok && approve {
			return m.Accepted()
		}
		return next, kit.Out{}
	case same && !approve:
		return d.kept, kit.Say("left as it was").And(d.forgotten())
	case approve:
		return nil, kit.Out{Answer: decide.ApproveTextMsg{Edit: curate.EditTyped(l), Lesson: d.lesson, Edited: l, Reader: d.reader}}.And(d.forgotten())
	}
	return d.kept, kit.Out{Answer: desk.DecideMsg{Action: curate.EditTyped(l), Chosen: desk.Only(d.lesson)}}
}

// forgotten has the draft removed where the entries say what is stored.
func (d editor) forgotten() kit.Out {
	if d.again && len(d.differing()) == 0 {
		return kit.Out{Writes: []kit.Job{dropText(d.fx, d.lesson)}}
	}
	return kit.Out{}
}

// leave goes back. What was typed stays as a draft.
func (d editor) leave() (kit.Dialog, kit.Out) {
	if !d.ready || len(d.differing()) == 0 {
		return d.kept, kit.Say("left as it was").And(d.forgotten())
	}
	if d.give != nil {
		return d.kept, kit.Say("left as it was")
	}
	if _, e, err := d.edited(); err != nil && e != inSentence && !d.warned {
		d.warned = true
		return d, kit.Warn("%v · mend it, or esc again leaves that out", err)
	}
	return d.kept, kit.Say("your text is kept as a draft; i goes on with it").And(kit.Out{Writes: []kit.Job{decide.KeepText(d.fx, d.lesson, d.draft())}})
}

// hand gives all of it to the person's own editor.
func (d editor) hand() (kit.Dialog, kit.Out) {
	l, fx, on, edited := d.lesson, d.fx, d.on, d.draft()
	changed := len(d.differing()) > 0
	return nil, kit.Out{Writes: []kit.Job{func(ctx context.Context) tea.Msg {
		if changed {
			if _, err := curate.Keep(fx.Corpus, l, edited); err != nil {
				return decide.DraftKeptMsg{Err: err}
			}
		}
		return openDraft(fx, on, l)(ctx)
	}}}
}

// unsaved is the job that keeps what is typed in a dialog when the screens end.
func unsaved(d kit.Dialog) []kit.Job {
	if d, ok := d.(editor); ok && d.ready && d.give == nil && len(d.differing()) > 0 {
		return []kit.Job{decide.KeepText(d.fx, d.lesson, d.draft())}
	}
	return nil
}
