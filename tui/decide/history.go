package decide

import (
	"context"
	"fmt"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"learnings/index/curate"
	"learnings/lessons"
	"learnings/tui/card"
	"learnings/tui/desk"
	"learnings/tui/kit"
	"learnings/tui/look"
)

// A history lists the versions of a lesson, the newest first, with the changes of each.
// It can restore the text of one.
type history struct {
	lesson     lessons.Lesson
	zone       *time.Location
	found      []lessons.Change // newest first
	read       bool
	err        error
	cur        kit.List
	kit.Scroll // of the changes
}

// openHistory reads and shows the history of a lesson.
func openHistory(fx desk.Desk, l lessons.Lesson) kit.Out {
	return kit.Ask(history{lesson: l, zone: fx.Now().Location(), cur: kit.List{H: 1}}).And(kit.Run(func(context.Context) tea.Msg {
		_, changes, err := fx.Corpus.History(string(l.ID))
		return kit.Reply[history](func(d history) (kit.Dialog, kit.Out) {
			if d.lesson.ID == l.ID {
				d.found, d.err, d.read = changes, err, true
				slices.Reverse(d.found)
				d.cur = d.cur.Resize(len(d.found), 1)
			}
			return d.scrolled(0), kit.Out{}
		})
	}))
}

func (d history) Update(msg tea.Msg) (kit.Dialog, kit.Out) {
	switch m := msg.(type) {
	case kit.Reply[history]:
		return m(d)
	case kit.RoomMsg:
		d.RoomMsg = m
	case kit.WheelMsg:
		return d.to(d.cur.Move(m.By)), kit.Out{}
	case tea.KeyPressMsg:
		return d.press(m)
	}
	return d.scrolled(0), kit.Out{}
}

func (d history) press(k tea.KeyPressMsg) (kit.Dialog, kit.Out) {
	if cur, ok := d.cur.Stepped(k.String()); ok {
		return d.to(cur), kit.Out{}
	}
	switch k.String() {
	case "esc", "q", "H":
		return nil, kit.Out{}
	case "r":
		return d.restore()
	}
	return d.scrolled(kit.Scrolling(k, d.room(d.H))), kit.Out{}
}

// scrolled scrolls the changes of a version.
func (d history) scrolled(by int) history {
	if d.listed() {
		d.Scroll = d.By(by, len(d.changes(min(d.W, 100)-4, kit.Unseen)), d.room(d.H))
	}
	return d
}

// listed reports whether there is a version to show.
func (d history) listed() bool { return d.err == nil && d.cur.At < len(d.found) }

// rows returns how many versions are visible, room how many lines their changes get.
func (d history) rows(h int) int { return max(min(len(d.found), h/3), 1) }
func (d history) room(h int) int { return max(h-3-d.rows(h), 1) }

func (d history) to(l kit.List) history {
	d.cur, d.Top = l, 0
	return d
}

// version returns the number of the current version, as in `learnings history`.
func (d history) version() int { return len(d.found) - d.cur.At }

func (d history) restore() (kit.Dialog, kit.Out) {
	if d.cur.At >= len(d.found) {
		return d, kit.Out{}
	}
	then := d.found[d.cur.At].After
	switch {
	case then == nil:
		return d, kit.Warn("the lesson was gone in version %d", d.version())
	case d.cur.At == 0:
		return d, kit.Say("that is how it is now")
	}
	return nil, kit.Out{Answer: desk.DecideMsg{Action: curate.Restore(d.version(), *then), Chosen: desk.Only(d.lesson)}}
}

func (d history) Hints() []kit.Hint {
	if !d.listed() {
		return []kit.Hint{{Key: "esc", Foot: "back"}}
	}
	return []kit.Hint{{Key: "j k", Foot: "versions"}, {Key: "r", Foot: "bring this text back"}, {Key: "J K", Foot: "scroll"}, {Key: "esc", Foot: "back"}}
}

func (d history) View(w, h int, st *look.Style) string {
	w = min(w, 100)
	cur := d.cur.Resize(len(d.found), d.rows(h)) // the height of this frame decides what is visible
	lines := cur.Lines(func(i int, current bool) string { return d.row(i, current, w-4, st) })
	switch {
	case !d.read:
		lines = []string{st.Dim.Render("reading the journal…")}
	case d.err != nil:
		lines = kit.Paragraph(d.err.Error(), w-4, st.Bad)
	case len(d.found) == 0:
		lines = []string{st.Dim.Render("nothing is recorded: the journal of this machine begins after it")}
	default:
		lines = append(lines, "")
		lines = append(lines, kit.Clip(d.changes(w-4, st), d.Top, d.room(h))...)
	}
	title := st.Accent.Render("history") + st.Dim.Render(" · "+string(d.lesson.ID)+" · "+d.lesson.Title(48))
	return kit.Box{Title: title}.Draw(kit.Indented(lines), w, min(len(lines)+2, h), st)
}

func (d history) row(i int, current bool, w int, st *look.Style) string {
	c := d.found[i]
	bar, look := " ", st.Text
	if current {
		bar, look = st.Accent.Render("▌"), st.Strong
	}
	who := lessons.Line(string(c.Op) + " by " + c.By)
	return bar + kit.Ends(fmt.Sprintf("%3d  ", len(d.found)-i)+look.Render(who), st.Dim.Render(c.At.In(d.zone).Format("2006-01-02 15:04")), w-1)
}

// changes draws the changes of the current version.
func (d history) changes(w int, st *look.Style) []string {
	var lines []string
	c, label := d.found[d.cur.At], len("confirmations ")
	if c.Why != "" {
		lines = kit.WideFact("why", label, lessons.Line(c.Why), w, st.Text, st)
	}
	if c.How != "" {
		lines = append(lines, kit.WideFact("how", label, lessons.Line(c.How), w, st.Text, st)...)
	}
	for _, f := range c.Differences() {
		text, look := card.WordDiff(f.Before, f.After, st), st.Text
		if f.Before == "" {
			text = lessons.Line(f.After)
		}
		lines = append(lines, kit.WideFact(card.FieldWord(f.Field), label, text, w, look, st)...)
	}
	if len(lines) == 0 {
		lines = []string{st.Dim.Render("nothing that is shown: a counter, or how the file is written")}
	}
	return lines
}
