package tui

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"learnings/index/curate"
	"learnings/lessons"
	"learnings/tui/card"
	"learnings/tui/kit"
)

// This file is what becomes of a text when its editor is left: it is stored, stored and
// approved, or kept as a draft.

// approveTextMsg asks for a lesson to be approved with what was typed.
type approveTextMsg struct {
	edit   curate.Action
	lesson lessons.Lesson // as it is stored
	edited lessons.Lesson
	reader bool // it was read, and the next one is to be
}

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
		if m, ok := next.(merge); ok && approve {
			return m.accepted()
		}
		return next, kit.Out{}
	case same && !approve:
		return d.kept, kit.Say("left as it was").And(d.forgotten())
	case approve:
		return nil, kit.Out{Answer: approveTextMsg{edit: curate.EditTyped(l), lesson: d.lesson, edited: l, reader: d.reader}}.And(d.forgotten())
	}
	return d.kept, kit.Out{Answer: decideMsg{action: curate.EditTyped(l), chosen: only(d.lesson)}}
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
	return d.kept, kit.Say("your text is kept as a draft; i goes on with it").And(kit.Out{Writes: []kit.Job{keepText(d.fx, d.lesson, d.draft())}})
}

// hand gives all of it to the person's own editor.
func (d editor) hand() (kit.Dialog, kit.Out) {
	l, fx, on, edited := d.lesson, d.fx, d.on, d.draft()
	changed := len(d.differing()) > 0
	return nil, kit.Out{Writes: []kit.Job{func(ctx context.Context) tea.Msg {
		if changed {
			if _, err := curate.Keep(fx.Corpus, l, edited); err != nil {
				return draftKeptMsg{err}
			}
		}
		return fx.draft(on, l)(ctx)
	}}}
}

// unsaved is the job that keeps what is typed in a dialog when the screens end.
func unsaved(d kit.Dialog) []kit.Job {
	if d, ok := d.(editor); ok && d.ready && d.give == nil && len(d.differing()) > 0 {
		return []kit.Job{keepText(d.fx, d.lesson, d.draft())}
	}
	return nil
}

// approveText stores a text and approves the lesson, unless what is active contradicts it:
// then the text is stored, and the lesson waits.
func approveText(fx effects, edit curate.Action, edited lessons.Lesson, c chosen) kit.Job {
	return func(ctx context.Context) tea.Msg {
		other, ok := curate.Active(fx.Corpus.Opposing(ctx, edited))
		if !ok {
			return fx.decide(edit.Then(curate.Approve), c)(ctx)
		}
		m := fx.decide(edit, c)(ctx).(decidedMsg)
		if m.err == nil {
			m.action, m.err = curate.Approve, fmt.Errorf("its text is stored, but it contradicts “%s”, which is active: c settles it", other.Title(48))
		}
		return m
	}
}

// asked asks for the typed yes where what was typed is flagged.
func (m approveTextMsg) asked(fx effects) (kit.Out, bool) {
	if len(card.Flags(m.edited)) == 0 {
		return kit.Out{}, false
	}
	yes := typedYes{chosen: only(m.lesson), action: m.edit.Then(curate.Approve), typed: &m.edited, in: kit.NewField("")}
	return kit.Ask(yes).And(kit.Out{Writes: []kit.Job{keepText(fx, m.lesson, m.edited)}}), true
}

// approveTyped approves a proposal with what was typed, and shows it as done.
func approveTyped(p review, m approveTextMsg) (review, kit.Out) {
	if o, asked := m.asked(p.fx); asked {
		return p, o
	}
	c := only(m.lesson)
	p.last, p.turned = curate.Approve, chosen{}
	p, o := p.made(approveText(p.fx, m.edit, m.edited, c), c.ls)
	if l, ok := p.current(); ok && m.reader && len(l.Evidence) > 0 {
		o = o.And(readLesson(p.fx, l))
	}
	return p, o
}
