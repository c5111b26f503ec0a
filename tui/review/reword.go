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

// openReword asks a model for a better wording of a proposal. Unless it is free, it first
// shows what will be sent and the cost. The wording stays with the proposal as an offer.
func openReword(fx desk.Desk, l lessons.Lesson) kit.Out {
	page := func(name, leave string, lines func(w int, st *look.Style) []string, keys ...kit.TextKey) kit.Text {
		title := "a better wording"
		if name != "" {
			title += " by " + lessons.Line(name)
		}
		return kit.Text{Title: title, W: kit.AskW, Roomy: true, Leave: leave, Lines: lines, Keys: keys}
	}
	dim := func(text string) func(int, *look.Style) []string {
		return func(_ int, st *look.Style) []string { return []string{st.Dim.Render(text)} }
	}
	failed := func(name string, err error) kit.Text {
		return page(name, "back", func(w int, st *look.Style) []string { return kit.Paragraph(err.Error(), w, st.Bad) })
	}
	ask := func(run desk.RewordRun) kit.Out {
		wait, answer := kit.Waiting(page(run.Name, "back", dim(lessons.Line(run.Name)+" is asked…")), func(now lessons.Lesson, err error) (kit.Dialog, kit.Out) {
			if err != nil {
				return failed(run.Name, err), kit.Out{}
			}
			return page(run.Name, "leave it on the card", func(w int, st *look.Style) []string { return card.Better(now, w, "enter takes it", st) },
				kit.TextKey{Keys: []string{"enter", "t"}, Foot: "take it", Do: func(kit.Text) (kit.Dialog, kit.Out) {
					return nil, kit.Out{Answer: desk.DecideMsg{Action: curate.Take, Chosen: desk.Only(now), Sure: true}}
				}}), kit.Out{}
		})
		return kit.Ask(wait).And(kit.Run(func(ctx context.Context) tea.Msg {
			now, err := run.Run(ctx)
			if err == nil {
				fx.Shared.Wrote(now)
			}
			return kit.Then[Review](func(p Review) (Review, kit.Out) {
				p, o := offerShown(p, now, err)
				return p, o.And(kit.Run(func(context.Context) tea.Msg { return answer(now, err) }))
			})
		}))
	}
	return kit.Await(page("", "back", dim("Looking for a model…")), func(ctx context.Context) (desk.RewordRun, error) {
		now, err := fx.Corpus.Current(l) // with the turns around its evidence
		if err != nil {
			return desk.RewordRun{}, err
		}
		return fx.Reword(ctx, now)
	}, func(run desk.RewordRun, err error) (kit.Dialog, kit.Out) {
		switch {
		case err != nil:
			return failed(run.Name, err), kit.Out{}
		case run.Free:
			return nil, ask(run)
		}
		return page(run.Name, "leave it", func(w int, st *look.Style) []string {
			lines := kit.Fact("sends", fmt.Sprintf("the proposal and what was said around it, about %s tokens with the instructions; secrets are taken out · v shows it", kit.Grouped(run.Tokens)), w, st.Text, st)
			lines = append(lines, kit.Fact("cost", lessons.Line(run.Cost), w, st.Warn, st)...)
			return append(lines, kit.Fact("next", "enter → it offers a wording, which you may take", w, st.Text, st)...)
		}, kit.TextKey{Keys: []string{"enter", "y"}, Foot: "ask it", Do: func(kit.Text) (kit.Dialog, kit.Out) { return nil, ask(run) }},
			kit.TextKey{Keys: []string{"v"}, Foot: "what is sent", Do: desk.Sent(run.Name, run.Text, run.Tokens)}), kit.Out{}
	})
}

// offerShown shows the offered wording on the card of the proposal.
func offerShown(p Review, l lessons.Lesson, err error) (Review, kit.Out) {
	if err != nil {
		return p, kit.Warn("no better wording: %v", err)
	}
	if i := p.find(l.ID); i >= 0 {
		p.Queue = p.set(i, l)
	}
	if p.Card.Lesson.ID == l.ID {
		p.Card.Lesson = l
	}
	return p, kit.Say("a better wording of “%s” is on its card; b takes it", l.Title(40)).And(kit.Run(p.fx.Sync()))
}
