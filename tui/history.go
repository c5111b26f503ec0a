package tui

import (
	"context"
	"fmt"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"learnings/index/curate"
	"learnings/lessons"
	"learnings/tui/look"
)

// historyMsg answers history.
type historyMsg struct {
	id      lessons.ID
	changes []lessons.Change
	err     error
}

// history reads the changes of a lesson.
func (fx effects) history(id lessons.ID) job {
	return func(context.Context) tea.Msg {
		_, changes, err := fx.Corpus.History(string(id))
		return historyMsg{id: id, changes: changes, err: err}
	}
}

// A history shows the versions of a lesson, the newest first, with what each has
// changed, and brings the text of one back.
type history struct {
	lesson lessons.Lesson
	zone   *time.Location
	found  []lessons.Change // newest first
	read   bool
	err    error
	cur    list
	scroll // of the changes
}

// openHistory shows the history of a lesson when it has been read.
func openHistory(fx effects, l lessons.Lesson) out {
	return ask(history{lesson: l, zone: fx.Now().Location(), cur: list{h: 1}}).and(run(fx.history(l.ID)))
}

func (d history) update(msg tea.Msg) (dialog, out) {
	switch m := msg.(type) {
	case historyMsg:
		if m.id == d.lesson.ID {
			d.found, d.err, d.read = m.changes, m.err, true
			slices.Reverse(d.found)
			d.cur = d.cur.resize(len(d.found), 1)
		}
	case roomMsg:
		d.roomMsg = m
	case wheelMsg:
		return d.to(d.cur.move(m.by)), out{}
	case tea.KeyPressMsg:
		return d.press(m)
	}
	return d.scrolled(0), out{}
}

func (d history) press(k tea.KeyPressMsg) (dialog, out) {
	if cur, ok := d.cur.stepped(k.String()); ok {
		return d.to(cur), out{}
	}
	switch k.String() {
	case "esc", "q", "H":
		return nil, out{}
	case "r":
		return d.restore()
	}
	return d.scrolled(turned(k, d.room(d.h))), out{}
}

// scrolled scrolls the changes of a version by some lines.
func (d history) scrolled(by int) history {
	if d.listed() {
		d.scroll = d.by(by, len(d.changes(min(d.w, 100)-4, unseenStyle)), d.room(d.h))
	}
	return d
}

// listed reports whether there is a version to show.
func (d history) listed() bool { return d.err == nil && d.cur.at < len(d.found) }

// rows is how many versions are in sight, room how many lines of what one has
// changed.
func (d history) rows(h int) int { return max(min(len(d.found), h/3), 1) }
func (d history) room(h int) int { return max(h-3-d.rows(h), 1) }

func (d history) to(l list) history {
	d.cur, d.top = l, 0
	return d
}

// version is the number of the current one, as `learnings history` has it.
func (d history) version() int { return len(d.found) - d.cur.at }

func (d history) restore() (dialog, out) {
	if d.cur.at >= len(d.found) {
		return d, out{}
	}
	then := d.found[d.cur.at].After
	switch {
	case then == nil:
		return d, warn("the lesson was gone in version %d", d.version())
	case d.cur.at == 0:
		return d, say("that is how it is now")
	}
	return nil, out{answer: decideMsg{action: curate.Restore(d.version(), *then), chosen: only(d.lesson)}}
}

func (d history) hints() []hint {
	if !d.listed() {
		return []hint{{key: "esc", foot: "back"}}
	}
	return []hint{{key: "j k", foot: "versions"}, {key: "r", foot: "bring this text back"}, {key: "J K", foot: "scroll"}, {key: "esc", foot: "back"}}
}

func (d history) view(w, h int, st *look.Style) string {
	w = min(w, 100)
	cur := d.cur.resize(len(d.found), d.rows(h)) // what is in sight follows the height of this frame
	lines := cur.lines(func(i int, current bool) string { return d.row(i, current, w-4, st) })
	switch {
	case !d.read:
		lines = []string{st.Dim.Render("reading the journal…")}
	case d.err != nil:
		lines = paragraph(d.err.Error(), w-4, st.Bad)
	case len(d.found) == 0:
		lines = []string{st.Dim.Render("nothing is recorded: the journal of this machine begins after it")}
	default:
		lines = append(lines, "")
		lines = append(lines, clip(d.changes(w-4, st), d.top, d.room(h))...)
	}
	title := st.Accent.Render("history") + st.Dim.Render(" · "+string(d.lesson.ID)+" · "+d.lesson.Title(48))
	return box{title: title, on: true}.draw(indented(lines), w, min(len(lines)+2, h), st)
}

func (d history) row(i int, current bool, w int, st *look.Style) string {
	c := d.found[i]
	bar, look := " ", st.Text
	if current {
		bar, look = st.Accent.Render("▌"), st.Strong
	}
	who := lessons.Line(string(c.Op) + " by " + c.By)
	return bar + ends(fmt.Sprintf("%3d  ", len(d.found)-i)+look.Render(who), st.Dim.Render(c.At.In(d.zone).Format("2006-01-02 15:04")), w-1)
}

// changes are what the current version has changed.
func (d history) changes(w int, st *look.Style) []string {
	var lines []string
	c, label := d.found[d.cur.at], len("confirmations ")
	if c.Why != "" {
		lines = labelled("why", label, lessons.Line(c.Why), w, st.Text, st)
	}
	for _, f := range c.Differences() {
		text, look := wordDiff(f.Before, f.After, st), st.Text
		if f.Before == "" {
			text = lessons.Line(f.After)
		}
		lines = append(lines, labelled(fieldWord(f.Field), label, text, w, look, st)...)
	}
	if len(lines) == 0 {
		lines = []string{st.Dim.Render("nothing that is shown: a counter, or how the file is written")}
	}
	return lines
}
