package decide

import (
	"cmp"
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

// A history lists what was done, the newest first, with the changes of the current row. It
// can bring back what was before or after one: of a lesson a version of its text, of the
// corpus a point in time.
type history struct {
	title, none string // none says why the list is empty
	foot        string // what r does
	zone        *time.Location
	past        past
	err         error
	read        bool
	cur         kit.List
	kit.Scroll  // of the changes
}

// A past is what a history lists.
type past struct {
	n       int
	row     func(i int) (at time.Time, what string)
	changes func(i, w int, st *look.Style) []string
	restore func(i int) (kit.Out, bool) // false if the dialog stays
}

// openPast reads and shows a history.
func openPast(d history, read func() (past, error)) kit.Out {
	d.cur = kit.List{H: 1}
	return kit.Ask(d).And(kit.Run(func(context.Context) tea.Msg {
		found, err := read()
		return kit.Reply[history](func(now history) (kit.Dialog, kit.Out) {
			if now.title == d.title {
				now.past, now.err, now.read = found, err, true
				now.cur = now.cur.Resize(found.n, 1)
			}
			return now.scrolled(0), kit.Out{}
		})
	}))
}

// openHistory shows the versions of a lesson.
func openHistory(fx desk.Desk, l lessons.Lesson) kit.Out {
	d := history{title: string(l.ID) + " · " + l.Title(48), zone: fx.Now().Location(), foot: "bring this text back", none: "nothing is recorded: the journal of this machine begins after it"}
	return openPast(d, func() (past, error) {
		_, all, err := fx.Corpus.History(string(l.ID))
		slices.Reverse(all)
		version := func(i int) int { return len(all) - i } // as in `learnings history`
		return past{
			n: len(all),
			row: func(i int) (time.Time, string) {
				return all[i].At, fmt.Sprintf("%3d  %s by %s", version(i), all[i].Op, all[i].By)
			},
			changes: func(i, w int, st *look.Style) []string { return changesOf(all[i], w, st) },
			restore: func(i int) (kit.Out, bool) {
				switch then := all[i].After; {
				case then == nil:
					return kit.Warn("the lesson was gone in version %d", version(i)), false
				case i == 0:
					return kit.Say("that is how it is now"), false
				default:
					return kit.Out{Answer: desk.DecideMsg{Action: curate.Restore(version(i), *then), Chosen: desk.Only(l)}}, true
				}
			},
		}, err
	})
}

// mostPoints is how many decisions the history of the corpus lists.
const mostPoints = 500

// OpenPoints shows the person's decisions, and goes back to before one of them: all since
// then are undone at once, and redone by one key.
func OpenPoints(fx desk.Desk) kit.Out {
	d := history{title: "what you decided, on every screen and in every terminal", zone: fx.Now().Location(), foot: "go back to before it", none: "you have decided nothing yet"}
	return openPast(d, func() (past, error) {
		all, err := fx.Corpus.Points(mostPoints)
		return past{
			n:   len(all),
			row: func(i int) (time.Time, string) { return all[i].At, stepSays(all[i]) },
			changes: func(i, w int, st *look.Style) []string {
				return pointLines(all[:i+1], w, st)
			},
			restore: func(i int) (kit.Out, bool) { return kit.Out{Writes: []kit.Job{fx.BackTo(i + 1)}}, true },
		}, err
	})
}

// stepSays names a decision, and its lesson or how many.
func stepSays(s curate.Step) string {
	if n := len(s.Touched); n > 1 {
		return fmt.Sprintf("%s %d lessons", s.Op, n)
	}
	return fmt.Sprintf("%s “%s”", s.Op, look.Sentence(lessons.Line(s.Touched[0].Content), 60))
}

// pointLines says what becomes of each lesson when some steps are undone.
func pointLines(steps []curate.Step, w int, st *look.Style) []string {
	type turn struct{ now, then lessons.Status }
	turns, order := map[lessons.ID]*turn{}, []lessons.ID{}
	content := map[lessons.ID]string{}
	for _, s := range steps { // the newest first
		for _, t := range s.Touched {
			if turns[t.ID] == nil {
				turns[t.ID] = &turn{now: t.Status}
				order, content[t.ID] = append(order, t.ID), t.Content
			}
			turns[t.ID].then = t.Was
		}
	}
	lines := []string{st.Strong.Render(fmt.Sprintf("%s undone, %s changed", kit.Counted(len(steps), "decision"), kit.Counted(len(order), "lesson"))), ""}
	for _, id := range order {
		t := turns[id]
		what := cmp.Or(string(t.now), "gone") + " → " + cmp.Or(string(t.then), "gone")
		if t.now == t.then {
			what = "its text or limits"
		}
		lines = append(lines, kit.Fit(st.Warn.Render(what), 22)+" "+look.Sentence(lessons.Line(content[id]), max(w-24, 1)))
	}
	return lines
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
		if !d.listed() {
			return d, kit.Out{}
		}
		o, closes := d.past.restore(d.cur.At)
		if closes {
			return nil, o
		}
		return d, o
	}
	return d.scrolled(kit.Scrolling(k, d.room(d.H))), kit.Out{}
}

// scrolled scrolls the changes of a row.
func (d history) scrolled(by int) history {
	if d.listed() {
		d.Scroll = d.By(by, len(d.past.changes(d.cur.At, min(d.W, 100)-4, kit.Unseen)), d.room(d.H))
	}
	return d
}

// listed reports whether there is a row to show.
func (d history) listed() bool { return d.err == nil && d.cur.At < d.past.n }

// rows returns how many rows are visible, room how many lines their changes get.
func (d history) rows(h int) int { return max(min(d.past.n, h/3), 1) }
func (d history) room(h int) int { return max(h-3-d.rows(h), 1) }

func (d history) to(l kit.List) history {
	d.cur, d.Top = l, 0
	return d
}

func (d history) Hints() []kit.Hint {
	if !d.listed() {
		return []kit.Hint{{Key: "esc", Foot: "back"}}
	}
	return []kit.Hint{{Key: "j k", Foot: "versions"}, {Key: "r", Foot: d.foot}, {Key: "J K", Foot: "scroll"}, {Key: "esc", Foot: "back"}}
}

func (d history) View(w, h int, st *look.Style) string {
	w = min(w, 100)
	cur := d.cur.Resize(d.past.n, d.rows(h)) // the height of this frame decides what is visible
	lines := cur.Lines(w-4, st, func(i int, current bool) string {
		at, what := d.past.row(i)
		return kit.Edge(current, st) + kit.Ends(kit.Lit(current, st).Render(look.Sentence(lessons.Line(what), w-24)), st.Dim.Render(at.In(d.zone).Format("2006-01-02 15:04")), w-5)
	})
	switch {
	case !d.read:
		lines = []string{st.Dim.Render("reading the journal…")}
	case d.err != nil:
		lines = kit.Paragraph(d.err.Error(), w-4, st.Bad)
	case d.past.n == 0:
		lines = []string{st.Dim.Render(d.none)}
	default:
		lines = append(lines, "")
		lines = append(lines, kit.Clip(d.past.changes(d.cur.At, w-4, st), d.Top, d.room(h))...)
	}
	title := st.Accent.Render("history") + st.Dim.Render(" · "+d.title)
	return kit.Box{Title: title}.Draw(kit.Indented(lines), w, min(len(lines)+2, h), st)
}

// changesOf draws what a change did to a lesson.
func changesOf(c lessons.Change, w int, st *look.Style) []string {
	var lines []string
	label := len("confirmations ")
	for _, fact := range [][2]string{{"why", c.Why}, {"how", c.How}} {
		if fact[1] != "" {
			lines = append(lines, kit.WideFact(fact[0], label, lessons.Line(fact[1]), w, st.Text, st)...)
		}
	}
	for _, f := range c.Differences() {
		text, ink := card.WordDiff(f.Before, f.After, st), st.Text
		if f.Before == "" {
			text = lessons.Line(f.After)
		}
		lines = append(lines, kit.WideFact(card.FieldWord(f.Field), label, text, w, ink, st)...)
	}
	if len(lines) == 0 {
		lines = []string{st.Dim.Render("nothing that is shown: a counter, or how the file is written")}
	}
	return lines
}
