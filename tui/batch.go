package tui

import (
	"context"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"learnings/index/curate"
	"learnings/lessons"
	"learnings/tui/card"
	"learnings/tui/kit"
	"learnings/tui/look"
)

// A several asks once before something is done to several lessons. It lists what will be
// done to which, any of which can be left out, and what is left out in any case.
type several struct {
	action curate.Action
	chosen
	may    []lessons.Lesson
	left   []curate.Left
	out    kit.Marks // left out by the person
	cur    kit.List
	groups []queueGroup
	asking bool // what an approval must leave out is being looked for
	held   bool // the person has said yes meanwhile
	cost   int  // tokens of all that may; 0 when they are too many to count
	whole  int  // lines for the sentence under the cursor; 0 where rows show it

	of      string                                 // what they have in common, for the title
	instead curate.Action                          // what one key makes of it
	other   func(out kit.Marks) (several, kit.Out) // asks about that; nil for none
}

// apartMsg answers apart.
type apartMsg struct {
	chosen
	may  []lessons.Lesson
	left []curate.Left
}

// apart divides what was chosen, for the question that is open meanwhile.
func (fx effects) apart(a curate.Action, c chosen) kit.Job {
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
			d.cost += card.Tokens(may[i])
		}
	}
	if len(left) > 0 {
		d.groups, head = append(d.groups, queueGroup{name: "left out: judged one at a time, they stay marked", n: len(left)}), append(head, len(may))
	}
	d.cur.Head = head
	d.cur = d.cur.Resize(len(may)+len(left), max(d.cur.H, 1))
	return d
}

// takes are the lessons to decide on.
func (d several) takes() []lessons.Lesson {
	return slices.DeleteFunc(slices.Clone(d.may), func(l lessons.Lesson) bool { return d.out[l.ID] })
}

func (d several) Update(msg tea.Msg) (kit.Dialog, kit.Out) {
	switch m := msg.(type) {
	case kit.RoomMsg:
		below := 0
		if d.whole = d.longest(min(m.W, batchW) - 4); d.whole > 0 && m.H-5-d.whole-1 >= leastBatch {
			below = d.whole + 1
		} else {
			d.whole = 0
		}
		d.cur = d.cur.Resize(len(d.may)+len(d.left), max(min(m.H-5-below, d.cur.Span(0, max(d.cur.N-1, 0))), 1))
	case kit.WheelMsg:
		d.cur = d.cur.Move(m.By)
	case apartMsg:
		if len(m.ls) == len(d.ls) && len(m.ls) > 0 && &m.ls[0] == &d.ls[0] {
			same := len(m.left) == len(d.left)
			d.asking = false
			d = d.with(m.may, m.left)
			switch {
			case d.held && same: // it is as they were shown
				_, o := d.yes()
				return nil, kit.Out{Cmd: func() tea.Msg { return o.Answer }}
			case d.held:
				d.held = false
				return d, kit.Say("an approved lesson contradicts some of them: see what is left out")
			}
		}
	case tea.KeyPressMsg:
		return d.press(m.String())
	}
	return d, kit.Out{}
}

func (d several) press(k string) (kit.Dialog, kit.Out) {
	if cur, ok := d.cur.Stepped(k); ok {
		d.cur = cur
		return d, kit.Out{}
	}
	switch k {
	case "esc", "q", "n":
		return nil, kit.Out{}
	case "tab":
		if d.other != nil {
			return turnedTo(d)
		}
	case "a", "x":
		if d.other != nil && (k == "x") == (d.instead.Op == lessons.OpReject) {
			return turnedTo(d)
		}
	case "space":
		if d.cur.At < len(d.may) {
			l := d.may[d.cur.At]
			d.out = d.out.With(!d.out[l.ID], l)
			d.cur = d.cur.Move(1)
		}
	case "y":
		if d.asking {
			d.held = true
			return d, kit.Say("comparing with what is approved…")
		}
		return d.yes()
	}
	return d, kit.Out{}
}

// turnedTo asks for the other thing instead.
func turnedTo(d several) (kit.Dialog, kit.Out) {
	n, o := d.other(d.out)
	n.cur = n.cur.Resize(n.cur.N, d.cur.H).To(d.cur.At)
	return n, o
}

// yes answers with what is to be done.
func (d several) yes() (kit.Dialog, kit.Out) {
	ls := d.takes()
	if len(ls) == 0 {
		return d, kit.Say("nothing is left to %s", d.action.Verb)
	}
	stay := make([]lessons.Lesson, len(d.left))
	for i, l := range d.left {
		stay[i] = l.Lesson
	}
	return nil, kit.Out{Answer: decideMsg{action: d.action, chosen: chosen{ls: ls, marked: true, again: d.again}, sure: true, stay: stay}}
}

// batchW is how wide the list gets, with its frame.
const batchW = 90

func (d several) View(w, h int, st *look.Style) string {
	w = min(w, batchW)
	in := w - 4
	lines := []string{""}
	lines = append(lines, d.cur.Rows(func(i int, current bool) []string { return []string{d.row(i, current, in, st)} }, func(i int) string {
		at, first := slices.BinarySearch(d.cur.Head, i)
		if !first {
			at--
		}
		return kit.GroupHead(d.groups[at].name, d.groups[at].n, in, st)
	})...)
	n := len(d.takes())
	title := fmt.Sprintf("%s %s", d.action.Verb, kit.LessonsOf(n))
	if all := len(d.ls); n < all {
		title = fmt.Sprintf("%s %s of %s", d.action.Verb, kit.Grouped(n), kit.LessonsOf(all))
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
		right = st.Strong.Render("+" + kit.Grouped(cost) + " tokens")
	}
	lines = append(lines, d.inFull(in, st)...)
	end := "u undoes all of them"
	if d.asking {
		end = "comparing with what is approved…"
	}
	lines = append(lines, " "+st.Dim.Render(end))
	return kit.Box{Title: ink.Render(lessons.Line(title)), Right: right, On: true}.Draw(kit.Indented(lines), w, min(len(lines)+2, h), st)
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
	return look.Lines(lessons.Line(kit.CutTo(l.Content, kit.MostShown)), max(w-card.RowText, 8), mostInFull)
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
	for i, s := range d.sentence(d.cur.At, w-8) {
		lines[i+1] = strings.Repeat(" ", card.RowText) + st.Text.Render(s)
	}
	return lines
}

// leftOutCost are the tokens of what the person left out.
func (d several) leftOutCost() (n int) {
	if d.cost > 0 && len(d.out) > 0 {
		for _, l := range d.may {
			if d.out[l.ID] {
				n += card.Tokens(l)
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
			right = st.Dim.Render(fmt.Sprintf("+%d ", card.Tokens(l)))
		} else if d.of != "" { // they are of several lanes
			right = st.Dim.Render(laneNames[l.Lane][0] + " ")
			if f := card.Flags(l); len(f) > 0 {
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
	left := kit.Edge(current, st) + sign + " " + st.Dim.Render(kit.Fit(look.Tag(lessons.Line(string(l.Category))), card.RowBar)) + " "
	left += ink.Render(look.Sentence(lessons.Line(kit.CutTo(l.Content, kit.MostShown)), max(w-card.RowText-kit.CellsOf(right)-1, 4)))
	line := kit.Ends(left, right, w)
	if current {
		return st.Select(line)
	}
	return line
}

func (d several) Hints() []kit.Hint {
	hints := []kit.Hint{{Key: "y", Foot: fmt.Sprintf("%s %s", d.action.Verb, kit.Grouped(len(d.takes())))}}
	if d.other != nil {
		hints = append(hints, kit.Hint{Key: map[bool]string{true: "x", false: "a"}[d.instead.Op == lessons.OpReject], Foot: d.instead.Verb + " them instead"})
	}
	return append(hints, kit.Hint{Key: "space", Foot: "leave one out"}, kit.Hint{Key: "j k", Foot: "move"}, kit.Hint{Key: "esc", Foot: "back"})
}
