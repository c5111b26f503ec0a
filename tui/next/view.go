package next

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"learnings/index"
	"learnings/index/recall"
	"learnings/lessons"
	"learnings/tui/kit"
	"learnings/tui/look"
)

// nextParts are the sizes of the block and of the list beside it.
type nextParts struct {
	bw, bh  int // the block, without title and meters
	lw, lh  int
	meters  bool
	stacked bool
}

// blockShare is the width of the block in percent.
const blockShare = 56

func (p Pane) parts() nextParts {
	if p.w < kit.Wide {
		bh := max(p.h/2, 2)
		s := nextParts{stacked: true, bw: p.w, lw: p.w, lh: max(p.h-bh-1, 1), bh: bh}
		if s.meters = bh >= 3*meterH; s.meters {
			s.bh = bh - meterH
		}
		return s
	}
	bw := p.w * blockShare / 100
	return nextParts{bw: bw, lw: p.w - bw - 1, lh: max(p.h-2, 1), bh: max(p.h-2-meterH, 1), meters: true}
}

// meterH is the height of the meters, with the line above them.
const meterH = 5

func (p Pane) Sheet(st *look.Style) kit.Sheet {
	s := p.parts()
	head, right := nextHead(p, st)
	left := kit.Column{W: s.bw, H: p.h, Title: st.Strong.Render(blockTitle(p)), Right: st.Dim.Render(sumsOf(p))}
	left.Lines = kit.Clip(p.shownLines(st), p.top, s.bh)
	if s.meters {
		for len(left.Lines) < s.bh {
			left.Lines = append(left.Lines, "")
		}
		left.Lines = append(left.Lines, metersOf(p, s.bw, st)...)
	}
	list := kit.Column{W: s.lw, H: p.h, Lines: nextList(p, s.lw, st), Lit: p.cur.Line(), N: p.cur.Each()}
	if s.stacked {
		left.H, list.H = p.h-s.lh-1, s.lh
		list.Title = inOutOf(p, st)
		list.Right = kit.Position(p.cur.At, p.cur.N, 0, st)
	} else {
		list.Title, list.Right = inOutOf(p, st), kit.Position(p.cur.At, p.cur.N, 0, st)
	}
	return kit.Sheet{Head: head, Right: right, Cols: []kit.Column{left, list}, Stacked: s.stacked, Running: nextRunning(p, st)}
}

// nextHead draws the task and the assumed session.
func nextHead(p Pane, st *look.Style) (left, right string) {
	label := func(name, value string) string { return st.Dim.Render(name+" ") + value + st.Dim.Render(" ▾") }
	var parts []string
	if p.w >= kit.Wide {
		parts = append(parts, label("role", cmp.Or(lessons.Line(p.ask.role), "any")))
		if p.ask.file != "" {
			parts = append(parts, label("file", lessons.Line(p.ask.file)))
		}
	}
	agent := label("agent", p.agent().Title)
	if p.w < kit.Wide {
		agent = p.agent().Title
	}
	parts = append([]string{agent, label("in", st.Place.Render(kit.Fit(p.place(), min(ansi.StringWidth(p.place()), max(p.w/6, 8)))))}, parts...)
	right = strings.Join(parts, "  ")
	w := p.w - ansi.StringWidth(right) - 5
	switch {
	case p.task.Typing:
		left = st.Accent.Render("/ task") + " " + kit.FieldView(*p.task.In, max(w-7, 8))
	case p.task.Query != "":
		left = st.Accent.Render("/") + st.Dim.Render(" task ") + st.Strong.Render(kit.Fit(lessons.Line(p.task.Query), max(min(ansi.StringWidth(p.task.Query), w-7), 1)))
	default:
		left = st.Accent.Render("/") + st.Dim.Render(" task: type what the first prompt will say")
	}
	return left, right
}

func blockTitle(p Pane) string {
	if f, ok := p.reading(); ok {
		return lessons.Line(f.Name)
	}
	if c, ok := p.clash(); ok {
		return clashWord(c)
	}
	if p.wire {
		return "as it is sent, byte for byte"
	}
	return "the block, byte for byte"
}

// sumsOf formats the size of all that is told.
func sumsOf(p Pane) string {
	var parts []string
	if f, ok := p.reading(); ok && f.Text == "" {
		return "not read at the start"
	} else if ok {
		return tokensOf(f.Text) + ", byte for byte"
	} else if p.beside() {
		return ""
	}
	for _, t := range p.got.told {
		parts = append(parts, fmt.Sprintf("%s, %s", t.Event, bytesOf(len(saidOf(p, t)))))
	}
	if len(parts) > 1 && p.w < 2*kit.Wide {
		n := 0
		for _, t := range p.got.told {
			n += len(saidOf(p, t))
		}
		return fmt.Sprintf("%d times, %s", len(parts), bytesOf(n))
	}
	return strings.Join(parts, " · ")
}

// saidOf formats what is told at one moment.
func saidOf(p Pane, t recall.Telling) string {
	if p.wire {
		return t.Wire
	}
	return t.Text
}

// shownLines draws the left column: the block, or what the row under the cursor is about.
func (p Pane) shownLines(st *look.Style) []string {
	if p.beside() {
		return p.besideLines(st)
	}
	return p.block(st)
}

// block draws the numbered lines of what is told, with a bar before what the task added
// and a background for the lesson under the cursor.
func (p Pane) block(st *look.Style) []string {
	lines, _ := p.written(st)
	return lines
}

// written returns the block and the line where each lesson begins.
func (p Pane) written(st *look.Style) (lines []string, begins map[lessons.ID]int) {
	const gutter = 6
	w := p.parts().bw
	if why := noBlock(p); why != "" {
		for _, l := range kit.Wrap(why, max(w-gutter-2, 10)) {
			lines = append(lines, strings.Repeat(" ", gutter)+st.Dim.Render(l))
		}
		return lines, nil
	}
	current, _ := p.Current()
	begins = map[lessons.ID]int{}
	for i, t := range p.got.told {
		if len(p.got.told) > 1 {
			if i > 0 {
				lines = append(lines, "")
			}
			name := " " + st.Dim.Render("── ") + st.Strong.Render(t.Event) + st.Dim.Render(fmt.Sprintf(", %s ──", bytesOf(len(saidOf(p, t)))))
			lines = append(lines, name)
		}
		text := saidOf(p, t)
		if text == "" {
			lines = append(lines, strings.Repeat(" ", gutter)+st.Dim.Render(silentOf(p, t)))
			continue
		}
		of := lessonOf(t.Choices)
		for n, l := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
			id := of(l)
			if _, ok := begins[id]; id != "" && !ok {
				begins[id] = len(lines)
			}
			ink := st.Text
			if strings.HasPrefix(l, "<") {
				ink = st.Dim
			}
			mark := " "
			if p.got.came[id] {
				mark = st.Added.Render(look.Cursor)
			}
			for j, part := range whole(lessons.Block(l), max(w-gutter-2, 10)) {
				number := fmt.Sprint(n + 1)
				if j > 0 {
					number = ""
				}
				line := st.Dim.Render(fmt.Sprintf(" %3s", number)) + mark + " " + ink.Render(handled(part, st))
				if id != "" && id == current.ID {
					line = st.Select(kit.Fit(line, w))
				}
				lines = append(lines, line)
			}
		}
	}
	if len(p.got.came) > 0 {
		lines = append(lines, "", "    "+st.Added.Render(look.Cursor)+" "+st.Dim.Render("here because of the task"))
	}
	return lines, begins
}

// whole wraps a line without breaking handles.
func whole(line string, w int) []string {
	const open, glued = "[L-", "[L\u2011" // a non-breaking hyphen
	parts := kit.Wrap(strings.ReplaceAll(line, open, glued), w)
	for i := range parts {
		parts[i] = strings.ReplaceAll(parts[i], glued, open)
	}
	return parts
}

// handled dims the handle at the end of a line.
func handled(line string, st *look.Style) string {
	if i := strings.LastIndex(line, "[L-"); i >= 0 && strings.HasSuffix(line, "]") {
		return line[:i] + st.Dim.Render(line[i:])
	}
	return line
}

// lessonOf returns a function that maps each line of a block to its lesson; "" for none.
func lessonOf(in []recall.Choice) func(line string) lessons.ID {
	var now lessons.ID
	return func(line string) lessons.ID {
		if !strings.HasPrefix(line, " ") && line != "" {
			now = ""
		}
		for _, c := range in {
			if strings.HasPrefix(line, "- ") && c.In && strings.HasSuffix(line, c.Lesson.ID.Handle()) {
				now = c.Lesson.ID
			}
		}
		if line == "" {
			return ""
		}
		return now
	}
}

// silentOf says why nothing is told at a moment.
func silentOf(p Pane, t recall.Telling) string {
	switch {
	case p.got.task == "" && t.Event == p.got.told[0].Event:
		return "nothing: no lesson holds for every task"
	case p.got.task == "":
		return "nothing: no task is typed"
	case len(p.got.told) > 1 && t.Event == p.got.told[0].Event:
		return "nothing: no lesson holds for every task"
	case recall.Idle(p.got.task):
		return "nothing: the task says too little"
	}
	return "nothing: no lesson is on the task"
}

// noBlock says why there is no block; "" if there is one.
func noBlock(p Pane) string {
	switch {
	case p.fx.Next.Ahead == nil:
		return "Nobody can say here what sessions are told."
	case errors.Is(p.got.err, index.ErrNoIndex):
		return "The index is being made; what is told shows as soon as it is there."
	case p.got.err != nil:
		return "What is told could not be worked out: " + lessons.Line(p.got.err.Error())
	case !p.known:
		return "Working out what the next session is told…"
	case p.agent().Takes == "":
		return p.agent().Title + " is told nothing by itself: its model asks the MCP server. `learnings publish --add agents-md` puts lessons where it reads instructions."
	case len(p.got.told) == 0:
		return "Nothing is told: learning.max_inject is 0."
	case len(p.got.in)+len(p.got.out) == 0:
		return fmt.Sprintf("Nothing is told: no lesson is approved for %s. a in Review approves, w looks at another project.", p.place())
	}
	return ""
}

// metersOf draws how much of each budget is used.
func metersOf(p Pane, w int, st *look.Style) []string {
	told := p.got.told
	if len(told) == 0 || p.got.err != nil {
		return make([]string, meterH)
	}
	each := (w - 10) / len(told)
	rows := []string{" " + st.Dim.Render(kit.Fit("", 8)), " " + st.Dim.Render(kit.Fit("tokens", 8)), " " + st.Dim.Render(kit.Fit("chars", 8)), " " + st.Dim.Render(kit.Fit("lessons", 8))}
	for _, t := range told {
		if len(told) > 1 {
			rows[0] += kit.Fit(st.Dim.Render(t.Event), each)
		}
		b := t.Budget
		for i, m := range []struct{ n, of int }{{recall.Tokens(t.Text), b.Tokens}, {len(t.Text), b.Chars}, {len(recall.IDs(t.Choices)), b.Lessons}} {
			if m.of == 0 { // unlimited
				rows[i+1] += kit.Fit(" "+st.Strong.Render(kit.Grouped(m.n)), each)
				continue
			}
			ink, full := st.OK, ""
			if m.n >= m.of {
				ink, full = st.Warn, st.Warn.Render(" full")
			}
			figure := " " + st.Strong.Render(kit.Grouped(m.n)) + st.Dim.Render(" of "+kit.Grouped(m.of)) + full
			rows[i+1] += kit.Fit(st.Bar(float64(m.n)/float64(max(m.of, 1)), max(each-18, 3), ink)+figure, each)
		}
	}
	return append([]string{""}, rows...)[:meterH]
}

// inOutOf counts the lessons included and left out.
func inOutOf(p Pane, st *look.Style) string {
	reads := ""
	if n := len(p.got.reads.Files); n > 0 {
		reads = st.Strong.Bold().Render("reads ") + st.Strong.Render(kit.Grouped(n)) + "  "
	}
	return reads + st.OK.Bold().Render("in ") + st.Strong.Render(kit.Grouped(len(p.got.in))) + "  " + st.Bad.Bold().Render("out ") + st.Strong.Render(kit.Grouped(len(p.got.out)))
}

// nextList draws the visible candidates and the reasons.
func nextList(p Pane, w int, st *look.Style) []string {
	if p.got.err != nil || p.cur.N == 0 {
		return nil
	}
	return p.cur.Rows(w, st, func(i int, current bool) []string {
		if i < p.before() {
			return p.besideRow(i, current, w, st)
		}
		return nextRow(p, i, current, w, st)
	}, func(i int) string {
		if i < p.before() {
			return p.besideHead(i, st)
		}
		if i < p.before()+len(p.got.in) {
			return " " + st.OK.Bold().Render("in") + st.Dim.Render("  best first")
		}
		return " " + st.Bad.Bold().Render("out") + st.Dim.Render("  nearest first")
	})
}

// nextRow draws a candidate: its sentence and rank, then the reason.
func nextRow(p Pane, i int, current bool, w int, st *look.Style) []string {
	c, _ := p.row(i)
	i -= p.before()
	in := i < len(p.got.in)
	number, ink := "·", st.Dim
	if in {
		number, ink = fmt.Sprint(i+1), st.Text
	}
	if current {
		ink = st.Strong
	}
	sign := " "
	switch {
	case c.Lesson.Pinned:
		sign = st.Accent.Render(look.Pinned)
	case p.got.came[c.Lesson.ID]:
		sign = st.OK.Render("+")
	}
	rank := "     "
	if c.Rank > 0 && in {
		rank = fmt.Sprintf(" %.2f", c.Rank)
	}
	first := kit.Edge(current, st) + st.Dim.Render(kit.Fit(number, 2)) + sign + kit.Fit(ink.Render(look.Sentence(lessons.Line(c.Lesson.Content), w-11)), w-10) + st.Dim.Render(rank)
	bar := "    "
	room := w - 5
	why := st.Warn.Render(look.Sentence(strings.TrimPrefix(lessons.Line(c.Why), "beside the subject: "), room))
	if in {
		bar += st.Bar(c.Rank, 8, st.Accent) + " "
		why = st.Dim.Render(look.Sentence(strings.TrimPrefix(lessons.Line(c.Why), "beside the subject: "), room-9))
	}
	second := kit.Edge(current, st) + bar[1:] + why
	return []string{first, second}
}

// nextRunning says what the task has changed and, without room for meters, how much is
// told.
func nextRunning(p Pane, st *look.Style) string {
	s := changedBy(p, st)
	if n, of := p.tokens(); of > 0 && !p.parts().meters {
		s = st.Strong.Render(kit.Grouped(n)) + st.Dim.Render(" of "+kit.Grouped(of)+" tokens · ") + s
	}
	return s
}

// tokens returns the tokens told, and the budget.
func (p Pane) tokens() (n, of int) {
	for _, t := range p.got.told {
		n, of = n+recall.Tokens(t.Text), of+t.Budget.Tokens
	}
	return n, of
}

// changedBy says what the task has changed.
func changedBy(p Pane, st *look.Style) string {
	came, went, ok := p.whatIf()
	switch {
	case p.busy:
		return st.Dim.Render("working it out…")
	case !ok:
		return st.Dim.Render("what holds for every task; / asks what one would change")
	case came+went == 0:
		return st.Dim.Render("what if: the task changes nothing")
	}
	return st.Dim.Render("what if ") + st.Added.Render(fmt.Sprintf("+%d", came)) + st.Dim.Render(" came in, ") + st.Removed.Render(fmt.Sprintf("−%d", went)) + st.Dim.Render(" went out against no task")
}
