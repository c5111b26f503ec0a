package decide

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"learnings/index/curate"
	"learnings/lessons"
	"learnings/tui/card"
	"learnings/tui/desk"
	"learnings/tui/kit"
	"learnings/tui/look"
)

// A Several asks once before an action on several lessons. It lists them, lets the person
// leave some out, and shows those that must be left out.
type Several struct {
	action curate.Action
	desk.Chosen
	May    []lessons.Lesson
	left   []curate.Left
	Out    kit.Marks // left out by the person
	Cur    kit.List
	groups Groups
	asking bool // a job looks for what an approval must leave out
	held   bool // the person said yes while it runs
	cost   int  // tokens of all in May; 0 if they are too many to count
	whole  int  // lines for the sentence under the cursor; 0 if rows show it

	Of      string                                 // what the lessons have in common, for the title
	Instead curate.Action                          // the action of another key
	Other   func(out kit.Marks) (Several, kit.Out) // the question for Instead; nil for none
}

// SetApart finds what must be left out, for the question that is open meanwhile.
func SetApart(fx desk.Desk, a curate.Action, c desk.Chosen) kit.Job {
	return func(ctx context.Context) tea.Msg {
		may, left := curate.ApartOf(ctx, &fx.Corpus.Library, a, c.Ls)
		return kit.Reply[Several](func(d Several) (kit.Dialog, kit.Out) {
			if len(c.Ls) != len(d.Ls) || len(c.Ls) == 0 || &c.Ls[0] != &d.Ls[0] {
				return d, kit.Out{} // another question was opened
			}
			return d.parted(may, left)
		})
	}
}

// parted takes what must be left out. A yes given before holds, unless more must be left
// out than was shown.
func (d Several) parted(may []lessons.Lesson, left []curate.Left) (kit.Dialog, kit.Out) {
	same, held := len(left) == len(d.left), d.held
	d.asking, d.held = false, false
	d = d.with(may, left)
	switch {
	case held && same:
		_, o := d.yes()
		return nil, kit.Out{Cmd: func() tea.Msg { return o.Answer }}
	case held:
		return d, kit.Say("an approved lesson contradicts some of them: see what is left out")
	}
	return d, kit.Out{}
}

// mostCosted is how many lessons have their tokens counted.
const mostCosted = 200

// NewSeveral asks about an action on the lessons may. It leaves out left.
func NewSeveral(a curate.Action, c desk.Chosen, may []lessons.Lesson, left []curate.Left) Several {
	return Several{action: a, Chosen: c, asking: a.Op == lessons.OpApprove}.with(may, left)
}

// with replaces the lessons.
func (d Several) with(may []lessons.Lesson, left []curate.Left) Several {
	may = slices.Clone(may)
	ByProject(may, nil)
	d.May, d.left, d.groups, d.cost = may, left, GroupsOf(may), 0
	if d.action.Op == lessons.OpApprove && len(may) <= mostCosted {
		for _, l := range may {
			d.cost += card.Tokens(l)
		}
	}
	if len(left) > 0 {
		d.groups = append(d.groups, group{"left out: judged one at a time, they stay marked", len(may), len(left)})
	}
	d.Cur.Head = d.groups.Heads()
	d.Cur = d.Cur.Resize(len(may)+len(left), max(d.Cur.H, 1))
	return d
}

// takes returns the lessons to decide on.
func (d Several) takes() []lessons.Lesson {
	return slices.DeleteFunc(slices.Clone(d.May), func(l lessons.Lesson) bool { return d.Out[l.ID] })
}

func (d Several) Update(msg tea.Msg) (kit.Dialog, kit.Out) {
	switch m := msg.(type) {
	case kit.RoomMsg:
		below := 0
		if d.whole = d.longest(min(m.W, batchW) - 12); d.whole > 0 {
			below = d.whole + 1
		}
		if m.H-5-below < leastBatch {
			below, d.whole = 0, 0
		}
		d.Cur = d.Cur.Resize(len(d.May)+len(d.left), max(min(m.H-5-below, d.Cur.Span(0, max(d.Cur.N-1, 0))), 1))
	case kit.WheelMsg:
		d.Cur = d.Cur.Move(m.By)
	case kit.Reply[Several]:
		return m(d)
	case tea.KeyPressMsg:
		return d.press(m.String())
	}
	return d, kit.Out{}
}

func (d Several) press(k string) (kit.Dialog, kit.Out) {
	if cur, ok := d.Cur.Stepped(k); ok {
		d.Cur = cur
		return d, kit.Out{}
	}
	switch k {
	case "esc", "q", "n":
		return nil, kit.Out{}
	case "tab":
		if d.Other != nil {
			return turnedTo(d)
		}
	case "a", "x":
		if d.Other != nil && (k == "x") == (d.Instead.Op == lessons.OpReject) {
			return turnedTo(d)
		}
	case "space":
		if d.Cur.At < len(d.May) {
			l := d.May[d.Cur.At]
			d.Out = d.Out.With(!d.Out[l.ID], l)
			d.Cur = d.Cur.Move(1)
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

// turnedTo opens the other question.
func turnedTo(d Several) (kit.Dialog, kit.Out) {
	n, o := d.Other(d.Out)
	n.Cur = n.Cur.Resize(n.Cur.N, d.Cur.H).To(d.Cur.At)
	return n, o
}

// yes returns the answer: the decision.
func (d Several) yes() (kit.Dialog, kit.Out) {
	ls := d.takes()
	if len(ls) == 0 {
		return d, kit.Say("nothing is left to %s", d.action.Verb)
	}
	stay := make([]lessons.Lesson, len(d.left))
	for i, l := range d.left {
		stay[i] = l.Lesson
	}
	return nil, kit.Out{Answer: desk.DecideMsg{Action: d.action, Chosen: desk.Chosen{Ls: ls, Marked: true, Again: d.Again}, Sure: true, Stay: stay}}
}

// batchW is the width of the list, frame included.
const batchW = 90

func (d Several) View(w, h int, st *look.Style) string {
	w = min(w, batchW)
	in := w - 4
	lines := []string{""}
	lines = append(lines, d.Cur.Rows(in, st, func(i int, current bool) []string { return []string{d.row(i, current, in, st)} }, func(i int) string {
		return d.groups.Head(i, in, st)
	})...)
	n := len(d.takes())
	title := fmt.Sprintf("%s %s", d.action.Verb, kit.LessonsOf(n))
	if all := len(d.Ls); n < all {
		title = fmt.Sprintf("%s %s of %s", d.action.Verb, kit.Grouped(n), kit.LessonsOf(all))
	}
	title += d.Of
	if name, _ := curate.Named(d.action.Reason); name != "" {
		title += ": " + desk.ReasonShown(name)
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
	return kit.Box{Title: ink.Render(lessons.Line(title)), Right: right}.Draw(kit.Indented(lines), w, min(len(lines)+2, h), st)
}

// mostInFull limits the lines for the sentence under the cursor, and leastBatch is how
// many lines the list keeps above it.
const (
	mostInFull = 3
	leastBatch = 4
)

// sentence returns the whole sentence of row i.
func (d Several) sentence(i, w int) []string {
	l := lessons.Lesson{}
	if i < len(d.May) {
		l = d.May[i]
	} else if i -= len(d.May); i < len(d.left) {
		l = d.left[i].Lesson
	}
	return look.Lines(lessons.Line(kit.CutTo(l.Content, kit.MostShown)), max(w-card.RowText, 8), mostInFull)
}

// longest returns the lines of the longest sentence; 0 if rows show all in full.
func (d Several) longest(w int) (n int) {
	for i := range min(len(d.May)+len(d.left), 500) { // nobody reads more one by one
		n = max(n, len(d.sentence(i, w)))
	}
	if n == 1 {
		return 0
	}
	return n
}

// inFull draws the whole sentence under the cursor, since its end may matter. Its height
// is the same for all rows.
func (d Several) inFull(w int, st *look.Style) []string {
	if d.whole == 0 {
		return nil
	}
	lines := make([]string, d.whole+1)
	for i, s := range d.sentence(d.Cur.At, w-8) {
		lines[i+1] = strings.Repeat(" ", card.RowText) + st.Text.Render(s)
	}
	return lines
}

// leftOutCost returns the tokens of the lessons the person left out.
func (d Several) leftOutCost() (n int) {
	if d.cost > 0 && len(d.Out) > 0 {
		for _, l := range d.May {
			if d.Out[l.ID] {
				n += card.Tokens(l)
			}
		}
	}
	return n
}

// row draws a lesson, or one that is left out and why.
func (d Several) row(i int, current bool, w int, st *look.Style) string {
	sign, right, ink := look.Marked, "", st.Text
	var l lessons.Lesson
	if i < len(d.May) {
		l = d.May[i]
		if d.Out[l.ID] {
			sign, ink = "○", st.Dim
		} else if d.action.Op == lessons.OpApprove {
			right = st.Dim.Render(fmt.Sprintf("+%d ", card.Tokens(l)))
		} else if d.Of != "" { // they are from several lanes
			right = st.Dim.Render(LaneNames[l.Lane][0] + " ")
			if f := card.Flags(l); len(f) > 0 {
				right = st.Warn.Render(look.Flagged+" ") + right
			}
		}
	} else {
		l = d.left[i-len(d.May)].Lesson
		sign, ink = "○", st.Dim
		right = st.Warn.Render(look.Sentence(look.Flagged+" "+lessons.Line(d.left[i-len(d.May)].Why), max(w*3/5, 8))) + " "
	}
	if current {
		ink = st.Strong
	}
	left := kit.Edge(current, st) + sign + " " + st.Dim.Render(kit.Fit(look.Tag(lessons.Line(string(l.Category))), card.RowBar)) + " "
	left += ink.Render(look.Sentence(lessons.Line(kit.CutTo(l.Content, kit.MostShown)), max(w-card.RowText-kit.CellsOf(right)-1, 4)))
	return kit.Ends(left, right, w)
}

func (d Several) Hints() []kit.Hint {
	hints := []kit.Hint{{Key: "y", Foot: fmt.Sprintf("%s %s", d.action.Verb, kit.Grouped(len(d.takes())))}}
	if d.Other != nil {
		hints = append(hints, kit.Hint{Key: map[bool]string{true: "x", false: "a"}[d.Instead.Op == lessons.OpReject], Foot: d.Instead.Verb + " them instead"})
	}
	return append(hints, kit.Hint{Key: "space", Foot: "leave one out"}, kit.Hint{Key: "j k", Foot: "move"}, kit.Hint{Key: "esc", Foot: "back"})
}

// question asks before a decision on several lessons and says what must be left out.
// goAhead is true for a decision that needs no question, on one lesson. If everything
// must be left out, o says so.
func question(fx desk.Desk, c desk.Chosen, a curate.Action) (o kit.Out, goAhead bool) {
	may, left := c.Apart(a)
	switch {
	case len(may) == 0 && len(left) == 0:
		return kit.Say("nothing to %s", a.Verb), false
	case len(may) == 0:
		return kit.Warn("nothing is done: %s", desk.Alone(left)), false
	case len(may) == 1 && len(left) == 0:
		return kit.Out{}, true
	}
	d := NewSeveral(a, c, may, left)
	return kit.Ask(d).And(kit.Run(SetApart(fx, a, c))), false
}

// ByProject groups lessons by project, keeping their order within each: first the
// projects in places, then others in the order of their first lessons. It returns the
// projects in order.
func ByProject(ls []lessons.Lesson, places []string) []string {
	rank := map[string]int{}
	for _, p := range places {
		rank[p] = len(rank) + 1
	}
	for i := range ls {
		if p := Belongs(&ls[i]); rank[p] == 0 {
			rank[p] = len(rank) + 1
			places = append(slices.Clip(places), p)
		}
	}
	if len(rank) > 1 {
		slices.SortStableFunc(ls, func(a, b lessons.Lesson) int { return cmp.Compare(rank[Belongs(&a)], rank[Belongs(&b)]) })
	}
	return places
}

// Belongs returns the name of a lesson's group in the queue.
func Belongs(l *lessons.Lesson) string {
	if l.Scope.Global || l.Scope.Project == "" {
		return "every project"
	}
	return l.Scope.Project
}

// Groups are runs of adjacent lessons in a list.
type Groups []group

type group struct {
	name    string
	from, n int // rows
}

// GroupsOf groups adjacent lessons of ls that belong together.
func GroupsOf(ls []lessons.Lesson) (gs Groups) {
	for i := range ls {
		if name := Belongs(&ls[i]); len(gs) == 0 || gs[len(gs)-1].name != name {
			gs = append(gs, group{name: name, from: i})
		}
		gs[len(gs)-1].n++
	}
	return gs
}

// Heads returns the first row of each group.
func (gs Groups) Heads() (rows []int) {
	for _, g := range gs {
		rows = append(rows, g.from)
	}
	return rows
}

// Head draws the line above the group of a row.
func (gs Groups) Head(row, w int, st *look.Style) string {
	for _, g := range slices.Backward(gs) {
		if g.from <= row {
			return kit.GroupHead(g.name, g.n, w, st)
		}
	}
	return ""
}

// LaneNames has the name of each lane and its short form.
var LaneNames = map[lessons.Lane][2]string{
	lessons.Likely: {"likely", "likely"}, lessons.Maybe: {"maybe", "maybe"}, curate.Duplicates: {"duplicates", "dup"},
	lessons.FromOutside: {"from outside", "outside"}, lessons.Quarantined: {"quarantined", "quar"}, curate.Outdated: {"out of date", "old"},
}
