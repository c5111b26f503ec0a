package tui

import (
	"context"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"learnings/index/curate"
	"learnings/lessons"
	"learnings/tui/look"
)

// A several asks once before something is done to several lessons. It lists what will be
// done to which, any of which can be left out, and what is left out in any case.
type several struct {
	action curate.Action
	chosen
	may    []lessons.Lesson
	left   []curate.Left
	out    marks // left out by the person
	cur    list
	groups []queueGroup
	asking bool // what an approval must leave out is being looked for
	held   bool // the person has said yes meanwhile
	cost   int  // tokens of all that may; 0 when they are too many to count
	whole  int  // lines for the sentence under the cursor; 0 where rows show it

	of      string                         // what they have in common, for the title
	instead curate.Action                  // what one key makes of it
	other   func(out marks) (several, out) // asks about that; nil for none
}

// apartMsg answers apart.
type apartMsg struct {
	chosen
	may  []lessons.Lesson
	left []curate.Left
}

// apart divides what was chosen, for the question that is open meanwhile.
func (fx effects) apart(a curate.Action, c chosen) job {
	return func(ctx context.Context) tea.Msg {
		m := apartMsg{chosen: c}
		m.may, m.left = curate.ApartOf(ctx, &fx.Corpus.Library, a, c.ls)
		return m
	}
}

// mostCosted is of how many lessons the tokens are counted.
const mostCosted = 200

func newSeveral(a curate.Action, c chosen, may []lessons.Lesson, left []curate.Left) several {
	return several{action: a, chosen: c, asking: a.Op == lessons.OpApprove}.with(may, left)
}

// with lists other lessons.
func (d several) with(may []lessons.Lesson, left []curate.Left) several {
	may = slices.Clone(may)
	byProject(may, nil)
	d.may, d.left, d.groups, d.cost = may, left, nil, 0
	var head []int
	for i := range may {
		name := belongs(&may[i])
		if n := len(d.groups); n == 0 || d.groups[n-1].name != name {
			d.groups, head = append(d.groups, queueGroup{name: name}), append(head, i)
		}
		d.groups[len(d.groups)-1].n++
		if d.action.Op == lessons.OpApprove && len(may) <= mostCosted {
			d.cost += tokens(may[i])
		}
	}
	if len(left) > 0 {
		d.groups, head = append(d.groups, queueGroup{name: "left out: judged one at a time, they stay marked", n: len(left)}), append(head, len(may))
	}
	d.cur.head = head
	d.cur = d.cur.resize(len(may)+len(left), max(d.cur.h, 1))
	return d
}

// takes are the lessons to decide on.
func (d several) takes() []lessons.Lesson {
	return slices.DeleteFunc(slices.Clone(d.may), func(l lessons.Lesson) bool { return d.out[l.ID] })
}

func (d several) update(msg tea.Msg) (dialog, out) {
	switch m := msg.(type) {
	case roomMsg:
		below := 0
		if d.whole = d.longest(min(m.w, batchW) - 4); d.whole > 0 && m.h-5-d.whole-1 >= leastBatch {
			below = d.whole + 1
		} else {
			d.whole = 0
		}
		d.cur = d.cur.resize(len(d.may)+len(d.left), max(min(m.h-5-below, d.cur.span(0, max(d.cur.n-1, 0))), 1))
	case wheelMsg:
		d.cur = d.cur.move(m.by)
	case apartMsg:
		if len(m.ls) == len(d.ls) && len(m.ls) > 0 && &m.ls[0] == &d.ls[0] {
			same := len(m.left) == len(d.left)
			d.asking = false
			d = d.with(m.may, m.left)
			switch {
			case d.held && same: // it is as they were shown
				_, o := d.yes()
				return nil, out{cmd: func() tea.Msg { return o.answer }}
			case d.held:
				d.held = false
				return d, say("an approved lesson contradicts some of them: see what is left out")
			}
		}
	case tea.KeyPressMsg:
		return d.press(m.String())
	}
	return d, out{}
}

func (d several) press(k string) (dialog, out) {
	if cur, ok := d.cur.stepped(k); ok {
		d.cur = cur
		return d, out{}
	}
	switch k {
	case "esc", "q", "n":
		return nil, out{}
	case "tab":
		if d.other != nil {
			return turnedTo(d)
		}
	case "a", "x":
		if d.other != nil && (k == "x") == (d.instead.Op == lessons.OpReject) {
			return turnedTo(d)
		}
	case "space":
		if d.cur.at < len(d.may) {
			l := d.may[d.cur.at]
			d.out = d.out.with(!d.out[l.ID], l)
			d.cur = d.cur.move(1)
		}
	case "y":
		if d.asking {
			d.held = true
			return d, say("comparing with what is approved…")
		}
		return d.yes()
	}
	return d, out{}
}

// turnedTo asks for the other thing instead.
func turnedTo(d several) (dialog, out) {
	n, o := d.other(d.out)
	n.cur = n.cur.resize(n.cur.n, d.cur.h).to(d.cur.at)
	return n, o
}

// yes answers with what is to be done.
func (d several) yes() (dialog, out) {
	ls := d.takes()
	if len(ls) == 0 {
		return d, say("nothing is left to %s", d.action.Verb)
	}
	stay := make([]lessons.Lesson, len(d.left))
	for i, l := range d.left {
		stay[i] = l.Lesson
	}
	return nil, out{answer: decideMsg{action: d.action, chosen: chosen{ls: ls, marked: true, again: d.again}, sure: true, stay: stay}}
}

// batchW is how wide the list gets, with its frame.
const batchW = 90

func (d several) view(w, h int, st *look.Style) string {
	w = min(w, batchW)
	in := w - 4
	lines := []string{""}
	lines = append(lines, d.cur.rows(func(i int, current bool) []string { return []string{d.row(i, current, in, st)} }, func(i int) string {
		at, first := slices.BinarySearch(d.cur.head, i)
		if !first {
			at--
		}
		return groupHead(d.groups[at].name, d.groups[at].n, in, st)
	})...)
	n := len(d.takes())
	title := fmt.Sprintf("%s %s", d.action.Verb, lessonsOf(n))
	if all := len(d.ls); n < all {
		title = fmt.Sprintf("%s %s of %s", d.action.Verb, grouped(n), lessonsOf(all))
	}
	title += d.of
	if name, _ := curate.Named(d.action.Reason); name != "" {
		title += ": " + reasonShown(name)
	}
	ink, right := st.Accent, ""
	if d.action.Op == lessons.OpReject {
		ink = st.Bad
	}
	if cost := d.cost - d.leftOutCost(); cost > 0 {
		right = st.Strong.Render("+" + grouped(cost) + " tokens")
	}
	lines = append(lines, d.inFull(in, st)...)
	end := spelt("‹undo u› undoes all of them", st)
	if d.asking {
		end = "comparing with what is approved…"
	}
	lines = append(lines, " "+st.Dim.Render(end))
	return box{title: ink.Render(lessons.Line(title)), right: right, on: true}.draw(indented(lines), w, min(len(lines)+2, h), st)
}

// mostInFull is how many lines the sentence under the cursor has below the list, and
// leastBatch how many the list keeps beside them.
const (
	mostInFull = 3
	leastBatch = 4
)

// sentence is a row's in full.
func (d several) sentence(i, w int) []string {
	l := lessons.Lesson{}
	if i < len(d.may) {
		l = d.may[i]
	} else if i -= len(d.may); i < len(d.left) {
		l = d.left[i].Lesson
	}
	return look.Lines(lessons.Line(cutTo(l.Content, shown)), max(w-rowText, 8), mostInFull)
}

// longest is how many lines the longest sentence has; 0 where rows show each in full.
func (d several) longest(w int) (n int) {
	for i := range min(len(d.may)+len(d.left), 500) { // more would not be read one by one
		n = max(n, len(d.sentence(i, w-8)))
	}
	if n == 1 {
		return 0
	}
	return n
}

// inFull is the sentence under the cursor, where rows are too short for theirs: its end may
// be what matters. It has as many lines wherever the cursor is.
func (d several) inFull(w int, st *look.Style) []string {
	if d.whole == 0 {
		return nil
	}
	lines := make([]string, d.whole+1)
	for i, s := range d.sentence(d.cur.at, w-8) {
		lines[i+1] = strings.Repeat(" ", rowText) + st.Text.Render(s)
	}
	return lines
}

// leftOutCost are the tokens of what the person left out.
func (d several) leftOutCost() (n int) {
	if d.cost > 0 && len(d.out) > 0 {
		for _, l := range d.may {
			if d.out[l.ID] {
				n += tokens(l)
			}
		}
	}
	return n
}

// row is one lesson, or one that is left out and why.
func (d several) row(i int, current bool, w int, st *look.Style) string {
	sign, right, ink := look.Marked, "", st.Text
	var l lessons.Lesson
	if i < len(d.may) {
		l = d.may[i]
		if d.out[l.ID] {
			sign, ink = "○", st.Dim
		} else if d.action.Op == lessons.OpApprove {
			right = st.Dim.Render(fmt.Sprintf("+%d ", tokens(l)))
		} else if d.of != "" { // they are of several lanes
			right = st.Dim.Render(laneNames[l.Lane][0] + " ")
			if f := flags(l); len(f) > 0 {
				right = st.Warn.Render(look.Flagged+" ") + right
			}
		}
	} else {
		l = d.left[i-len(d.may)].Lesson
		sign, ink = "○", st.Dim
		right = st.Warn.Render(look.Sentence(look.Flagged+" "+lessons.Line(d.left[i-len(d.may)].Why), max(w*3/5, 8))) + " "
	}
	if current {
		ink = st.Strong
	}
	left := edge(current, st) + sign + " " + st.Dim.Render(fit(look.Tag(lessons.Line(string(l.Category))), rowBar)) + " "
	left += ink.Render(look.Sentence(lessons.Line(cutTo(l.Content, shown)), max(w-rowText-cellsOf(right)-1, 4)))
	line := ends(left, right, w)
	if current {
		return st.Select(line)
	}
	return line
}

func (d several) hints() []hint {
	hints := []hint{{key: "y", foot: fmt.Sprintf("%s %s", d.action.Verb, grouped(len(d.takes())))}}
	if d.other != nil {
		hints = append(hints, hint{key: map[bool]string{true: "x", false: "a"}[d.instead.Op == lessons.OpReject], foot: d.instead.Verb + " them instead"})
	}
	return append(hints, hint{key: "space", foot: "leave one out"}, hint{key: "j k", foot: "move"}, hint{key: "esc", foot: "back"})
}
