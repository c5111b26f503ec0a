package tui

import (
	"context"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"learnings/lessons"
	"learnings/tui/look"
)

// This file is about asking a model to read sessions. What it would be sent and cost
// is shown first, and nothing is sent before the person says so.

// atHandMsg answers atHand: the model that is offered first; "" for none.
type atHandMsg struct{ name string }

// atHand looks for a model at hand.
func (fx effects) atHand() job {
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
	run  ModelRun
	err  error
}

// plan finds what a model would read, be sent and cost.
func (fx effects) plan(name string, paths []string) job {
	return func(ctx context.Context) tea.Msg {
		run, err := fx.Model(ctx, name, paths)
		return plannedMsg{name: name, run: run, err: err}
	}
}

// askModelMsg is a person's word to ask a model.
type askModelMsg struct{ run ModelRun }

// A modelAsk shows what a model would read, be sent and cost, and asks whether to.
type modelAsk struct {
	fx    effects
	paths []string // of the sessions that it is about; none for all
	name  string   // of the model that is being planned for; "" for the first
	run   ModelRun
	done  bool // run or err is there
	err   error
	sent  bool // what would be sent is shown
	scroll
}

// askModel opens the question whether a model is to read sessions.
func askModel(fx effects, paths []string) out {
	return ask(modelAsk{fx: fx, paths: paths}).and(run(fx.plan("", paths)))
}

func (d modelAsk) update(msg tea.Msg) (dialog, out) {
	switch m := msg.(type) {
	case roomMsg:
		d.roomMsg = m
	case plannedMsg:
		if m.name == d.name {
			d.run, d.err, d.done = m.run, m.err, true
		}
	case tea.KeyPressMsg:
		switch m.String() {
		case "esc", "q", "n":
			if d.sent {
				d.sent = false
				return d, out{}
			}
			return nil, say("nothing was sent")
		case "enter", "y":
			if d.ready() && !d.sent {
				return nil, out{answer: askModelMsg{d.run}}
			}
		case "v":
			d.sent, d.top = d.ready() && !d.sent, 0
		case "tab":
			if n := len(d.run.Names); d.done && n > 1 {
				i := slices.Index(d.run.Names, d.run.Name)
				d.name, d.done, d.sent = d.run.Names[(i+1)%n], false, false
				return d, run(d.fx.plan(d.name, d.paths))
			}
		}
	}
	if d.sent {
		h := d.h - 2
		d.scroll = d.by(turned(msg, h), len(d.text(d.w)), h)
	}
	return d, out{}
}

// ready reports that there is something to ask.
func (d modelAsk) ready() bool { return d.done && d.err == nil && d.run.Calls > 0 }

func (d modelAsk) hints() []hint {
	if d.sent {
		return []hint{{key: "j k", foot: "scroll"}, {key: "esc", foot: "back"}}
	}
	var hints []hint
	if d.ready() {
		hints = []hint{{key: "enter", foot: "ask it"}, {key: "v", foot: "what is sent"}}
	}
	if len(d.run.Names) > 1 {
		hints = append(hints, hint{key: "tab", foot: "another model"})
	}
	return append(hints, hint{key: "esc", foot: "leave it"})
}

// askW is how wide the question is at most, with its frame.
const askW = 84

func (d modelAsk) view(w, h int, st *look.Style) string {
	if d.sent {
		right := st.Dim.Render(fmt.Sprintf("about %s tokens", grouped(d.run.Tokens)))
		return box{title: st.Accent.Render("what is sent to " + lessons.Line(d.run.Name)), right: right, on: true}.draw(indented(clip(d.text(w), d.top, h-2)), w, h, st)
	}
	w = min(w, askW)
	lines := append([]string{""}, indented(indented(d.lines(w-6, st)))...)
	lines = append(lines, "")
	return box{title: st.Accent.Render("ask a model"), on: true}.draw(lines, w, min(len(lines)+2, h), st)
}

// text is what is sent, wrapped for a frame of w cells.
func (d modelAsk) text(w int) []string { return wrap(lessons.Block(d.run.Text), max(w-4, 1)) }

func (d modelAsk) lines(w int, st *look.Style) []string {
	switch {
	case !d.done:
		return []string{st.Dim.Render("Looking at what no model has read…")}
	case d.err != nil:
		return paragraph(d.err.Error(), w, st.Bad)
	}
	r := d.run
	model := lessons.Line(r.Name)
	if r.Where != "" {
		model += " · " + lessons.Line(r.Where)
	}
	lines := field("model", model, w, st.Strong, st)
	if n := len(r.Names) - 1; n > 0 {
		lines = append(lines, field("", "tab: "+counted(n, "other")+" at hand", w, st.Dim, st)...)
	}
	if r.Calls == 0 {
		return append(lines, field("reads", "nothing: a model has read all of it, or there is nothing to learn from", w, st.Text, st)...)
	}
	lines = append(lines, field("reads", fmt.Sprintf("%s that no model has read", counted(r.Sessions, "session")), w, st.Text, st)...)
	lines = append(lines, field("sends", fmt.Sprintf("about %s tokens of digest in %s; secrets are taken out · v shows it", grouped(r.Tokens), counted(r.Calls, "call")), w, st.Text, st)...)
	cost := lessons.Line(r.Cost)
	if r.Ceiling != "" {
		cost += "; a run ends at " + r.Ceiling
	}
	lines = append(lines, field("cost", cost, w, st.Warn, st)...)
	return append(lines, field("next", "enter → proposals wait in Review, with better wordings of those that wait there already. The choice is kept as learning.chosen_model", w, st.Text, st)...)
}

// askModel has a model read sessions.
func (p sessions) askModel(m ModelRun) (sessions, out) {
	if why := p.busy(); why != "" {
		return p, warn("%s", why)
	}
	ctx, cancel := context.WithCancel(context.Background())
	at := Progress{Files: m.Sessions}
	p.mine = mining{running: true, begun: p.fx.Now(), cancel: cancel, at: at, model: m.Name}
	p.marked = nil
	return p.resize(p.w, p.h), say("%s reads %s; what it proposes waits in Review", m.Name, counted(m.Sessions, "session")).and(run(p.fx.mine(ctx, at, func(ctx context.Context, report func(Progress)) error {
		last := at
		var err error
		last.Found, err = m.Run(ctx, func(p Progress) {
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
func readBy(model string, found Found, stopped bool, err error) out {
	switch {
	case err != nil:
		return warn("%s stopped: %v · %s by then", model, err, found)
	case stopped:
		return say("stopped; %s by then, and the rest is asked about next time", found)
	case found == (Found{}):
		return say("✓ %s found nothing new", model)
	}
	return say("✓ %s: %s in Review", model, found)
}

// asks names the model at hand and the key that asks it; "" when there is none.
func (p sessions) asks() string {
	if p.model == "" {
		return ""
	}
	return "‹ask-model A› asks " + strings.TrimSpace(lessons.Line(p.model))
}
