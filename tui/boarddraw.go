package tui

import (
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"learnings/index/insights"
	"learnings/lessons"
	"learnings/tui/look"
)

// An easel is where a picture is drawn: w by h cells, its title not counted.
type easel struct {
	w, h int
	row  int // the one that is gone to; -1 for none
	st   *look.Style
}

// draw draws a picture, title and all, in h lines of w cells. One in focus has a sign,
// and the row that is gone to a bar; row is -1 for none.
func (b board) draw(p picture, w, h int, focus bool, row int, st *look.Style) []string {
	c := easel{w: w, h: max(h-1, 0), row: -1, st: st}
	head := st.Strong.Render(p.title())
	if focus {
		head, c.row = st.Accent.Render("▸ "+p.title()), row
	}
	var right string
	var lines []string
	if b.figures == nil {
		lines = []string{st.Dim.Render("counting…")}
	} else {
		right, lines = [pictures]func(easel) (string, []string){
			picGrowth: b.growth, picDays: b.heat, picMistakes: b.mistakes, picLanes: b.lanes,
			picConfidence: b.columns, picGiven: b.given, picUse: b.use, picMinutes: b.minutes,
		}[p](c)
	}
	if ansi.StringWidth(head)+ansi.StringWidth(right)+2 > w {
		right = ""
	}
	out := make([]string, 0, h)
	for _, l := range append([]string{ends(head, right, w)}, lines...) {
		if len(out) < h {
			out = append(out, fit(l, w))
		}
	}
	for len(out) < h {
		out = append(out, fit("", w))
	}
	return out
}

// later says from when on a picture shows something.
func (c easel) later(text string) []string {
	var lines []string
	for _, l := range look.Lines(spelt(text, c.st), c.w, max(c.h, 1)) {
		lines = append(lines, c.st.Dim.Render(l))
	}
	return lines
}

func (b board) growth(c easel) (string, []string) {
	days := b.days()
	n := b.figures.Counts.Active
	switch {
	case n == 0 && len(days) == 0:
		return "", c.later("Shows how many there are from the first lesson on that you approve: ‹approve a› in Review.")
	case len(days) == 0:
		return "", append([]string{c.st.Strong.Render(grouped(n))}, c.later("active; how they grew shows from the next decision on.")...)
	}
	active, waiting := make([]int, len(days)), make([]int, len(days))
	most := 0
	for i, d := range days {
		active[i], waiting[i] = d.Active, d.Waiting
		most = max(most, d.Active)
	}
	gutter := max(len(grouped(most)), 5) + 1
	w := max(c.w-gutter, 4)
	var weeks []int
	for i := 6 + (len(waiting)-1)%7; i-6 < len(waiting); i += 7 {
		weeks = append(weeks, waiting[min(i, len(waiting)-1)])
	}
	waits := c.st.Dim.Render("waiting ") + c.st.Accent.Render(sparkOf(weeks, min(len(weeks), 18))) + c.st.Dim.Render(" "+grouped(waiting[len(waiting)-1]))
	h := max(c.h-1, 1)
	lines := areaOf(active, most, w, h)
	for y := range lines {
		label := ""
		switch {
		case y == 0:
			label = grouped(most)
		case y == h-1:
			label = "0"
		case y == h/2 && h > 4:
			label = grouped(most * (h - y) / h)
		}
		lines[y] = c.st.Dim.Render(rightly(label, gutter-1)) + " " + c.st.OK.Render(lines[y])
	}
	return waits, append(lines, strings.Repeat(" ", gutter)+c.st.Dim.Render(monthsOver(days, w)))
}

// monthsOver are the names of months along days that are spread over w cells.
func monthsOver(days []insights.Day, w int) string {
	line := []byte(strings.Repeat(" ", w))
	free := 0
	for i, d := range days {
		first := d.Date.Day() == 1 || i == 0
		x := i * w / max(len(days), 1)
		if first && x >= free && x+3 <= w {
			copy(line[x:], d.Date.Format("Jan"))
			free = x + 4
		}
	}
	return string(line)
}

// from is the first of n rows that are in sight, of h lines.
func (c easel) from(n int) int {
	if c.row < 0 || n <= c.h {
		return 0
	}
	return max(0, min(c.row-c.h/2, n-c.h))
}

// walk draws rows, one a line, with the bar before the one that is gone to.
func (c easel) walk(n int, row func(i, w int) string) []string {
	var lines []string
	top := c.from(n)
	for i := top; i < min(n, top+c.h); i++ {
		mark := "  "
		line := row(i, c.w-2)
		if i == c.row {
			lines = append(lines, c.st.Select(c.st.Accent.Render(look.Cursor)+" "+fit(line, c.w-2)))
			continue
		}
		lines = append(lines, mark+line)
	}
	return lines
}

func (b board) mistakes(c easel) (string, []string) {
	ms := b.figures.Mistakes
	switch n := b.figures.Sessions.Count; {
	case len(ms) == 0 && n == 0:
		return "", c.later("Shows from the second session on that is read: ‹extract-new X› reads what is new.")
	case len(ms) == 0:
		return "", c.later(fmt.Sprintf("None came back in the %s that were read.", counted(n, "session")))
	}
	return c.st.Dim.Render(fmt.Sprintf("per week, %d weeks", insights.MistakeWeeks)), c.walk(len(ms), func(i, w int) string {
		m := ms[i]
		said := cureOf(m, b.figures.Now)
		ink := c.st.OK
		switch {
		case strings.HasPrefix(said, "≡"):
			ink = c.st.Warn
		case strings.HasPrefix(said, "!"):
			ink = c.st.Bad
		}
		const cured, times = 17, 6
		weeks := sparkOf(m.Weeks, min(len(m.Weeks), 12))
		label := w - ansi.StringWidth(weeks) - times - cured - 2
		if label < 14 {
			weeks, label = "", w-times-cured-2
		}
		return fit(fit(mistakeName(m), label-1), label) + ink.Render(weeks) + rightly(grouped(m.Count)+"×", times) + "  " + ink.Render(fit(said, cured))
	})
}

func (b board) lanes(c easel) (string, []string) {
	decided := 0
	for _, l := range b.figures.Lanes {
		decided += l.Decided
	}
	if decided == 0 {
		return "", c.later("Shows from the first proposal on that you judge: ‹approve a› or ‹reject x› in Review.")
	}
	return c.st.Dim.Render("approved of decided"), c.walk(len(b.figures.Lanes), func(i, w int) string {
		l := b.figures.Lanes[i]
		of := rightly(fmt.Sprintf("%s of %s", grouped(l.Approved), grouped(l.Decided)), 14)
		if l.Decided == 0 {
			return fit(string(l.Lane), 13) + c.st.Dim.Render("nothing decided yet")
		}
		n := w - 13 - 7 - 14
		return fit(string(l.Lane), 13) + c.st.Bar(l.Share(), n, c.st.Grade(l.Share())) + c.st.Strong.Render(rightly(percentOf(l.Share()), 7)) + c.st.Dim.Render(of)
	})
}

func (b board) columns(c easel) (string, []string) {
	f := b.figures.Confidence
	lo, hi, most := 10, -1, 0
	for i := range f.Active {
		if n := max(f.Active[i], f.Waiting[i]); n > 0 {
			lo, hi, most = min(lo, i), i, max(most, n)
		}
	}
	if hi < 0 {
		return "", c.later("Shows from the first lesson on.")
	}
	n := hi - lo + 1
	each := max(min(c.w/n, 7), 3)
	rows := columnFigures(f.Active[lo:hi+1], each)
	if len(rows) == 1 {
		rows = append(rows, "")
		if more := columnFigures(f.Waiting[lo:hi+1], each); len(more) == 1 {
			rows[1] = c.st.Accent.Render(more[0])
		}
	}
	h := max(c.h-1-len(rows), 1)
	lines := make([]string, h+1)
	for i := lo; i <= hi; i++ {
		one, two := columnOf(float64(f.Active[i])/float64(most), h), columnOf(float64(f.Waiting[i])/float64(most), h)
		for y := range h {
			lines[y] += c.st.OK.Render(strings.Repeat(one[y], each-2)) + c.st.Accent.Render(two[y]) + " "
		}
		lines[h] += c.st.Dim.Render(fit(fmt.Sprintf(".%d", i), each))
	}
	return c.st.OK.Render("█") + c.st.Dim.Render(" active ") + c.st.Accent.Render("▌") + c.st.Dim.Render(" waits"), append(lines, rows...)
}

// columnFigures are numbers under columns of some cells, on two lines in turn where they would
// touch each other on one.
func columnFigures(ns []int, each int) []string {
	fits := true
	for _, n := range ns {
		fits = fits && len(shortCount(n)) < each
	}
	if fits {
		line := ""
		for _, n := range ns {
			line += fit(shortCount(n), each)
		}
		return []string{line}
	}
	lines := []string{"", strings.Repeat(" ", each)}
	for i, n := range ns {
		lines[i%2] += fit(shortCount(n), 2*each)
	}
	return lines
}

// shortCount is a number in at most four cells.
func shortCount(n int) string {
	switch {
	case n == 0:
		return "0"
	case n < 1000:
		return fmt.Sprint(n)
	case n < 9950:
		return fmt.Sprintf("%.1fk", float64(n)/1000)
	}
	return fmt.Sprintf("%dk", (n+500)/1000)
}

func (b board) given(c easel) (string, []string) {
	rows := b.givenRows()
	if missing, none := b.unknown(); none {
		return "", c.later(missing)
	}
	since := ""
	if m := b.measure(insights.InjectionRate); !m.Since.IsZero() {
		since = c.st.Dim.Render("since " + m.Since.Format("2 Jan"))
	}
	return since, c.walk(len(rows), func(i, w int) string {
		m := b.measure(shownMeasures[i].of)
		label := min(20, w*3/5)
		if !m.Known {
			return fit(rows[i].cells[0], label) + c.st.Dim.Render(look.Sentence(reasonAlone(m.Missing), w-label))
		}
		of := ""
		n := w - label - 7
		if n > 22 {
			of = rightly(fmt.Sprintf("%s of %s", grouped(m.Part), grouped(m.Of)), 14)
			n -= 14
		}
		return fit(rows[i].cells[0], label) + c.st.Bar(m.Value, n, c.st.Accent) + c.st.Strong.Render(rightly(percentOf(m.Value), 7)) + c.st.Dim.Render(of)
	})
}

// unknown says what is missing where no measure is known.
func (b board) unknown() (missing string, none bool) {
	for _, s := range shownMeasures {
		m := b.measure(s.of)
		if m.Known {
			return "", false
		}
		if missing == "" {
			missing = m.Missing
		}
	}
	if missing == "" {
		return "Shows from the first session on that is given a lesson.", true
	}
	return "Shows when sessions get lessons; " + missing + ".", true
}

// reasonAlone is a reason without what to do about it.
func reasonAlone(s string) string {
	before, _, _ := strings.Cut(s, ":")
	return before
}

func (b board) use(c easel) (string, []string) {
	all := b.figures.Use.Lessons
	if len(all) == 0 {
		return "", c.later("Shows from the first session on that is given a lesson: `learnings setup` wires agents in.")
	}
	return c.st.Dim.Render("used helped"), c.walk(len(all), func(i, w int) string {
		u := all[i]
		helped := c.st.Dim.Render(rightly("·", 6))
		if u.Helped > 0 {
			helped = c.st.OK.Render(rightly(grouped(u.Helped)+"×", 6))
		}
		if u.Harmed > u.Helped {
			helped = c.st.Bad.Render(rightly("✗ "+grouped(u.Harmed), 6))
		}
		return fit(fit(lessons.Line(u.Title), w-13), w-12) + c.st.Dim.Render(rightly(grouped(max(u.Given, u.Used))+"×", 6)) + helped
	})
}

func (b board) minutes(c easel) (string, []string) {
	rows := b.minuteRows()
	if len(rows) == 0 {
		text := "✓ Nothing to settle, to merge or to look at again."
		if b.figures.Counts.Duplicates == nil {
			text = "Nothing is due, and there are no two lessons to compare."
		}
		return "", c.later(text)
	}
	two := c.w >= 2*minuteW && c.h*2 >= len(rows)
	line := func(i, w int) string {
		what, rest, _ := strings.Cut(rows[i].cells[0], " ")
		ink := map[string]look.Ink{"≠": c.st.Bad, "!": c.st.Bad, "≈": c.st.Tool, "↻": c.st.Warn}[what]
		n, rest, _ := strings.Cut(rest, " ")
		s := ink.Render(what) + " " + c.st.Strong.Render(n) + " " + rest
		return fit(s+"  "+c.st.Accent.Render("enter")+c.st.Dim.Render(" "+rows[i].cells[2]), w)
	}
	if !two {
		return "", c.walk(len(rows), line)
	}
	half := c
	half.w = c.w / 2
	cells := half.walkAll(len(rows), line)
	var lines []string
	for i := 0; i < len(cells); i += 2 {
		l := fit(cells[i], half.w)
		if i+1 < len(cells) {
			l += cells[i+1]
		}
		lines = append(lines, l)
	}
	return c.st.Dim.Render("enter opens the lessons behind any picture"), lines
}

// minuteW is how wide one thing to do is.
const minuteW = 48

// walkAll is walk for all rows, however high the place is.
func (c easel) walkAll(n int, row func(i, w int) string) []string {
	c.h = n
	return c.walk(n, row)
}

// head is what the corpus is at a glance, and the span that is looked at.
func (b board) head(st *look.Style) (left, right string) {
	f := b.figures
	if f == nil {
		return st.Dim.Render("counting…"), ""
	}
	var parts []string
	approved := st.Strong.Render(grouped(f.Counts.Active)) + " approved"
	if w := f.Timeline.Weeks(1); len(w) > 0 && w[0].Grown != 0 {
		sign, ink := "▲ ", st.OK
		if w[0].Grown < 0 {
			sign, ink = "▼ ", st.Warn
		}
		approved += " " + ink.Render(sign+grouped(max(w[0].Grown, -w[0].Grown))+" this week")
	}
	parts = append(parts, approved)
	if n := f.Counts.Waiting(); n > 0 {
		wait := st.Strong.Render(grouped(n)) + " wait"
		if !f.Counts.Oldest.IsZero() {
			wait += st.Dim.Render(" oldest " + ageOf(f.Now.Sub(f.Counts.Oldest)))
		}
		parts = append(parts, wait)
	}
	if m := b.measure(insights.InjectionRate); m.Known {
		parts = append(parts, st.Strong.Render(percentOf(m.Value))+" of sessions got one")
	}
	if n := len(f.Mistakes); n > 0 {
		parts = append(parts, st.Strong.Render(grouped(n))+" came back")
	}
	return strings.Join(parts, "   "), st.Dim.Render("last ") + fmt.Sprintf("%d weeks ", b.weeks) + st.Dim.Render("▾")
}

// ageOf is a length of time in one word.
func ageOf(d time.Duration) string {
	switch days := int(d.Hours() / 24); {
	case days < 1:
		return "today"
	case days < 60:
		return counted(days, "day")
	default:
		return counted(days/30, "month")
	}
}
