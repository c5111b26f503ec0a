package browse

import (
	"context"
	"fmt"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"learnings/index"
	"learnings/index/curate"
	"learnings/lessons"
	"learnings/tui/card"
	"learnings/tui/desk"
	"learnings/tui/kit"
	"learnings/tui/look"
)

// This file is about lessons that another program wrote or changed, which no session
// is given before a person confirms them: see [curate.Corpus.Outside].

// An Outside says how many there are.
type Outside struct {
	N     int
	known bool // they were counted
}

// outsideCountMsg answers countOutside: how many lessons are from outside, of how many.
type outsideCountMsg struct {
	n, all int
	err    error
}

// countOutside asks the index, which may be a moment behind.
func countOutside(fx desk.Desk) kit.Job {
	return func(ctx context.Context) tea.Msg {
		if !fx.Shared.Others.Take(ctx) {
			return nil
		}
		defer fx.Shared.Others.GiveBack()
		q := curate.WhatCounts(index.Query{Limit: 1, Now: fx.Now()})
		all, err := fx.Look.Search(ctx, q)
		if err != nil {
			return outsideCountMsg{err: err}
		}
		p, err := fx.Look.Search(ctx, q.Where(index.Outside, "yes"))
		return outsideCountMsg{n: p.Total, all: all.Total, err: err}
	}
}

// outsideMsg answers readOutside.
type outsideMsg struct {
	ls    []lessons.Lesson
	start bool // the program has just started
	err   error
}

func ReadOutside(fx desk.Desk, start bool) kit.Job {
	return func(ctx context.Context) tea.Msg {
		ls, err := fx.Corpus.Outside(ctx)
		return outsideMsg{ls: ls, start: start, err: err}
	}
}

// confirmingOutside is what confirming is called on the status line.
var confirmingOutside = curate.Action{Op: lessons.OpConfirm, Verb: "confirm", Done: "confirmed"}

// confirmOutside confirms one lesson that was looked at, or all that may be confirmed
// together.
func confirmOutside(fx desk.Desk, c desk.Chosen) kit.Job {
	return func(context.Context) tea.Msg {
		if !c.Marked {
			l, err := fx.Corpus.ConfirmOutsideAlone(c.Ls[0])
			return fx.Decided(desk.DecidedMsg{Action: confirmingOutside, Before: c.Ls, After: []lessons.Lesson{l}, Err: err})
		}
		b, err := fx.Corpus.ConfirmOutside(c.Ls)
		if err != nil {
			b.Before = c.Ls
		}
		return fx.Decided(desk.DecidedMsg{Action: confirmingOutside, Before: b.Before, After: b.After, Left: b.Left, Err: err})
	}
}

// mostOutside is the share of a corpus from which on lessons from outside are asked
// about at the start: it is a folder of another program then, or the journal is lost.
const mostOutside = 0.5

// Told takes what was found from outside, and opens the list or a question. With busy the
// person types or a dialog is open, over which nothing opens.
func (x Outside) Told(fx desk.Desk, msg tea.Msg, busy bool) (Outside, kit.Out) {
	switch m := msg.(type) {
	case outsideCountMsg:
		if m.err != nil {
			return x, kit.Out{} // there is no index yet; the next sync asks again
		}
		first := !x.known
		x = Outside{N: m.n, known: true}
		if first && m.n > 1 && float64(m.n) >= mostOutside*float64(m.all) {
			return x, kit.Run(ReadOutside(fx, true))
		}
	case outsideMsg:
		switch {
		case busy:
		case m.err != nil:
			return x, kit.Warn("what came from outside could not be read: %v", m.err)
		case len(m.ls) > 0 && m.start:
			return x, askOutside(fx, m.ls, "Most of this corpus was written by other programs, and no session is given it before you confirm it; O lists it. ")
		case len(m.ls) > 0:
			return x, kit.Ask(newOutsiders(fx, m.ls)).And(kit.Run(readHistory(fx, m.ls[0].ID)))
		}
	case desk.SyncedMsg:
		if m.Err == nil && !fx.TrustEdits && (m.Changed > 0 || !x.known) {
			return x, kit.Run(countOutside(fx))
		}
	}
	return x, kit.Out{}
}

// askOutside asks one question about many lessons, and names those that are left out.
func askOutside(fx desk.Desk, ls []lessons.Lesson, why string) kit.Out {
	may, left := curate.ApartOutside(ls)
	if len(may) == 0 {
		return kit.Warn("nothing is confirmed: %s", desk.Alone(left))
	}
	question := fmt.Sprintf("%sConfirm %s from outside?", why, kit.LessonsOf(len(may)))
	if len(left) > 0 {
		question += " " + desk.LeftOut(len(left))
	}
	return kit.Ask(desk.Confirm{Question: question, Left: left, Yes: kit.Out{Writes: []kit.Job{confirmOutside(fx, desk.Chosen{Ls: ls, Marked: true})}}})
}

// outsiders is the list of lessons from outside, to be looked at and confirmed.
type outsiders struct {
	fx    desk.Desk
	ls    []lessons.Lesson // the newest first
	cur   kit.List
	about []lessons.Change // of the current lesson, oldest first
	of    lessons.ID       // the lesson that about is of
	kit.Scroll
}

func newOutsiders(fx desk.Desk, ls []lessons.Lesson) outsiders {
	return outsiders{fx: fx, ls: ls, cur: kit.List{}.Resize(len(ls), 1)}
}

func (d outsiders) Update(msg tea.Msg) (kit.Dialog, kit.Out) {
	switch m := msg.(type) {
	case kit.RoomMsg:
		d.RoomMsg = m
		d.cur = d.cur.Resize(len(d.ls), d.rows())
	case historyMsg:
		if m.err == nil {
			d.about, d.of = m.changes, m.id
		}
	case outsideMsg:
		if m.err == nil {
			d.ls = m.ls
		}
		return d.moved(d.cur.Resize(len(d.ls), d.rows()))
	case desk.DecidedMsg:
		if m.Err != nil {
			return d, kit.Run(ReadOutside(d.fx, false))
		}
	case desk.UndoneMsg:
		return d, kit.Run(ReadOutside(d.fx, false))
	case kit.WheelMsg:
		return d.moved(d.cur.Move(m.By))
	case tea.KeyPressMsg:
		return d.press(m)
	}
	return d, kit.Out{}
}

// moved goes to another row and asks what was done to its lesson.
func (d outsiders) moved(l kit.List) (kit.Dialog, kit.Out) {
	d.cur, d.Top = l, 0
	if len(d.ls) == 0 {
		return d, kit.Out{}
	}
	return d, kit.Run(readHistory(d.fx, d.ls[l.At].ID))
}

func (d outsiders) press(k tea.KeyPressMsg) (kit.Dialog, kit.Out) {
	if cur, ok := d.cur.Stepped(k.String()); ok {
		return d.moved(cur)
	}
	switch k.String() {
	case "esc", "q", "O":
		return nil, kit.Out{}
	case "u":
		return d, kit.Out{Writes: []kit.Job{d.fx.TakeBack()}}
	}
	if len(d.ls) == 0 {
		return d, kit.Out{}
	}
	switch k.String() {
	case "a":
		return d.without(confirmOutside(d.fx, desk.Only(d.ls[d.cur.At])))
	case "A":
		return d, askOutside(d.fx, d.ls, "")
	case "x":
		return d.without(d.fx.Decide(curate.Reject.Because("came from outside"), desk.Only(d.ls[d.cur.At])))
	}
	h := d.H - d.rows() - 6
	d.Scroll = d.By(kit.Scrolling(k, h), len(d.detail(min(d.W, outsideW)-4, kit.Unseen)), h)
	return d, kit.Out{}
}

// without removes the current lesson as decided on. If the decision fails, the list is
// read again.
func (d outsiders) without(write kit.Job) (kit.Dialog, kit.Out) {
	d.ls = slices.Delete(slices.Clone(d.ls), d.cur.At, d.cur.At+1)
	next, o := d.moved(d.cur.Resize(len(d.ls), d.rows()))
	return next, o.And(kit.Out{Writes: []kit.Job{write}})
}

// outsideW is how wide the list gets, with its frame.
const outsideW = 110

// rows are the lines for the list, of which the current lesson gets the rest.
func (d outsiders) rows() int { return max(min(len(d.ls), (d.H-6)/3), 1) }

func (d outsiders) View(w, h int, st *look.Style) string {
	w = min(w, outsideW)
	if len(d.ls) == 0 {
		return kit.Box{Title: st.Accent.Render("from outside")}.Draw([]string{"", "  " + st.Dim.Render("nothing is left to confirm"), ""}, w, 5, st)
	}
	var lines []string
	for _, l := range kit.Wrap("Another program wrote or changed these. No session is given one before you confirm it. What else reads the same folder cannot be held back: it may use them already.", w-4) {
		lines = append(lines, " "+st.Dim.Render(l))
	}
	lines = append(lines, "")
	cur := d.cur.Resize(len(d.ls), d.rows())
	lines = append(lines, cur.Lines(func(i int, current bool) string {
		return card.Row{Lesson: d.ls[i], Current: current, On: true}.One(w-2, st)
	})...)
	lines = append(lines, "")
	lines = append(lines, kit.Indented(kit.Clip(d.detail(w-4, st), d.Top, h-2-len(lines)))...)
	right := st.Dim.Render(fmt.Sprintf("%s/%s", kit.Grouped(cur.At+1), kit.Grouped(len(d.ls))))
	return kit.Box{Title: st.Accent.Render("from outside"), Right: right}.Draw(lines, w, min(len(lines)+2, h), st)
}

// detail is the current lesson, with what the journal knows of where it came from.
func (d outsiders) detail(w int, st *look.Style) []string {
	l := d.ls[d.cur.At]
	lines := kit.Paragraph(l.Content, w, st.Strong)
	for _, text := range []string{l.Insight, l.Example} {
		if text != "" {
			lines = append(append(lines, ""), kit.Paragraph(text, w, st.Text)...)
		}
	}
	lines = append(lines, "", kit.Fact("status", kit.Dotted(string(l.Status), lessons.Line(l.Scope.Project)), w, st.Text, st)[0])
	for _, f := range card.Flags(l) {
		lines = append(lines, kit.Fact("! flag", f, w, st.Warn, st)...)
	}
	if d.of == l.ID {
		lines = append(lines, cameBy(d.about, d.fx.Now().Location(), w, st)...)
	}
	if t := card.Terms(l); t != "" {
		lines = append(lines, kit.Fact("terms", t, w, st.Dim, st)...)
	}
	return lines
}

// cameBy tells from the journal what came from outside of a lesson since a person last
// decided on it. It is not known which program did it.
func cameBy(all []lessons.Change, zone *time.Location, w int, st *look.Style) []string {
	first := len(all)
	for first > 0 && all[first-1].After != nil && all[first-1].After.Outside {
		first--
	}
	if first == len(all) {
		return kit.Fact("outside", "it lay here before the journal of this machine began", w, st.Text, st)
	}
	since := lessons.Change{Before: all[first].Before, After: all[len(all)-1].After}
	at := all[first].At.In(zone).Format("2006-01-02 15:04")
	if since.Before == nil {
		return kit.Fact("outside", "new here since "+at, w, st.Text, st)
	}
	lines := kit.Fact("outside", "changed since "+at+":", w, st.Text, st)
	for _, f := range since.Differences() {
		lines = append(lines, kit.Fact(card.FieldWord(f.Field), card.WordDiff(f.Before, f.After, st), w, st.Text, st)...)
	}
	return lines
}

func (d outsiders) Hints() []kit.Hint {
	back := []kit.Hint{{Key: "u", Foot: "undo"}, {Key: "esc", Foot: "back"}}
	if len(d.ls) == 0 {
		return back
	}
	return append([]kit.Hint{{Key: "a", Foot: "confirm"}, {Key: "A", Foot: "confirm all"}, {Key: "x", Foot: "reject"}, {Key: "j k", Foot: "move"}, {Key: "J K", Foot: "scroll"}}, back...)
}
