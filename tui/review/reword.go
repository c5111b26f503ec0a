package review

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"learnings/index/curate"
	"learnings/lessons"
	"learnings/tui/card"
	"learnings/tui/desk"
	"learnings/tui/kit"
	"learnings/tui/look"
)

// A rewording asks a model for a better wording of one proposal: it says what that
// sends and costs, unless it is free, then shows the wording. The wording stays with
// the proposal as an offer, whether it is taken or not.
type rewording struct {
	fx     desk.Desk
	lesson lessons.Lesson
	run    desk.RewordRun
	state  rewordState
	err    error
	sent   bool // what would be sent is shown
	kit.Scroll
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
	run desk.RewordRun
	err error
}

// rewordedMsg is a proposal with the wording that a model offers.
type rewordedMsg struct {
	id     lessons.ID
	lesson lessons.Lesson
	err    error
}

func planReword(fx desk.Desk, l lessons.Lesson) kit.Job {
	return func(ctx context.Context) tea.Msg {
		l, err := fx.Corpus.Current(l) // with what stands around its evidence
		if err != nil {
			return rewordPlannedMsg{id: l.ID, err: err}
		}
		run, err := fx.Reword(ctx, l)
		return rewordPlannedMsg{id: l.ID, run: run, err: err}
	}
}

func runReword(fx desk.Desk, id lessons.ID, r desk.RewordRun) kit.Job {
	return func(ctx context.Context) tea.Msg {
		l, err := r.Run(ctx)
		if err == nil {
			fx.Shared.Wrote(l)
		}
		return rewordedMsg{id: id, lesson: l, err: err}
	}
}

func (d rewording) Update(msg tea.Msg) (kit.Dialog, kit.Out) {
	switch m := msg.(type) {
	case kit.RoomMsg:
		d.RoomMsg = m
	case rewordPlannedMsg:
		if m.id != d.lesson.ID {
			return d, kit.Out{}
		}
		if d.run, d.err, d.state = m.run, m.err, planned; m.err == nil && m.run.Free {
			return d.ask()
		}
	case rewordedMsg:
		if m.id != d.lesson.ID {
			return d, kit.Out{}
		}
		if d.err, d.state = m.err, offeredNow; m.err == nil {
			d.lesson = m.lesson
		}
	case tea.KeyPressMsg:
		switch k := m.String(); {
		case d.sent && (k == "esc" || k == "q" || k == "v"):
			d.sent = false
			return d, kit.Out{}
		case k == "esc" || k == "q":
			return nil, kit.Out{}
		case k == "v" && d.state == planned && d.err == nil:
			d.sent, d.Top = true, 0
		case (k == "enter" || k == "y") && d.state == planned && d.err == nil && !d.sent:
			return d.ask()
		case (k == "enter" || k == "t") && d.state == offeredNow && d.err == nil:
			return nil, kit.Out{Answer: desk.DecideMsg{Action: curate.Take, Chosen: desk.Only(d.lesson), Sure: true}}
		}
	}
	if d.sent {
		d.Scroll = d.By(kit.Scrolling(msg, d.H-2), len(d.text(d.W)), d.H-2)
	}
	return d, kit.Out{}
}

func (d rewording) ask() (kit.Dialog, kit.Out) {
	d.state = asking
	return d, kit.Run(runReword(d.fx, d.lesson.ID, d.run))
}

func (d rewording) Hints() []kit.Hint {
	switch {
	case d.sent:
		return []kit.Hint{{Key: "j k", Foot: "scroll"}, {Key: "esc", Foot: "back"}}
	case d.err == nil && d.state == planned:
		return []kit.Hint{{Key: "enter", Foot: "ask it"}, {Key: "v", Foot: "what is sent"}, {Key: "esc", Foot: "leave it"}}
	case d.err == nil && d.state == offeredNow:
		return []kit.Hint{{Key: "enter", Foot: "take it"}, {Key: "esc", Foot: "leave it on the card"}}
	}
	return []kit.Hint{{Key: "esc", Foot: "back"}}
}

// text is what is sent, wrapped for a frame of w cells.
func (d rewording) text(w int) []string { return kit.Wrap(lessons.Block(d.run.Text), max(w-4, 1)) }

func (d rewording) View(w, h int, st *look.Style) string {
	name := lessons.Line(d.run.Name)
	if d.sent {
		return kit.Box{Title: st.Accent.Render("what is sent to " + name), On: true}.Draw(kit.Indented(kit.Clip(d.text(w), d.Top, h-2)), w, h, st)
	}
	w = min(w, kit.AskW)
	var lines []string
	switch {
	case d.err != nil:
		lines = kit.Paragraph(d.err.Error(), w-6, st.Bad)
	case d.state == planning:
		lines = []string{st.Dim.Render("Looking for a model…")}
	case d.state == planned:
		lines = kit.Fact("sends", fmt.Sprintf("the proposal and what was said around it, about %s tokens with the instructions; secrets are taken out · v shows it", kit.Grouped(d.run.Tokens)), w-6, st.Text, st)
		lines = append(lines, kit.Fact("cost", lessons.Line(d.run.Cost), w-6, st.Warn, st)...)
		lines = append(lines, kit.Fact("next", "enter → it offers a wording, which you may take", w-6, st.Text, st)...)
	case d.state == asking:
		lines = []string{st.Dim.Render(name + " is asked…")}
	default:
		lines = card.Better(d.lesson, w-6, "enter takes it", st)
	}
	title := "a better wording"
	if name != "" {
		title += " by " + name
	}
	lines = append(append([]string{""}, kit.Indented(kit.Indented(lines))...), "")
	return kit.Box{Title: st.Accent.Render(title), On: true}.Draw(lines, w, min(len(lines)+2, h), st)
}

// offerShown shows the wording that a model offers on the card of the proposal.
func offerShown(p Review, m rewordedMsg) (Review, kit.Out) {
	if m.err != nil {
		return p, kit.Warn("no better wording: %v", m.err)
	}
	if i := p.find(m.id); i >= 0 {
		p.Queue = p.set(i, m.lesson)
	}
	if p.Card.Lesson.ID == m.id {
		p.Card.Lesson = m.lesson
	}
	return p, kit.Say("a better wording of “%s” is on its card; b takes it", m.lesson.Title(40)).And(kit.Run(p.fx.Sync()))
}
