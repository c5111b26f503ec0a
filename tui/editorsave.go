package tui

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"learnings/index/curate"
	"learnings/lessons"
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
func (d editor) save(approve bool) (dialog, out) {
	l, e, err := d.edited()
	if err != nil {
		d.at = e
		return d, warn("%v", err)
	}
	same := len(d.differing()) == 0
	switch {
	case d.give != nil:
		next := d.give(l)
		if m, ok := next.(merge); ok && approve {
			return m.accepted()
		}
		return next, out{}
	case same && !approve:
		return d.kept, say("left as it was").and(d.forgotten())
	case approve:
		return nil, out{answer: approveTextMsg{edit: curate.EditTyped(l), lesson: d.lesson, edited: l, reader: d.reader}}.and(d.forgotten())
	}
	return d.kept, out{answer: decideMsg{action: curate.EditTyped(l), chosen: only(d.lesson)}}
}

// forgotten has the draft removed where the entries say what is stored.
func (d editor) forgotten() out {
	if d.again && len(d.differing()) == 0 {
		return out{writes: []job{dropText(d.fx, d.lesson)}}
	}
	return out{}
}

// leave goes back. What was typed stays as a draft.
func (d editor) leave() (dialog, out) {
	if !d.ready || len(d.differing()) == 0 {
		return d.kept, say("left as it was").and(d.forgotten())
	}
	if d.give != nil {
		return d.kept, say("left as it was")
	}
	if _, e, err := d.edited(); err != nil && e != inSentence && !d.warned {
		d.warned = true
		return d, warn("%v · mend it, or esc again leaves that out", err)
	}
	return d.kept, say("your text is kept as a draft; ‹edit-line i› goes on with it").and(out{writes: []job{keepText(d.fx, d.lesson, d.draft())}})
}

// hand gives all of it to the person's own editor.
func (d editor) hand() (dialog, out) {
	l, fx, on, edited := d.lesson, d.fx, d.on, d.draft()
	changed := len(d.differing()) > 0
	return nil, out{writes: []job{func(ctx context.Context) tea.Msg {
		if changed {
			if _, err := curate.Keep(fx.Corpus, l, edited); err != nil {
				return draftKeptMsg{err}
			}
		}
		return fx.draft(on, l)(ctx)
	}}}
}

// unsaved is the job that keeps what is typed in a dialog when the screens end.
func unsaved(d dialog) []job {
	if d, ok := d.(editor); ok && d.ready && d.give == nil && len(d.differing()) > 0 {
		return []job{keepText(d.fx, d.lesson, d.draft())}
	}
	return nil
}

// approveText stores a text and approves the lesson, unless what is active contradicts it:
// then the text is stored, and the lesson waits.
func approveText(fx effects, edit curate.Action, edited lessons.Lesson, c chosen) job {
	return func(ctx context.Context) tea.Msg {
		other, ok := curate.Active(fx.Corpus.Opposing(ctx, edited))
		if !ok {
			return fx.decide(edit.Then(curate.Approve), c)(ctx)
		}
		m := fx.decide(edit, c)(ctx).(decidedMsg)
		if m.err == nil {
			m.action, m.err = curate.Approve, fmt.Errorf("its text is stored, but it contradicts “%s”, which is active: ‹settle c› settles it", other.Title(48))
		}
		return m
	}
}

// asked asks for the typed yes where what was typed is flagged.
func (m approveTextMsg) asked(fx effects) (out, bool) {
	if len(flags(m.edited)) == 0 {
		return out{}, false
	}
	yes := typedYes{chosen: only(m.lesson), action: m.edit.Then(curate.Approve), typed: &m.edited, in: newField("")}
	return ask(yes).and(out{writes: []job{keepText(fx, m.lesson, m.edited)}}), true
}

// approveTyped approves a proposal with what was typed, and shows it as done.
func approveTyped(p review, m approveTextMsg) (review, out) {
	if o, asked := m.asked(p.fx); asked {
		return p, o
	}
	c := only(m.lesson)
	p.last, p.turned = curate.Approve, chosen{}
	p, o := p.made(approveText(p.fx, m.edit, m.edited, c), c.ls)
	if l, ok := p.current(); ok && m.reader && len(l.Evidence) > 0 {
		o = o.and(readLesson(p.fx, l))
	}
	return p, o
}
