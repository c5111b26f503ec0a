package tui

import (
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"learnings/index/curate"
	"learnings/lessons"
	"learnings/tui/look"
)

// aroundMsg answers neighbours.
type aroundMsg struct {
	seq   int
	found []curate.Neighbour
	err   error
}

// neighbours finds the lessons that have something to do with one.
func neighbours(fx effects, seq int, id lessons.ID) job {
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
	cur   list
	roomMsg
}

// openWalk opens the relations of a lesson.
func openWalk(fx effects, l lessons.Lesson) out {
	d := walk{fx: fx}
	next, o := d.to(l)
	return ask(next).and(o)
}

// to goes on to a lesson.
func (d walk) to(l lessons.Lesson) (walk, out) {
	d.path = append(d.path[:len(d.path):len(d.path)], l)
	return d.asked()
}

func (d walk) asked() (walk, out) {
	d.seq++
	d.found, d.read, d.err, d.cur = nil, false, nil, list{}
	return d, run(neighbours(d.fx, d.seq, d.here().ID))
}

func (d walk) here() lessons.Lesson { return d.path[len(d.path)-1] }

func (d walk) update(msg tea.Msg) (dialog, out) {
	switch m := msg.(type) {
	case roomMsg:
		d.roomMsg = m
	case aroundMsg:
		if m.seq == d.seq {
			d.found, d.err, d.read = m.found, m.err, true
		}
	case wheelMsg:
		d.cur = d.cur.move(m.by / notch)
	case tea.KeyPressMsg:
		return d.press(m.String())
	}
	d.cur = d.cur.resize(len(d.found), d.listed(d.h))
	return d, out{}
}

func (d walk) press(k string) (dialog, out) {
	if cur, ok := d.cur.stepped(k); ok {
		d.cur = cur
		return d, out{}
	}
	switch k {
	case "esc", "q":
		return nil, out{}
	case "enter", "r", "l", "right":
		if d.cur.at < len(d.found) {
			return d.to(d.found[d.cur.at].Lesson)
		}
	case "backspace", "h", "left":
		if len(d.path) > 1 {
			d.path = d.path[:len(d.path)-1]
			return d.asked()
		}
		return d, say("here the walk began")
	case "b":
		return nil, out{answer: browseMsg{"id:" + string(d.here().ID)}}
	case "*":
		if q := d.all(); q != "" {
			return nil, out{answer: browseMsg{q}}
		}
	}
	return d, out{}
}

// all is the query for the lesson and all that were found around it.
func (d walk) all() string {
	ids := []string{"id:" + string(d.here().ID)}
	for _, n := range d.found {
		ids = append(ids, "id:"+string(n.Lesson.ID))
	}
	return strings.Join(ids, " ")
}

func (d walk) hints() []hint {
	return []hint{{key: "j k", foot: "move"}, {key: "enter", foot: "go there"}, {key: "h", foot: "back"}, {key: "b", foot: "show it in Browse"}, {key: "*", foot: "show all of them"}, {key: "esc", foot: "leave"}}
}

// chosenLines is how many lines the lesson under the cursor has below the list.
const chosenLines = 4

// listed is how many neighbours are in sight on h lines.
func (d walk) listed(h int) int { return max(h-8-chosenLines, 3) }

func (d walk) view(w, h int, st *look.Style) string {
	w = min(w, askW+20)
	in := w - 4
	here := d.here()
	lines := []string{""}
	for i, l := range look.Lines(lessons.Line(cutTo(here.Content, shown)), in-4, 2) {
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
		lines = append(lines, paragraph("not all could be found: "+d.err.Error(), in, st.Warn)...)
	}
	was := curate.Relation("")
	cur := d.cur.resize(len(d.found), d.listed(h))
	lines = append(lines, cur.lines(func(i int, current bool) string {
		n := d.found[i]
		label := string(n.Relation)
		if i > cur.top && n.Relation == was {
			label = ""
		}
		was = n.Relation
		ink := st.Text
		if current {
			ink = st.Strong
		}
		left := edge(current, st) + st.Dim.Render(fit(label, 13)) + standing(n.Lesson, d.fx.Now(), st) + " "
		line := left + ink.Render(look.Sentence(lessons.Line(cutTo(n.Lesson.Content, shown)), in-17))
		if current {
			return st.Select(fit(line, in))
		}
		return line
	})...)
	if cur.at < len(d.found) {
		lines = append(lines, "")
		lines = append(lines, d.about(d.found[cur.at], in, st)...)
	}
	title := st.Accent.Render("around")
	if n := len(d.path) - 1; n > 0 {
		title += st.Dim.Render(" · " + counted(n, "step") + " from “" + look.Sentence(lessons.Line(d.path[0].Content), max(w-40, 8)) + "”")
	}
	return box{title: title, right: st.Dim.Render(fmt.Sprintf("%d", len(d.found))), on: true}.draw(lines, w, min(len(lines)+2, h), st)
}

// about is the neighbour under the cursor, whole as far as there is room.
func (d walk) about(n curate.Neighbour, w int, st *look.Style) []string {
	l := n.Lesson
	var lines []string
	for _, t := range look.Lines(lessons.Line(cutTo(l.Content, shown)), w-4, chosenLines-1) {
		lines = append(lines, "  "+t)
	}
	where := lessons.Line(bar(string(l.Category), l.Scope.Project, string(l.Status), fmt.Sprintf("%.2f", float64(l.Confidence)), n.Why))
	return append(lines, "  "+st.Dim.Render(look.Sentence(where, w-4)))
}

// A two shows how one lesson differs from another.
type two struct {
	fx   effects
	a, b lessons.Lesson
	scroll
}

func newTwo(fx effects, ls []lessons.Lesson) two { return two{fx: fx, a: ls[0], b: ls[1]} }

func (d two) update(msg tea.Msg) (dialog, out) {
	switch m := msg.(type) {
	case roomMsg:
		d.roomMsg = m
	case tea.KeyPressMsg:
		switch m.String() {
		case "esc", "q", "D":
			return nil, out{}
		case "m":
			one := newMerge(d.fx, []lessons.Lesson{d.a, d.b})
			return one, run(one.whole())
		}
	}
	d.scroll = d.by(turned(msg, d.room()), len(d.lines(d.width(), unseenStyle)), d.room())
	return d, out{}
}

func (d two) width() int { return min(d.w, 100) - 4 }

func (d two) room() int { return max(d.h-2, 1) }

func (d two) hints() []hint {
	return []hint{{key: "m", foot: "merge"}, {key: "j k", foot: "scroll"}, {key: "esc", foot: "back"}}
}

func (d two) view(w, h int, st *look.Style) string {
	w = min(w, 100)
	lines := d.lines(w-4, st)
	return box{title: st.Accent.Render("how two lessons differ"), on: true}.draw(indented(clip(lines, d.top, h-2)), w, min(len(lines)+2, h), st)
}

// lines are both sentences, and then what differs, field by field.
func (d two) lines(w int, st *look.Style) []string {
	label := len("confirmations ")
	lines := []string{""}
	for i, l := range []lessons.Lesson{d.a, d.b} {
		lines = append(lines, labelled(fmt.Sprint(i+1), label, lessons.Line(cutTo(l.Content, shown)), w, st.Strong, st)...)
		lines = append(lines, labelled("", label, string(l.ID)+" · "+string(l.Status), w, st.Dim, st)...)
	}
	lines = append(lines, "")
	for _, f := range (lessons.Change{Before: &d.a, After: &d.b}).Differences() {
		lines = append(lines, labelled(fieldWord(f.Field), label, wordDiff(f.Before, f.After, st), w, st.Text, st)...)
	}
	return append(lines, "")
}
