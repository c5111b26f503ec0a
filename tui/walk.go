package tui

import (
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"learnings/index/curate"
	"learnings/lessons"
	"learnings/tui/card"
	"learnings/tui/kit"
	"learnings/tui/look"
)

// aroundMsg answers neighbours.
type aroundMsg struct {
	seq   int
	found []curate.Neighbour
	err   error
}

// neighbours finds the lessons that have something to do with one.
func neighbours(fx effects, seq int, id lessons.ID) kit.Job {
	return func(ctx context.Context) tea.Msg {
		if !fx.shared.others.take(ctx) {
			return nil
		}
		defer fx.shared.others.giveBack()
		l, err := fx.Corpus.Store.Get(id)
		if err != nil {
			return aroundMsg{seq: seq, err: err}
		}
		found, err := curate.Around(ctx, &fx.Corpus.Library, l)
		return aroundMsg{seq, found, err}
	}
}

// A walk goes from a lesson to one that has something to do with it, and on from there.
type walk struct {
	fx    effects
	path  []lessons.Lesson // the lessons gone through, the current one last
	seq   int
	found []curate.Neighbour
	read  bool
	err   error
	cur   kit.List
	kit.RoomMsg
}

// openWalk opens the relations of a lesson.
func openWalk(fx effects, l lessons.Lesson) kit.Out {
	d := walk{fx: fx}
	next, o := d.to(l)
	return kit.Ask(next).And(o)
}

// to goes on to a lesson.
func (d walk) to(l lessons.Lesson) (walk, kit.Out) {
	d.path = append(d.path[:len(d.path):len(d.path)], l)
	return d.asked()
}

func (d walk) asked() (walk, kit.Out) {
	d.seq++
	d.found, d.read, d.err, d.cur = nil, false, nil, kit.List{}
	return d, kit.Run(neighbours(d.fx, d.seq, d.here().ID))
}

func (d walk) here() lessons.Lesson { return d.path[len(d.path)-1] }

func (d walk) Update(msg tea.Msg) (kit.Dialog, kit.Out) {
	switch m := msg.(type) {
	case kit.RoomMsg:
		d.RoomMsg = m
	case aroundMsg:
		if m.seq == d.seq {
			d.found, d.err, d.read = m.found, m.err, true
		}
	case kit.WheelMsg:
		d.cur = d.cur.Move(m.By / kit.Notch)
	case tea.KeyPressMsg:
		return d.press(m.String())
	}
	d.cur = d.cur.Resize(len(d.found), d.listed(d.H))
	return d, kit.Out{}
}

func (d walk) press(k string) (kit.Dialog, kit.Out) {
	if cur, ok := d.cur.Stepped(k); ok {
		d.cur = cur
		return d, kit.Out{}
	}
	switch k {
	case "esc", "q":
		return nil, kit.Out{}
	case "enter", "r", "l", "right":
		if d.cur.At < len(d.found) {
			return d.to(d.found[d.cur.At].Lesson)
		}
	case "backspace", "h", "left":
		if len(d.path) > 1 {
			d.path = d.path[:len(d.path)-1]
			return d.asked()
		}
		return d, kit.Say("here the walk began")
	case "b":
		return nil, kit.Out{Answer: browseMsg{"id:" + string(d.here().ID)}}
	case "*":
		if q := d.all(); q != "" {
			return nil, kit.Out{Answer: browseMsg{q}}
		}
	}
	return d, kit.Out{}
}

// all is the query for the lesson and all that were found around it.
func (d walk) all() string {
	ids := []string{"id:" + string(d.here().ID)}
	for _, n := range d.found {
		ids = append(ids, "id:"+string(n.Lesson.ID))
	}
	return strings.Join(ids, " ")
}

func (d walk) Hints() []kit.Hint {
	return []kit.Hint{{Key: "j k", Foot: "move"}, {Key: "enter", Foot: "go there"}, {Key: "h", Foot: "back"}, {Key: "b", Foot: "show it in Browse"}, {Key: "*", Foot: "show all of them"}, {Key: "esc", Foot: "leave"}}
}

// chosenLines is how many lines the lesson under the cursor has below the list.
const chosenLines = 4

// listed is how many neighbours are in sight on h lines.
func (d walk) listed(h int) int { return max(h-8-chosenLines, 3) }

func (d walk) View(w, h int, st *look.Style) string {
	w = min(w, askW+20)
	in := w - 4
	here := d.here()
	lines := []string{""}
	for i, l := range look.Lines(lessons.Line(kit.CutTo(here.Content, kit.MostShown)), in-4, 2) {
		sign := " "
		if i == 0 {
			sign = standing(here, d.fx.Now(), st)
		}
		lines = append(lines, "  "+sign+" "+st.Strong.Render(l))
	}
	lines = append(lines, "")
	switch {
	case !d.read:
		lines = append(lines, "    "+st.Dim.Render("looking…"))
	case len(d.found) == 0 && d.err == nil:
		lines = append(lines, "    "+st.Dim.Render("no lesson has anything to do with it"))
	}
	if d.err != nil {
		lines = append(lines, kit.Paragraph("not all could be found: "+d.err.Error(), in, st.Warn)...)
	}
	was := curate.Relation("")
	cur := d.cur.Resize(len(d.found), d.listed(h))
	lines = append(lines, cur.Lines(func(i int, current bool) string {
		n := d.found[i]
		label := string(n.Relation)
		if i > cur.Top && n.Relation == was {
			label = ""
		}
		was = n.Relation
		ink := st.Text
		if current {
			ink = st.Strong
		}
		left := kit.Edge(current, st) + st.Dim.Render(kit.Fit(label, 13)) + standing(n.Lesson, d.fx.Now(), st) + " "
		line := left + ink.Render(look.Sentence(lessons.Line(kit.CutTo(n.Lesson.Content, kit.MostShown)), in-17))
		if current {
			return st.Select(kit.Fit(line, in))
		}
		return line
	})...)
	if cur.At < len(d.found) {
		lines = append(lines, "")
		lines = append(lines, d.about(d.found[cur.At], in, st)...)
	}
	title := st.Accent.Render("around")
	if n := len(d.path) - 1; n > 0 {
		title += st.Dim.Render(" · " + kit.Counted(n, "step") + " from “" + look.Sentence(lessons.Line(d.path[0].Content), max(w-40, 8)) + "”")
	}
	return kit.Box{Title: title, Right: st.Dim.Render(fmt.Sprintf("%d", len(d.found))), On: true}.Draw(lines, w, min(len(lines)+2, h), st)
}

// about is the neighbour under the cursor, whole as far as there is room.
func (d walk) about(n curate.Neighbour, w int, st *look.Style) []string {
	l := n.Lesson
	var lines []string
	for _, t := range look.Lines(lessons.Line(kit.CutTo(l.Content, kit.MostShown)), w-4, chosenLines-1) {
		lines = append(lines, "  "+t)
	}
	where := lessons.Line(kit.Dotted(string(l.Category), l.Scope.Project, string(l.Status), fmt.Sprintf("%.2f", float64(l.Confidence)), n.Why))
	return append(lines, "  "+st.Dim.Render(look.Sentence(where, w-4)))
}

// A two shows how one lesson differs from another.
type two struct {
	fx   effects
	a, b lessons.Lesson
	kit.Scroll
}

func newTwo(fx effects, ls []lessons.Lesson) two { return two{fx: fx, a: ls[0], b: ls[1]} }

func (d two) Update(msg tea.Msg) (kit.Dialog, kit.Out) {
	switch m := msg.(type) {
	case kit.RoomMsg:
		d.RoomMsg = m
	case tea.KeyPressMsg:
		switch m.String() {
		case "esc", "q", "D":
			return nil, kit.Out{}
		case "m":
			one := newMerge(d.fx, []lessons.Lesson{d.a, d.b})
			return one, kit.Run(one.whole())
		}
	}
	d.Scroll = d.By(kit.Scrolling(msg, d.room()), len(d.lines(d.width(), kit.Unseen)), d.room())
	return d, kit.Out{}
}

func (d two) width() int { return min(d.W, 100) - 4 }

func (d two) room() int { return max(d.H-2, 1) }

func (d two) Hints() []kit.Hint {
	return []kit.Hint{{Key: "m", Foot: "merge"}, {Key: "j k", Foot: "scroll"}, {Key: "esc", Foot: "back"}}
}

func (d two) View(w, h int, st *look.Style) string {
	w = min(w, 100)
	lines := d.lines(w-4, st)
	return kit.Box{Title: st.Accent.Render("how two lessons differ"), On: true}.Draw(kit.Indented(kit.Clip(lines, d.Top, h-2)), w, min(len(lines)+2, h), st)
}

// lines are both sentences, and then what differs, field by field.
func (d two) lines(w int, st *look.Style) []string {
	label := len("confirmations ")
	lines := []string{""}
	for i, l := range []lessons.Lesson{d.a, d.b} {
		lines = append(lines, kit.WideFact(fmt.Sprint(i+1), label, lessons.Line(kit.CutTo(l.Content, kit.MostShown)), w, st.Strong, st)...)
		lines = append(lines, kit.WideFact("", label, string(l.ID)+" · "+string(l.Status), w, st.Dim, st)...)
	}
	lines = append(lines, "")
	for _, f := range (lessons.Change{Before: &d.a, After: &d.b}).Differences() {
		lines = append(lines, kit.WideFact(card.FieldWord(f.Field), label, card.WordDiff(f.Before, f.After, st), w, st.Text, st)...)
	}
	return append(lines, "")
}
