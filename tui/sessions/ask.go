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

// askModel shows what a model would read, be sent and cost for some sessions, or for all
// if paths is empty, and asks whether to run it. The name "" means the first model.
func askModel(fx desk.Desk, name string, paths []string) kit.Out {
	d := kit.Text{Title: "ask a model", W: kit.AskW, Roomy: true, Keys: []kit.TextKey{{Keys: []string{"n"}}}, Leave: "leave it", Left: "nothing was sent"}
	d.Lines = func(_ int, st *look.Style) []string {
		return []string{st.Dim.Render("Looking at what no model has read…")}
	}
	return kit.Await(d, func(ctx context.Context) (desk.ModelRun, error) { return fx.Model(ctx, name, paths) }, func(run desk.ModelRun, err error) (kit.Dialog, kit.Out) {
		if err != nil {
			d.Lines = func(w int, st *look.Style) []string { return kit.Paragraph(err.Error(), w, st.Bad) }
			return d, kit.Out{}
		}
		d.Lines = func(w int, st *look.Style) []string { return runLines(run, w, st) }
		var keys []kit.TextKey
		if run.Calls > 0 {
			keys = []kit.TextKey{
				{Keys: []string{"enter", "y"}, Foot: "ask it", Do: func(kit.Text) (kit.Dialog, kit.Out) {
					return nil, kit.Out{To: report(func(p Pane) (Pane, kit.Out) { return p.askModel(run) })}
				}},
				{Keys: []string{"v"}, Foot: "what is sent", Do: desk.Sent(run.Name, run.Text, run.Tokens)},
			}
		}
		if n := len(run.Names); n > 1 {
			other := run.Names[(slices.Index(run.Names, run.Name)+1)%n]
			keys = append(keys, kit.TextKey{Keys: []string{"tab"}, Foot: "another model", Do: func(kit.Text) (kit.Dialog, kit.Out) { return nil, askModel(fx, other, paths) }})
		}
		d.Keys = append(keys, d.Keys...)
		return d, kit.Out{}
	})
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
		return askModel(p.fx, "", p.markedPaths())
	}
	return askModel(p.fx, "", nil)
}

// asks names the model at hand and the key that asks it; "" without a model.
func (p Pane) asks() string {
	if p.model == "" {
		return ""
	}
	return "A asks " + strings.TrimSpace(lessons.Line(p.model))
}
