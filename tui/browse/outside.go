package browse

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"learnings/index"
	"learnings/index/curate"
	"learnings/lessons"
	"learnings/tui/desk"
	"learnings/tui/kit"
	"learnings/tui/look"
)

// This file handles lessons that another program wrote or changed. No session gets them
// before a person confirms them: see [curate.Corpus.Outside].

// An Outside counts them.
type Outside struct {
	N     int
	known bool // they have been counted
}

// outsideCountMsg has the number of lessons from outside, and of all.
type outsideCountMsg struct{ n, all int }

// countOutside counts them in the index, which may be slightly behind.
func countOutside(fx desk.Desk) kit.Job {
	return fx.Shared.Others.In(func(ctx context.Context) tea.Msg {
		q := curate.WhatCounts(index.Query{Limit: 1, Now: fx.Now()})
		all, err := fx.Look.Search(ctx, q)
		p, failed := fx.Look.Search(ctx, q.Where(index.Outside, "yes"))
		if err != nil || failed != nil {
			return nil // no index yet: the next sync asks again
		}
		return outsideCountMsg{p.Total, all.Total}
	})
}

// mostOutside is the share of the corpus from which the desk asks about lessons from
// outside at the start: another program's folder, or a lost journal.
const mostOutside = 0.5

// Told counts again when files have changed. The first time it asks about a corpus that
// is mostly from outside.
func (x Outside) Told(fx desk.Desk, msg tea.Msg) (Outside, kit.Out) {
	switch m := msg.(type) {
	case outsideCountMsg:
		first := !x.known
		x = Outside{N: m.n, known: true}
		if first && m.n > 1 && float64(m.n) >= mostOutside*float64(m.all) {
			return x, kit.Run(AskOutside(fx, "Most of this corpus was written by other programs. "))
		}
	case desk.SyncedMsg:
		if m.Err == nil && !fx.TrustEdits && (m.Changed > 0 || !x.known) {
			return x, kit.Run(countOutside(fx))
		}
	}
	return x, kit.Out{}
}

// AskOutside asks whether to confirm the lessons from outside. It names those that must
// be looked at one by one.
func AskOutside(fx desk.Desk, why string) kit.Job {
	return func(ctx context.Context) tea.Msg {
		ls, err := fx.Corpus.Outside(ctx)
		if err != nil {
			return kit.OutMsg{Out: kit.Warn("what came from outside could not be read: %v", err)}
		} else if len(ls) == 0 {
			return nil
		}
		may, left := curate.ApartOutside(ls)
		question := fmt.Sprintf("%sNo session is given what another program wrote or changed before you confirm it. Confirm %s from outside?", why, kit.LessonsOf(len(may)))
		if len(left) > 0 {
			question += " " + desk.LeftOut(len(left))
		}
		d := kit.Text{Title: "from outside", W: kit.AskW, Roomy: true, Leave: "not now", Keys: []kit.TextKey{
			{Keys: []string{"y"}, Foot: "confirm them", Do: func(kit.Text) (kit.Dialog, kit.Out) {
				return nil, kit.Out{Writes: []kit.Job{confirmOutside(fx, ls)}}
			}},
			{Keys: []string{"l", "O"}, Foot: "list them", Do: func(kit.Text) (kit.Dialog, kit.Out) { return nil, desk.Browse("outside:yes") }},
			{Keys: []string{"n"}},
		}}
		if len(may) == 0 {
			d.Keys = d.Keys[1:]
		}
		d.Lines = func(w int, st *look.Style) []string {
			lines := kit.Paragraph(question, w, st.Strong)
			for i, l := range left {
				if i == 0 {
					lines = append(lines, "")
				}
				lines = append(lines, st.Warn.Render(look.Flagged+" ")+lessons.Line(l.Lesson.Title(max(w-len(l.Why)-4, 12))+": "+l.Why))
			}
			return lines
		}
		return kit.OutMsg{Out: kit.Ask(d)}
	}
}

// confirmOutside confirms those that may be confirmed together.
func confirmOutside(fx desk.Desk, ls []lessons.Lesson) kit.Job {
	return func(context.Context) tea.Msg {
		b, err := fx.Corpus.ConfirmOutside(ls)
		if err != nil {
			b.Before = ls
		}
		a := curate.Action{Op: lessons.OpConfirm, Verb: "confirm", Done: "confirmed"}
		return fx.Decided(desk.DecidedMsg{Action: a, Before: b.Before, After: b.After, Left: b.Left, Err: err})
	}
}
