package sessions

import (
	"fmt"
	"strings"
	"time"

	"learnings/lessons"
	"learnings/tui/desk"
	"learnings/tui/kit"
	"learnings/tui/look"
)

func (p Pane) Sheet(st *look.Style) kit.Sheet {
	s := kit.Sheet{Head: p.filter.Head(p.w-24, st), Right: kit.Position(p.cur.At, len(p.list), len(p.marked), st), Running: offersOf(p, st)}
	if !p.filter.Typing {
		s.Head = sessionCounts(p, st)
		if p.filter.Query != "" {
			s.Head = p.filter.Head(p.w/2, st)
		}
		if p.w >= kit.Wide {
			s.Right = st.Dim.Render("order ") + sessionOrders[p.order].name + "   " + s.Right
		}
	}
	if p.scan.running {
		s.Right = st.Accent.Render("looking… ") + s.Right
	}
	lines, lit := p.filter.Problem(p.w, st), 0
	if len(p.list) == 0 {
		lines = append(lines, p.empty(st)...)
	} else {
		c := sessionColumns(p.w)
		now := p.fx.Now()
		lines = append(lines, c.heads(st))
		lit = len(lines) + p.cur.Line()
		lines = append(lines, p.cur.Lines(func(i int, current bool) string {
			t := p.list[i]
			return sessionRow{Session: t, age: age(t.Start, now), current: current, marked: p.marked[t.Path], reading: isRead(p, t.Path)}.line(c, st)
		})...)
	}
	if strip := stripOf(p, st); len(strip) > 0 {
		lines = append(kit.Block(lines, p.w, p.h-len(strip)), strip...)
	}
	s.Cols = []kit.Column{{W: p.w, H: p.h, Lines: lines, Lit: lit, N: 1}}
	return s
}

// sessionCounts say what there is, in a line.
func sessionCounts(p Pane, st *look.Style) string {
	var bytes int64
	agents := map[string]bool{}
	for _, t := range p.rows {
		bytes += t.Size
		agents[t.Agent] = true
	}
	s := st.Strong.Render(kit.Counted(len(p.rows), "session"))
	if n := p.fresh(); n > 0 {
		s += " · " + st.Accent.Render(look.Marked+kit.Grouped(n)+" new")
	}
	if len(p.rows) > 0 {
		s += st.Dim.Render(" · " + kit.Size(bytes) + " · " + kit.Counted(len(agents), "agent"))
	}
	if p.newly {
		s += "   " + st.Accent.Render("new alone")
	}
	return s
}

// offersOf say what reading what is new would take.
func offersOf(p Pane, st *look.Style) string {
	n := p.fresh()
	if n == 0 || p.mine.running {
		return ""
	}
	s := st.Strong.Render(kit.Grouped(n)) + " new" + st.Dim.Render(" · X by the rules: free")
	if left, ok := estimated(p); ok {
		s += st.Dim.Render(", ≈ " + left)
	}
	if p.model != "" {
		s += st.Dim.Render(" · A by " + lessons.Line(p.model) + ": its price first")
	}
	return s
}

// estimated is how long the rules will take for what is new, by what the last run took.
func estimated(p Pane) (string, bool) {
	var bytes int64
	for _, t := range p.rows {
		if t.New {
			bytes += t.Size
		}
	}
	for _, r := range p.past {
		if r.model == "" && r.at.Done > 0 && r.took > 0 {
			d := time.Duration(float64(r.took) * float64(bytes) / float64(r.at.Done))
			return max(d.Round(time.Second), time.Second).String(), true
		}
	}
	return "", false
}

// isRead reports that a file is under way.
func isRead(p Pane, path string) bool { return p.mine.running && p.mine.at.Path == path }

// missed says what the search could not read.
func (p Pane) missed(st *look.Style) string {
	text := lessons.Line(p.scan.err.Error())
	if more := p.scan.errs - 1; more > 0 {
		text = fmt.Sprintf("%d more not read (`learnings sessions`); %s", more, text)
	}
	return st.Bad.Render(" ! ") + st.Dim.Render(text)
}

// empty says where the search looked, and what to do next.
func (p Pane) empty(st *look.Style) []string {
	if p.scan.running || !p.scan.done && p.fx.Sessions != nil {
		return []string{"", "  " + st.Dim.Render("Looking for sessions…")}
	}
	if p.filter.Query != "" && len(p.rows) > 0 {
		return []string{"", "  " + st.Dim.Render("No session has all of these words. esc shows all.")}
	}
	lines := []string{"", "  " + st.Strong.Render("No sessions of an agent were found."), "", "  Looked in"}
	for _, l := range p.fx.Looked {
		lines = append(lines, "    "+lessons.Line(l))
	}
	lines = append(lines, "", "  Sessions elsewhere: "+st.Accent.Render("learnings --from PATH"))
	return lines
}

// A session's columns from the right are dropped first where it is narrow: size, files read
// for each edit, errors. The prompt takes what is left.
type sessionCols struct {
	w                       int
	agent, project          int
	size, ratio, errs, corr bool
}

// The widths of the columns.
const (
	colAge     = 5
	colNum     = 6
	colSize    = 9
	colLessons = 8
)

func sessionColumns(w int) sessionCols {
	c := sessionCols{w: w, agent: 7, project: 10, size: w >= 116, ratio: w >= 100, errs: w >= 90, corr: w >= 78}
	if w < 72 {
		c.project = 8
	}
	if w >= 160 {
		c.agent, c.project = 12, 18
	}
	return c
}

// line puts the parts of a row in their places.
func (c sessionCols) line(left string, prompt, turns, corr, errs, ratio, size, lessons string) string {
	right := num(turns, colNum)
	if c.corr {
		right += num(corr, colNum)
	}
	if c.errs {
		right += num(errs, colNum)
	}
	if c.ratio {
		right += num(ratio, colNum)
	}
	if c.size {
		right += num(size, colSize)
	}
	return kit.Ends(left+prompt, right+num(lessons, colLessons)+" ", c.w)
}

func num(s string, w int) string { return strings.Repeat(" ", max(w-kit.CellsOf(s), 1)) + s }

func (c sessionCols) heads(st *look.Style) string {
	left := "   " + num("age", colAge-1) + " " + kit.Fit("agent", c.agent) + " " + kit.Fit("project", c.project) + " "
	return st.Dim.Render(c.line(left, "first prompt", "turns", "corr", "err", "R:E", "size", "lessons"))
}

// A sessionRow is a transcript in the list.
type sessionRow struct {
	desk.Session
	age                      string
	current, marked, reading bool
}

func (r sessionRow) line(c sessionCols, st *look.Style) string {
	ink := st.Text
	if r.current {
		ink = st.Strong
	}
	mark := " "
	if r.marked {
		mark = st.Accent.Render(look.Approved)
	}
	state := " "
	switch {
	case r.reading:
		state = st.Accent.Render("▸")
	case r.Problem != "":
		state = st.Bad.Render(look.Flagged)
	case r.New:
		state = st.Accent.Render(look.Marked)
	}
	prompt, pink := lessons.Line(r.Prompt), ink
	switch {
	case r.Problem != "":
		prompt, pink = lessons.Line(r.Path)+": "+lessons.Line(r.Problem), st.Bad
	case prompt == "":
		prompt, pink = lessons.Line(r.ID), st.Dim
	}
	left := kit.Edge(r.current, st) + mark + state + num(r.age, colAge-1) + " " + st.Dim.Render(kit.Fit(agentName(lessons.Line(r.Agent)), c.agent)) + " " + kit.Fit(lessons.Line(r.Project), c.project) + " "
	room := c.w - 3 - colAge - c.agent - c.project - 2 - colNum - colLessons - 2
	for _, x := range []struct {
		is bool
		w  int
	}{{c.corr, colNum}, {c.errs, colNum}, {c.ratio, colNum}, {c.size, colSize}} {
		if x.is {
			room -= x.w
		}
	}
	taken := "·"
	if r.Taken > 0 {
		taken = kit.Grouped(r.Taken)
	}
	ratio := "–"
	if r.Ratio >= 0 {
		ratio = fmt.Sprintf("%.1f", r.Ratio)
	}
	line := c.line(left, pink.Render(kit.Fit(look.Sentence(prompt, max(room, 1)), max(room, 1))), some(r.Human), some(r.Corrections), some(r.Errors), ratio, kit.Size(r.Size), taken)
	if r.current {
		return st.Select(kit.Fit(line, c.w))
	}
	return line
}

// agentName is an agent in a word.
func agentName(name string) string {
	if short, ok := strings.CutSuffix(name, "-code"); ok {
		return short
	}
	return strings.TrimSuffix(name, "-cli")
}

// some is a count: a dot for none, and an ellipsis while it is not known.
func some(n int) string {
	switch {
	case n < 0:
		return "…"
	case n == 0:
		return "·"
	}
	return kit.Grouped(n)
}

// age is how long ago something was, in one unit.
func age(at, now time.Time) string {
	if at.IsZero() {
		return "–"
	}
	d := now.Sub(at)
	switch {
	case d < time.Minute:
		return "now"
	case d < time.Hour:
		return fmt.Sprintf("%dm", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%dh", int(d.Hours()))
	case d < 35*24*time.Hour:
		return fmt.Sprintf("%dd", int(d.Hours()/24))
	case d < 120*24*time.Hour:
		return fmt.Sprintf("%dw", int(d.Hours()/24/7))
	case d < 700*24*time.Hour:
		return fmt.Sprintf("%dmo", int(d.Hours()/24/30))
	}
	return fmt.Sprintf("%dy", int(d.Hours()/24/365))
}
