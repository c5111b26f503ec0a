package browse

import (
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"learnings/index"
	"learnings/index/curate"
	"learnings/lessons"
	"learnings/tui/desk"
	"learnings/tui/kit"
	"learnings/tui/look"
)

// This file handles lessons that another program wrote, changed or decided on, or that
// others approved. No session gets them before a person takes them: see
// [curate.Library.Origins].

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
		q := index.Query{Limit: 1, Now: fx.Now()}
		all, err := fx.Look.Search(ctx, curate.WhatCounts(q))
		p, failed := fx.Look.Search(ctx, q.Where(index.Outside, "yes"))
		var ls []lessons.Lesson
		if err == nil && failed == nil && p.Total > 0 {
			ls, err = fx.Corpus.Outside(ctx)
		}
		if err != nil || failed != nil {
			return nil // no index yet: the next sync asks again
		}
		return outsideCountMsg{len(ls), all.Total}
	})
}

// mostOutside is the share of the corpus from which the desk tells of lessons from outside
// at the start: another program's folder, or a lost journal.
const mostOutside = 0.5

// Told counts again when files have changed. The first time it tells of a corpus that
// is mostly from outside.
func (x Outside) Told(fx desk.Desk, msg tea.Msg) (Outside, kit.Out) {
	switch m := msg.(type) {
	case outsideCountMsg:
		first := !x.known
		x = Outside{N: m.n, known: true}
		if first && m.n > 1 && float64(m.n) >= mostOutside*float64(m.all) {
			return x, kit.Say("other programs wrote %d of %d lessons; no session is given them before you confirm them: O", m.n, m.all)
		}
	case desk.SyncedMsg:
		if m.Err == nil && !fx.TrustEdits && (m.Changed > 0 || !x.known) {
			return x, kit.Run(countOutside(fx))
		}
	}
	return x, kit.Out{}
}

// AskOutside shows by origin the lessons from outside, and takes those of one origin, or
// of all of this machine, with one key. It names those that must be looked at one by one.
func AskOutside(fx desk.Desk) kit.Job {
	return func(ctx context.Context) tea.Msg {
		os, err := fx.Corpus.Origins(ctx)
		if err != nil {
			return kit.OutMsg{Out: kit.Warn("what came from outside could not be read: %v", err)}
		} else if len(os) == 0 {
			return nil
		}
		d := kit.Text{Title: "from outside", W: kit.AskW, Roomy: true, Leave: "not now"}
		var all curate.Origin
		left, n := 0, 0
		for i, o := range os {
			may, apart := o.Apart()
			if left += len(apart); len(may) == 0 {
				continue
			}
			if !o.Shared {
				all.Lessons, n = append(all.Lessons, o.Lessons...), n+len(may)
			}
			if i < 9 {
				foot := ""
				if i == 0 && len(os) > 1 {
					foot = "only the first"
				}
				d.Keys = append(d.Keys, kit.TextKey{Keys: []string{fmt.Sprint(i + 1)}, Foot: foot, Do: func(kit.Text) (kit.Dialog, kit.Out) {
					return nil, kit.Out{Writes: []kit.Job{takeOrigin(fx, o)}}
				}})
			}
		}
		why := "No session is given these before you take them."
		question := ""
		if n > 0 {
			question = fmt.Sprintf("Confirm %s from outside?", kit.LessonsOf(n))
			d.Keys = append(d.Keys, kit.TextKey{Keys: []string{"y"}, Foot: "confirm them", Do: func(kit.Text) (kit.Dialog, kit.Out) {
				return nil, kit.Out{Writes: []kit.Job{takeOrigin(fx, all)}}
			}})
		}
		d.Keys = append(d.Keys, kit.TextKey{Keys: []string{"l", "O"}, Foot: "list them", Do: func(kit.Text) (kit.Dialog, kit.Out) { return nil, desk.Browse("outside:yes") }}, kit.TextKey{Keys: []string{"n"}})
		if left > 0 {
			question += " " + desk.LeftOut(left)
		}
		d.Lines = func(w int, st *look.Style) []string { return originLines(why, strings.TrimSpace(question), os, w, st) }
		return kit.OutMsg{Out: kit.Ask(d)}
	}
}

// mostOfOrigin is how many sentences of an origin are shown.
const mostOfOrigin = 12

// originLines draws the origins with the sentences of their lessons.
func originLines(why, question string, os []curate.Origin, w int, st *look.Style) []string {
	lines := append(kit.Paragraph(why, w, st.Text), kit.Paragraph(question, w, st.Strong)...)
	for i, o := range os {
		key := "  "
		if may, _ := o.Apart(); len(may) > 0 && i < 9 {
			key = fmt.Sprint(i+1) + " "
		}
		lines = append(lines, "")
		for j, s := range kit.Wrap(look.Sentence(o.Says, 2*w)+" · "+kit.LessonsOf(len(o.Lessons)), w-2) {
			if j > 0 {
				key = "  "
			}
			lines = append(lines, st.Accent.Render(key)+st.Text.Render(s))
		}
		apart := map[lessons.ID]string{}
		_, left := o.Apart()
		for _, l := range left {
			apart[l.Lesson.ID] = l.Why
		}
		for n, l := range o.Lessons {
			if n == mostOfOrigin {
				lines = append(lines, st.Dim.Render(fmt.Sprintf("  and %s more", kit.LessonsOf(len(o.Lessons)-n))))
				break
			}
			title := lessons.Line(l.Title(max(w-4, 12)))
			if apart[l.ID] == "" {
				lines = append(lines, "  "+title)
				continue
			}
			lines = append(lines, st.Warn.Render(look.Flagged+" ")+title)
			for _, s := range kit.Wrap(apart[l.ID], w-4) {
				lines = append(lines, st.Dim.Render("    "+s))
			}
		}
	}
	return lines
}

// takeOrigin takes what came from one origin and may be taken together.
func takeOrigin(fx desk.Desk, o curate.Origin) kit.Job {
	return func(context.Context) tea.Msg {
		b, err := fx.Corpus.Take(o)
		if err != nil {
			b.Before = o.Lessons
		}
		a := curate.Action{Op: lessons.OpConfirm, Verb: "confirm", Done: "confirmed"}
		if o.Shared {
			a = curate.Approve
		}
		return fx.Decided(desk.DecidedMsg{Action: a, Before: b.Before, After: b.After, Left: b.Left, Err: err})
	}
}
