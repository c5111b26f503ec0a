package sessions

import (
	"context"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"learnings/lessons"
	"learnings/tui/desk"
	"learnings/tui/kit"
	"learnings/tui/look"
)

// This file is about asking a model to read sessions. What it would be sent and cost
// is shown first, and nothing is sent before the person says so.

// atHandMsg answers atHand: the model that is offered first; "" for none.
type atHandMsg struct{ name string }

// atHand looks for a model at hand.
func modelAtHand(fx desk.Desk) kit.Job {
	return func(ctx context.Context) tea.Msg {
		if fx.AtHand == nil {
			return nil
		}
		return atHandMsg{fx.AtHand(ctx)}
	}
}

// plannedMsg answers plan.
type plannedMsg struct {
	name string // that was asked for
	run  desk.ModelRun
	err  error
}

// plan finds what a model would read, be sent and cost.
func planModel(fx desk.Desk, name string, paths []string) kit.Job {
	return func(ctx context.Context) tea.Msg {
		run, err := fx.Model(ctx, name, paths)
		return plannedMsg{name: name, run: run, err: err}
	}
}

// askModelMsg is a person's word to ask a model.
type askModelMsg struct{ run desk.ModelRun }

// A modelAsk shows what a model would read, be sent and cost, and asks whether to.
type modelAsk struct {
	fx    desk.Desk
	paths []string // of the sessions that it is about; none for all
	name  string   // of the model that is being planned for; "" for the first
	run   desk.ModelRun
	done  bool // run or err is there
	err   error
	sent  bool // what would be sent is shown
	kit.Scroll
}

// askModel opens the question whether a model is to read sessions.
func askModel(fx desk.Desk, paths []string) kit.Out {
	return kit.Ask(modelAsk{fx: fx, paths: paths}).And(kit.Run(planModel(fx, "", paths)))
}

func (d modelAsk) Update(msg tea.Msg) (kit.Dialog, kit.Out) {
	switch m := msg.(type) {
	case kit.RoomMsg:
		d.RoomMsg = m
	case plannedMsg:
		if m.name == d.name {
			d.run, d.err, d.done = m.run, m.err, true
		}
	case tea.KeyPressMsg:
		switch m.String() {
		case "esc", "q", "n":
			if d.sent {
				d.sent = false
				return d, kit.Out{}
			}
			return nil, kit.Say("nothing was sent")
		case "enter", "y":
			if d.ready() && !d.sent {
				return nil, kit.Out{To: askModelMsg{d.run}}
			}
		case "v":
			d.sent, d.Top = d.ready() && !d.sent, 0
		case "tab":
			if n := len(d.run.Names); d.done && n > 1 {
				i := slices.Index(d.run.Names, d.run.Name)
				d.name, d.done, d.sent = d.run.Names[(i+1)%n], false, false
				return d, kit.Run(planModel(d.fx, d.name, d.paths))
			}
		}
	}
	if d.sent {
		h := d.H - 2
		d.Scroll = d.By(kit.Scrolling(msg, h), len(d.text(d.W)), h)
	}
	return d, kit.Out{}
}

// ready reports that there is something to ask.
func (d modelAsk) ready() bool { return d.done && d.err == nil && d.run.Calls > 0 }

func (d modelAsk) Hints() []kit.Hint {
	if d.sent {
		return []kit.Hint{{Key: "j k", Foot: "scroll"}, {Key: "esc", Foot: "back"}}
	}
	var hints []kit.Hint
	if d.ready() {
		hints = []kit.Hint{{Key: "enter", Foot: "ask it"}, {Key: "v", Foot: "what is sent"}}
	}
	if len(d.run.Names) > 1 {
		hints = append(hints, kit.Hint{Key: "tab", Foot: "another model"})
	}
	return append(hints, kit.Hint{Key: "esc", Foot: "leave it"})
}

func (d modelAsk) View(w, h int, st *look.Style) string {
	if d.sent {
		right := st.Dim.Render(fmt.Sprintf("about %s tokens", kit.Grouped(d.run.Tokens)))
		return kit.Box{Title: st.Accent.Render("what is sent to " + lessons.Line(d.run.Name)), Right: right, On: true}.Draw(kit.Indented(kit.Clip(d.text(w), d.Top, h-2)), w, h, st)
	}
	w = min(w, kit.AskW)
	lines := append([]string{""}, kit.Indented(kit.Indented(d.lines(w-6, st)))...)
	lines = append(lines, "")
	return kit.Box{Title: st.Accent.Render("ask a model"), On: true}.Draw(lines, w, min(len(lines)+2, h), st)
}

// text is what is sent, wrapped for a frame of w cells.
func (d modelAsk) text(w int) []string { return kit.Wrap(lessons.Block(d.run.Text), max(w-4, 1)) }

func (d modelAsk) lines(w int, st *look.Style) []string {
	switch {
	case !d.done:
		return []string{st.Dim.Render("Looking at what no model has read…")}
	case d.err != nil:
		return kit.Paragraph(d.err.Error(), w, st.Bad)
	}
	r := d.run
	model := lessons.Line(r.Name)
	if r.Where != "" {
		model += " · " + lessons.Line(r.Where)
	}
	lines := kit.Fact("model", model, w, st.Strong, st)
	if n := len(r.Names) - 1; n > 0 {
		lines = append(lines, kit.Fact("", "tab: "+kit.Counted(n, "other")+" at hand", w, st.Dim, st)...)
	}
	if r.Calls == 0 {
		return append(lines, kit.Fact("reads", "nothing: a model has read all of it, or there is nothing to learn from", w, st.Text, st)...)
	}
	lines = append(lines, kit.Fact("reads", fmt.Sprintf("%s that no model has read", kit.Counted(r.Sessions, "session")), w, st.Text, st)...)
	lines = append(lines, kit.Fact("sends", fmt.Sprintf("about %s tokens of digest in %s; secrets are taken out · v shows it", kit.Grouped(r.Tokens), kit.Counted(r.Calls, "call")), w, st.Text, st)...)
	cost := lessons.Line(r.Cost)
	if r.Ceiling != "" {
		cost += "; a run ends at " + r.Ceiling
	}
	lines = append(lines, kit.Fact("cost", cost, w, st.Warn, st)...)
	return append(lines, kit.Fact("next", "enter → proposals wait in Review, with better wordings of those that wait there already. The choice is kept as learning.chosen_model", w, st.Text, st)...)
}

// askModel has a model read sessions.
func (p Pane) askModel(m desk.ModelRun) (Pane, kit.Out) {
	if why := p.busy(); why != "" {
		return p, kit.Warn("%s", why)
	}
	ctx, cancel := context.WithCancel(context.Background())
	at := desk.Progress{Files: m.Sessions}
	p.mine = mining{running: true, begun: p.fx.Now(), cancel: cancel, at: at, model: m.Name}
	p.marked = nil
	return p.Resize(p.w, p.h), kit.Say("%s reads %s; what it proposes waits in Review", m.Name, kit.Counted(m.Sessions, "session")).And(kit.Run(mineSessions(p.fx, ctx, at, func(ctx context.Context, report func(desk.Progress)) error {
		last := at
		var err error
		last.Found, err = m.Run(ctx, func(p desk.Progress) {
			last = p
			report(p)
		})
		report(last)
		if ctx.Err() != nil {
			return nil
		}
		return err
	})))
}

// readBy says what came of a run of a model.
func readBy(model string, found desk.Found, stopped bool, err error) kit.Out {
	switch {
	case err != nil:
		return kit.Warn("%s stopped: %v · %s by then", model, err, found)
	case stopped:
		return kit.Say("stopped; %s by then, and the rest is asked about next time", found)
	case found == (desk.Found{}):
		return kit.Say("✓ %s found nothing new", model)
	}
	return kit.Say("✓ %s: %s in Review", model, found)
}

// asks names the model at hand and the key that asks it; "" when there is none.
func (p Pane) asks() string {
	if p.model == "" {
		return ""
	}
	return "A asks " + strings.TrimSpace(lessons.Line(p.model))
}
