package tui

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"learnings/index/curate"
	"learnings/lessons"
	"learnings/tui/look"
)

// A rewording asks a model for a better wording of one proposal: it says what that
// sends and costs, unless it is free, then shows the wording. The wording stays with
// the proposal as an offer, whether it is taken or not.
type rewording struct {
	fx     effects
	lesson lessons.Lesson
	run    RewordRun
	state  rewordState
	err    error
	sent   bool // what would be sent is shown
	scroll
}

// A rewordState is how far a rewording has come.
type rewordState int

const (
	planning rewordState = iota
	planned
	asking
	offeredNow
)

// rewordPlannedMsg says what asking for another wording sends and costs.
type rewordPlannedMsg struct {
	id  lessons.ID
	run RewordRun
	err error
}

// rewordedMsg is a proposal with the wording that a model offers.
type rewordedMsg struct {
	id     lessons.ID
	lesson lessons.Lesson
	err    error
}

func (fx effects) planReword(l lessons.Lesson) job {
	return func(ctx context.Context) tea.Msg {
		l, err := fx.Corpus.Current(l) // with what stands around its evidence
		if err != nil {
			return rewordPlannedMsg{id: l.ID, err: err}
		}
		run, err := fx.Reword(ctx, l)
		return rewordPlannedMsg{id: l.ID, run: run, err: err}
	}
}

func (fx effects) reword(id lessons.ID, r RewordRun) job {
	return func(ctx context.Context) tea.Msg {
		l, err := r.Run(ctx)
		if err == nil {
			fx.shared.wrote(l)
		}
		return rewordedMsg{id: id, lesson: l, err: err}
	}
}

func (d rewording) update(msg tea.Msg) (dialog, out) {
	switch m := msg.(type) {
	case roomMsg:
		d.roomMsg = m
	case rewordPlannedMsg:
		if m.id != d.lesson.ID {
			return d, out{}
		}
		if d.run, d.err, d.state = m.run, m.err, planned; m.err == nil && m.run.Free {
			return d.ask()
		}
	case rewordedMsg:
		if m.id != d.lesson.ID {
			return d, out{}
		}
		if d.err, d.state = m.err, offeredNow; m.err == nil {
			d.lesson = m.lesson
		}
	case tea.KeyPressMsg:
		switch k := m.String(); {
		case d.sent && (k == "esc" || k == "q" || k == "v"):
			d.sent = false
			return d, out{}
		case k == "esc" || k == "q":
			return nil, out{}
		case k == "v" && d.state == planned && d.err == nil:
			d.sent, d.top = true, 0
		case (k == "enter" || k == "y") && d.state == planned && d.err == nil && !d.sent:
			return d.ask()
		case (k == "enter" || k == "t") && d.state == offeredNow && d.err == nil:
			return nil, out{answer: decideMsg{action: curate.Take, chosen: only(d.lesson), sure: true}}
		}
	}
	if d.sent {
		d.scroll = d.by(turned(msg, d.h-2), len(d.text(d.w)), d.h-2)
	}
	return d, out{}
}

func (d rewording) ask() (dialog, out) {
	d.state = asking
	return d, run(d.fx.reword(d.lesson.ID, d.run))
}

func (d rewording) hints() []hint {
	switch {
	case d.sent:
		return []hint{{key: "j k", foot: "scroll"}, {key: "esc", foot: "back"}}
	case d.err == nil && d.state == planned:
		return []hint{{key: "enter", foot: "ask it"}, {key: "v", foot: "what is sent"}, {key: "esc", foot: "leave it"}}
	case d.err == nil && d.state == offeredNow:
		return []hint{{key: "enter", foot: "take it"}, {key: "esc", foot: "leave it on the card"}}
	}
	return []hint{{key: "esc", foot: "back"}}
}

// text is what is sent, wrapped for a frame of w cells.
func (d rewording) text(w int) []string { return wrap(lessons.Block(d.run.Text), max(w-4, 1)) }

func (d rewording) view(w, h int, st *look.Style) string {
	name := lessons.Line(d.run.Name)
	if d.sent {
		return box{title: st.Accent.Render("what is sent to " + name), on: true}.draw(indented(clip(d.text(w), d.top, h-2)), w, h, st)
	}
	w = min(w, askW)
	var lines []string
	switch {
	case d.err != nil:
		lines = paragraph(d.err.Error(), w-6, st.Bad)
	case d.state == planning:
		lines = []string{st.Dim.Render("Looking for a model…")}
	case d.state == planned:
		lines = field("sends", fmt.Sprintf("the proposal and what was said around it, about %s tokens with the instructions; secrets are taken out · v shows it", grouped(d.run.Tokens)), w-6, st.Text, st)
		lines = append(lines, field("cost", lessons.Line(d.run.Cost), w-6, st.Warn, st)...)
		lines = append(lines, field("next", "enter → it offers a wording, which you may take", w-6, st.Text, st)...)
	case d.state == asking:
		lines = []string{st.Dim.Render(name + " is asked…")}
	default:
		lines = better(d.lesson, w-6, "enter takes it", st)
	}
	title := "a better wording"
	if name != "" {
		title += " by " + name
	}
	lines = append(append([]string{""}, indented(indented(lines))...), "")
	return box{title: st.Accent.Render(title), on: true}.draw(lines, w, min(len(lines)+2, h), st)
}

// offerShown shows the wording that a model offers on the card of the proposal.
func offerShown(p review, m rewordedMsg) (review, out) {
	if m.err != nil {
		return p, warn("no better wording: %v", m.err)
	}
	if i := p.find(m.id); i >= 0 {
		p.queue = p.set(i, m.lesson)
	}
	if p.card.lesson.ID == m.id {
		p.card.lesson = m.lesson
	}
	return p, say("a better wording of “%s” is on its card; ‹take-wording b› takes it", m.lesson.Title(40)).and(run(p.fx.sync()))
}
