package reader

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"learnings/extractor/transcript"
	"learnings/lessons"
	"learnings/tui/card"
	"learnings/tui/kit"
	"learnings/tui/look"
)

// A page caches the drawn items. It depends on the items, the width, the style and the
// folds.
type page struct {
	w     int
	st    *look.Style
	lines []string
	start []int  // the first line of each item, then the number of lines
	quote [2]int // the lines [from, to) of the quote in a longer turn; 0 and 0 for none
}

// gutter is the width of line number and speaker.
const gutter = 15

// folds are what the person has folded or unfolded.
type folds struct {
	all    bool         // tools are unfolded
	turned map[int]bool // items that differ from that
}

func (f folds) turn(i int) folds {
	next := map[int]bool{i: !f.turned[i]}
	for k, on := range f.turned {
		if k != i {
			next[k] = on
		}
	}
	return folds{f.all, next}
}

func (f folds) open(i int) bool { return f.all != f.turned[i] }

// redrawn discards the cached page.
func (d Reader) redrawn() Reader {
	st := kit.Unseen
	if d.page != nil {
		st = d.page.st
	}
	d.page = &page{st: st}
	return d
}

// unfolded unfolds the item under the cursor after a search went to its text.
func (d Reader) unfolded() Reader {
	if !d.hunt.unfold || d.cur < 0 {
		return d
	}
	d.hunt.unfold = false
	if !d.folds.open(d.cur) {
		d.folds = d.folds.turn(d.cur)
	}
	return d.redrawn()
}

// laid lays out all items in the last style.
func (d Reader) laid() *page { return d.lay(d.page.st) }

// lay lays out all items.
func (d Reader) lay(st *look.Style) *page {
	p := d.page
	if p.w == d.textW() && p.st == st && p.start != nil {
		return p
	}
	*p = page{w: d.textW(), st: st}
	if n := d.part.Before; n > 0 {
		p.lines = append(p.lines, st.Dim.Render(fmt.Sprintf(" … %s before", kit.Counted(n, "turn"))), "")
	}
	for i := range d.items {
		p.start = append(p.start, len(p.lines))
		p.lines = append(p.lines, d.item(i, p.w-1, st)...)
	}
	p.start = append(p.start, len(p.lines))
	if n := d.part.After; n > 0 {
		p.lines = append(p.lines, st.Dim.Render(fmt.Sprintf(" … %s behind", kit.Counted(n, "turn"))))
	}
	if n := d.part.Bad; n > 0 {
		p.lines = append(p.lines, st.Warn.Render(fmt.Sprintf(" ! %s could not be read", kit.Counted(n, "line"))))
	}
	return p
}

// item draws one item: the lessons that quote it, then what was said or called.
func (d Reader) item(i, w int, st *look.Style) []string {
	it := d.items[i]
	lines := d.above(i, w, st)
	if it.Calls != nil {
		return append(lines, d.calls(i, w, st)...)
	}
	t := d.part.Turns[it.From]
	person := t.Speaker == transcript.Person
	who, name, ink, side, most := "agent", st.Agent, st.Text, " ", 12
	switch {
	case person:
		who, name, side, most = "person", st.Person, st.Person.Render(look.Said), 400
	case t.Kind == transcript.Thinking:
		who, name, ink, most = "thinks", st.Dim, st.Dim, 1
	case t.Speaker == transcript.Harness:
		who, name, ink, most = "harness", st.Dim, st.Dim, 2
	}
	text := strings.TrimSpace(Spoken(t))
	if !it.Here {
		text = kit.CutTo(text, kit.MostShown)
	}
	room, all, rest := max(w-gutter-1, 8), []string(nil), 0
	if t.Speaker == transcript.Agent && t.Kind == transcript.Message && !it.Here {
		all, ink = told(text, room, ink, st), look.Ink{}
	} else {
		all = kit.Wrap(lessons.Block(text), room)
	}
	if !d.folds.open(i) && !it.Here && len(all) > most+1 {
		rest, all = len(all)-most, all[:most:most]
	}
	from, to := 0, 0
	if it.Here {
		if from, to = kit.LinesOf(all, d.from().Quote); to > 0 {
			at := len(d.page.lines) + len(lines)
			d.page.quote = [2]int{at + from, at + to}
		}
	}
	for k, l := range all {
		before := strings.Repeat(" ", gutter)
		if k == 0 {
			before = prefix(t.Line, who, name, st)
		} else if k == from && to > 0 {
			before = kit.Ends("", st.Person.Render(look.Pinned)+" ", gutter)
		}
		said := ink
		if k >= from && k < to {
			said = st.Strong
		}
		lines = append(lines, before+side+said.Render(l))
	}
	if rest > 0 {
		lines = append(lines, strings.Repeat(" ", gutter+1)+st.Dim.Render("▸ "+kit.Counted(rest, "more line")))
	}
	if person || i+1 < len(d.items) && d.part.Turns[d.items[i+1].From].Speaker == transcript.Person {
		lines = append(lines, "")
	}
	return lines
}

// prefix draws the line number and the speaker.
func prefix(line int, who string, name look.Ink, st *look.Style) string {
	return st.Dim.Render(fmt.Sprintf("%6d", line)) + name.Render(fmt.Sprintf("%8s", who)) + " "
}

// above names the lessons that quote an item. It adds the sentence of the one that the
// keys act on, unless the item says it.
func (d Reader) above(i, w int, st *look.Style) (lines []string) {
	it, l := d.items[i], d.of
	words := func(s string) string {
		return strings.ToLower(strings.Trim(strings.Join(strings.Fields(lessons.Line(s)), " "), " .!"))
	}
	if it.Here {
		stands := ""
		if l.ID != "" {
			stands = " " + standing(l)
		}
		says := fmt.Sprintf("%s evidence %d of %d", look.Pinned, d.at+1, len(d.all))
		lines = append(lines, kit.Ends("", st.Person.Render(says)+st.Dim.Render(stands)+" ", w))
	}
	if it.Here && l.ID != "" && (it.Calls != nil || words(l.Content) != words(d.part.Turns[it.From].Text)) {
		left := st.Dim.Render(fmt.Sprintf("%14s", "lesson")) + "  "
		for _, s := range look.Lines(lessons.Line(kit.CutTo(l.Content, kit.MostShown)), max(w-gutter-1, 8), 2) {
			lines = append(lines, left+st.Strong.Render(s))
			left = strings.Repeat(" ", gutter+1)
		}
	}
	others := slices.DeleteFunc(d.quotes(i), func(o lessons.Lesson) bool { return o.ID == l.ID })
	if len(others) > 0 {
		o, more := others[0], ""
		if n := len(others) - 1; n > 0 {
			more = fmt.Sprintf(" and %d more", n)
		}
		says := fmt.Sprintf(" %s “%s”%s ", standing(o), lessons.Line(o.Title(32)), more)
		lines = append(lines, kit.Ends("", st.Tool.Render(look.Other)+st.Dim.Render(says), w))
	}
	return lines
}

// standing says what a lesson is and what became of it.
func standing(l lessons.Lesson) string {
	return fmt.Sprintf("%s %s %s", look.Tag(lessons.Line(string(l.Category))), l.Trust(), l.Status)
}

// calls draws calls of tools folded to one line, with their number and subject. A failed
// one has its error.
func (d Reader) calls(i, w int, st *look.Style) []string {
	it := d.items[i]
	room := max(w-gutter-3, 8)
	sign, ink, most := "▸", st.Tool, 1
	says := CallsOf(d.part.Turns, it)
	switch c := it.Calls[0]; {
	case it.Failed:
		why := d.part.Turns[c.Asked].Text
		if c.Answer >= 0 {
			why = d.part.Turns[c.Answer].Text
		}
		sign, ink = st.Bad.Render(look.Rejected), st.Bad
		if !d.folds.open(i) {
			says, most = says+" "+lessons.Line(kit.CutTo(why, kit.MostShown)), 4
		}
	case d.folds.open(i):
		sign = "▾"
	}
	var lines []string
	left := prefix(d.part.Turns[it.From].Line, "tool", ink, st) + " " + sign + " "
	for _, l := range look.Lines(says, room, most) {
		lines = append(lines, left+l)
		left = strings.Repeat(" ", gutter+3)
	}
	for _, c := range it.Calls {
		if d.folds.open(i) {
			lines = append(lines, d.unfoldedCall(c, len(it.Calls) > 1, room, st)...)
		}
	}
	return lines
}

// Limits for the lines of an unfolded call: its input and its result.
const (
	mostAsked  = 60
	mostAnswer = 40
)

// unfoldedCall draws a whole call: an edit as a diff, others as input and result.
func (d Reader) unfoldedCall(c Call, named bool, room int, st *look.Style) []string {
	t := d.part.Turns[c.Asked]
	var lines []string
	put := func(sign, text string, most int, ink look.Ink) {
		text = strings.Trim(kit.CutTo(text, kit.MostShown), "\n")
		if text == "" {
			return
		}
		all := strings.Split(lessons.Block(text), "\n")
		for _, l := range all[:min(len(all), most)] {
			lines = append(lines, ink.Render(ansi.Truncate(sign+l, room-2, "…")))
		}
		if n := len(all) - most; n > 0 && most > 1 {
			lines = append(lines, st.Dim.Render("▸ "+kit.Counted(n, "more line")))
		}
	}
	if name, about := ToolOf(t); named && t.Kind == transcript.Call {
		put("", name+" "+lessons.Line(about), 1, st.Tool)
	}
	switch {
	case Editing(t):
		put("- ", t.Tool.Old, mostAsked, st.Removed)
		put("+ ", t.Tool.New, mostAsked, st.Added)
	case t.Kind != transcript.Call || t.Tool == nil:
		put("", t.Text, mostAnswer, st.Dim)
	case t.Tool.Command != "" || t.Tool.Path == "":
		put("", cmp.Or(t.Tool.Command, t.Tool.Input), mostAsked, st.Text)
	}
	if c.Answer >= 0 {
		if a := d.part.Turns[c.Answer]; a.Failed {
			put("", a.Text, mostAnswer, st.Bad)
		} else if !Editing(t) {
			put("", a.Text, mostAnswer, st.Dim)
		}
	}
	for k, l := range lines {
		lines[k] = strings.Repeat(" ", gutter+5) + l
	}
	return lines
}

// snapshot draws what the evidence itself holds.
func (d Reader) snapshot(w int, st *look.Style) []string {
	e := d.from()
	why := d.err.Error()
	if e.From == "import" {
		why = e.Path + " is a store of another program: there is no transcript of it here"
	}
	lines := kit.Paragraph(lessons.Line(why), w, st.Warn)
	if e.Quote == "" {
		return lines
	}
	lines = append(lines, "", st.Dim.Render("This is what was kept of it:"), "")
	lines = append(lines, keptTurns(e.Before, 40, w, st)...)
	lines = append(lines, kit.Ends("", st.Person.Render(look.Pinned)+st.Dim.Render(" this lesson"), w))
	lines = append(lines, card.Spoke(string(e.By), e.Quote, 200, w, st)...)
	return append(lines, keptTurns(e.After, 40, w, st)...)
}

// tocW returns the width of the table of contents; 0 if there is no room.
func (d Reader) tocW() int {
	if d.W < 100 || d.err != nil {
		return 0
	}
	return min(d.W*28/100, 44)
}

// textW returns the width of the transcript.
func (d Reader) textW() int {
	if n := d.tocW(); n > 0 {
		return d.W - n - 1
	}
	return d.W
}

// text draws the visible part of the transcript.
func (d Reader) text(st *look.Style) kit.Column {
	p, top := d.lay(st), d.placed()
	lo, hi := d.selection()
	c := kit.Column{W: d.textW(), H: d.H, More: max(len(p.lines)-top-d.H, 0)}
	for y := top; y < min(top+d.H, len(p.lines)); y++ {
		i, exact := slices.BinarySearch(p.start, y)
		if !exact {
			i--
		}
		line := p.lines[y]
		if plain := ansi.Strip(line); d.hunt.words != "" && strings.Contains(strings.ToLower(plain), d.hunt.words) {
			line = kit.Marked(plain, []string{d.hunt.words}, look.Ink{}, look.Ink{}.Underline())
		}
		blank := strings.TrimSpace(line) == ""
		switch {
		case i == d.cur && (!blank || y+1 < p.start[i+1]):
			line = st.Select(kit.Fit(kit.Edge(true, st)+line, c.W))
		case d.anchor >= 0 && i >= lo && i <= hi && !blank:
			line = st.Accent.Render(look.Marked) + line
		default:
			line = " " + line
		}
		c.Lines = append(c.Lines, line)
	}
	return c
}

// contents draws the table of contents: what the person said.
func (d Reader) contents(st *look.Style) kit.Column {
	c := kit.Column{W: d.tocW(), H: d.H, Title: st.Strong.Render("what the person said"), Right: st.Dim.Render(kit.Grouped(len(d.part.Said)))}
	now, room := d.sayingAt(), max(d.H-2, 3)
	for i := max(now-room/4, 0); i < len(d.part.Said) && len(c.Lines) < room; i++ {
		s := d.part.Said[i]
		left := st.Dim.Render(fmt.Sprintf("%5d ", s.Line)) + "  "
		if d.from().Line > 0 && s.Line == d.from().Line {
			left = st.Dim.Render(fmt.Sprintf("%5d ", s.Line)) + st.Person.Render(look.Pinned) + " "
		}
		for _, l := range look.Lines(lessons.Line(s.Text), max(c.W-10, 4), 2) {
			if i == now {
				l = st.Select(kit.Fit(kit.Edge(true, st)+left+st.Strong.Render(l), c.W))
			} else {
				l = " " + left + l
			}
			c.Lines = append(c.Lines, l)
			left = strings.Repeat(" ", 8)
		}
	}
	c.Lines = c.Lines[:min(len(c.Lines), room)]
	return c
}
