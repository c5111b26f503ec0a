package sessions

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"learnings/lessons"
	"learnings/tui/desk"
	"learnings/tui/kit"
	"learnings/tui/look"
)

// This file asks a model to read sessions. It shows what will be sent and the cost first,
// and sends nothing before the person agrees.

// An answer is what the person has said of the model at hand, once for this machine.
type answer struct{ given, reads bool }

// A wish is what the person wants read, and what the model is to do about it.
type wish struct {
	name  string   // the model; "" means the first
	paths []string // nil for all sessions
	fresh bool     // by the rules, if not by a model: the person pressed X
}

// askModel shows what a model would read, be sent and cost, and asks whether to run it:
// the first time also, whether it may read by itself from now on.
func askModel(fx desk.Desk, x wish) kit.Out {
	d := kit.Text{Title: "ask a model", W: kit.AskW, Roomy: true, Leave: "leave it", Left: "nothing was sent"}
	d.Lines = func(_ int, st *look.Style) []string {
		return []string{st.Dim.Render("Looking at what no model has read…")}
	}
	return kit.Await(d, func(ctx context.Context) (desk.ModelRun, error) { return fx.Model(ctx, x.name, x.paths) }, func(run desk.ModelRun, err error) (kit.Dialog, kit.Out) {
		if err != nil {
			d.Lines = func(w int, st *look.Style) []string { return kit.Paragraph(err.Error(), w, st.Bad) }
			return d, kit.Out{}
		}
		d.Lines = func(w int, st *look.Style) []string { return runLines(run, w, st) }
		key := func(foot string, do func(Pane) (Pane, kit.Out), keys ...string) {
			d.Keys = append(d.Keys, kit.TextKey{Keys: keys, Foot: foot, Do: func(kit.Text) (kit.Dialog, kit.Out) { return nil, kit.Out{To: report(do)} }})
		}
		ask := func(p Pane) (Pane, kit.Out) { return p.askModel(run) }
		switch {
		case !run.Answered && run.Agree != nil:
			key("from now on", func(p Pane) (Pane, kit.Out) { return p.answered(run, true, ask) }, "enter", "y")
			if run.Calls > 0 {
				key("only now", ask, "o")
			}
			key("never, by rules", func(p Pane) (Pane, kit.Out) {
				return p.answered(run, false, func(p Pane) (Pane, kit.Out) {
					if x.fresh {
						return p.ExtractNew()
					}
					return p, kit.Say("no model reads by itself; learning.model in the settings changes that")
				})
			}, "n")
		case run.Calls > 0:
			key("ask it", ask, "enter", "y")
			d.Keys = append(d.Keys, kit.TextKey{Keys: []string{"n"}})
		}
		if run.Calls > 0 {
			d.Keys = append(d.Keys, kit.TextKey{Keys: []string{"v"}, Foot: "what is sent", Do: desk.Sent(run.Name, run.Text, run.Tokens)})
		}
		if n := len(run.Names); n > 1 {
			other := x
			other.name = run.Names[(slices.Index(run.Names, run.Name)+1)%n]
			d.Keys = append(d.Keys, kit.TextKey{Keys: []string{"tab"}, Foot: "another model", Do: func(kit.Text) (kit.Dialog, kit.Out) { return nil, askModel(fx, other) }})
		}
		return d, kit.Out{}
	})
}

// answered records the person's answer, and goes on.
func (p Pane) answered(run desk.ModelRun, yes bool, then func(Pane) (Pane, kit.Out)) (Pane, kit.Out) {
	if err := run.Agree(yes); err != nil {
		return p, kit.Warn("nothing was sent: the answer was not kept: %v", err)
	}
	if p.answer = (answer{true, yes}); yes {
		p.model = run.Name
	}
	return then(p)
}

// runLines draws what a model would read, be sent and cost.
func runLines(r desk.ModelRun, w int, st *look.Style) []string {
	model := lessons.Line(r.Name)
	if r.Where != "" {
		model += " · " + lessons.Line(r.Where)
	}
	lines := kit.Fact("model", model, w, st.Strong, st)
	if n := len(r.Names) - 1; n > 0 {
		lines = append(lines, kit.Fact("", "tab: "+kit.Counted(n, "other")+" at hand", w, st.Dim, st)...)
	}
	if r.Calls == 0 {
		lines = append(lines, kit.Fact("reads", "nothing: a model has read all of it, or there is nothing to learn from", w, st.Text, st)...)
		return append(lines, alwaysLines(r, w, st)...)
	}
	lines = append(lines, kit.Fact("reads", fmt.Sprintf("%s that no model has read", kit.Counted(r.Sessions, "session")), w, st.Text, st)...)
	lines = append(lines, kit.Fact("sends", fmt.Sprintf("about %s tokens of digest in %s; secrets are taken out · v shows it", kit.Grouped(r.Tokens), kit.Counted(r.Calls, "call")), w, st.Text, st)...)
	cost := lessons.Line(r.Cost)
	if r.Ceiling != "" {
		cost += "; a run ends at " + r.Ceiling
	}
	lines = append(lines, kit.Fact("cost", cost, w, st.Warn, st)...)
	lines = append(lines, kit.Fact("next", "proposals wait in Review; its words replace what the rules quoted there", w, st.Text, st)...)
	return append(lines, alwaysLines(r, w, st)...)
}

// alwaysLines say what it means to let a model read by itself.
func alwaysLines(r desk.ModelRun, w int, st *look.Style) []string {
	if r.Answered || r.Agree == nil {
		return nil
	}
	says := "you are asked once: enter lets hooks, extract and X ask it from now on"
	if r.PerDay != "" {
		says += ", at most " + r.PerDay + " a day"
	}
	return kit.Fact("then", says+"; n leaves it to the rules", w, st.Strong, st)
}

// Unasked says why no model can be asked now; "" if one can.
func (p Pane) Unasked() string {
	if p.model == "" {
		return "no model is at hand; `learnings stats models` says where it looks"
	}
	return p.busy()
}

// OfferModel asks whether a model should read the marked sessions, or all.
func (p Pane) OfferModel(marked bool) kit.Out {
	if marked {
		return askModel(p.fx, wish{paths: p.markedPaths()})
	}
	return askModel(p.fx, wish{})
}

// asks names the model at hand and the key that asks it; "" without a model, and if the
// person wants none.
func (p Pane) asks() string {
	switch {
	case p.model == "" || p.answer.given && !p.answer.reads:
		return ""
	case p.answer.reads:
		return "X asks " + strings.TrimSpace(lessons.Line(p.model))
	}
	return "A asks " + strings.TrimSpace(lessons.Line(p.model))
}
