package sessions

import (
	"fmt"
	"strings"

	"learnings/lessons"
	"learnings/tui/desk"
	"learnings/tui/kit"
	"learnings/tui/look"
)

func (p Pane) Sheet(st *look.Style) kit.Sheet {
	s := kit.Sheet{Head: p.filter.Head(p.w-24, st), Right: kit.Position(p.cur.At, len(p.list), len(p.marked), st), Running: offersOf(p, st)}
	if len(p.list) > 0 {
		s.Brief = st.Dim.Render(brief)
	}
	if !p.filter.Typing {
		s.Head = sessionCounts(p, st)
		if p.filter.Query != "" {
			s.Head = p.filter.Head(p.w/2, st)
		}
		if p.w >= kit.Wide {
			s.Right = st.Dim.Render("order ") + orders[p.order].name + "   " + s.Right
		}
	}
	if p.scan.running {
		s.Right = st.Accent.Render("looking… ") + s.Right
	}
	lines, lit := p.filter.Problem(p.w, st), 0
	if len(p.list) == 0 {
		lines = append(lines, p.empty(st)...)
	} else {
		t := tableOf(p.w)
		lines = append(lines, st.Dim.Render(t.line("   "+kit.Rightly("age", ageW)+" ", "agent", "project", "first prompt", func(c column) string { return c.name })))
		lit = len(lines) + p.cur.Line()
		lines = append(lines, p.cur.Lines(p.w, st, func(i int, current bool) string { return p.row(t, p.list[i], current, st) })...)
	}
	if strip := strip(p, st); len(strip) > 0 {
		lines = append(kit.Block(lines, p.w, p.h-len(strip)), strip...)
	}
	s.Cols = []kit.Column{{W: p.w, H: p.h, Lines: lines, Lit: lit, N: 1}}
	return s
}

// sessionCounts counts sessions in a line.
func sessionCounts(p Pane, st *look.Style) string {
	var bytes int64
	agents := map[string]bool{}
	for _, t := range p.rows {
		if p.scope.Holds(t.Project) {
			bytes += t.Size
			agents[t.Agent] = true
		}
	}
	all, fresh := p.held()
	s := st.Strong.Render(kit.Counted(all, "session"))
	if fresh > 0 {
		s += " · " + st.Accent.Render(look.Marked+kit.Grouped(fresh)+" new")
	}
	if len(p.rows) > 0 {
		s += st.Dim.Render(" · " + kit.Size(bytes) + " · " + kit.Counted(len(agents), "agent"))
	}
	if p.newly {
		s += "   " + st.Accent.Render("new alone")
	}
	return s
}

// offersOf says what reading the new content would take.
func offersOf(p Pane, st *look.Style) string {
	n := len(p.fresh())
	switch {
	case p.mine.running || len(p.list) == 0:
		return ""
	case n == 0:
		return st.Dim.Render(legend)
	}
	s := st.Strong.Render(kit.Grouped(n)) + " new" + st.Dim.Render(" · X by the rules: free")
	if p.model != "" {
		s += st.Dim.Render(" · A by " + lessons.Line(p.model) + ": its price first")
	}
	return s
}

// missed says what the search could not read.
func (p Pane) missed(st *look.Style) string {
	text := lessons.Line(p.scan.err.Error())
	if more := p.scan.errs - 1; more > 0 {
		text = fmt.Sprintf("%d more not read (`learnings sessions`); %s", more, text)
	}
	return st.Bad.Render(" ! " + look.Fault(text, max(p.w-3, 1)))
}

// empty says where the search looked, and what to do next.
func (p Pane) empty(st *look.Style) []string {
	if p.scan.running || !p.scan.done && p.fx.Sessions != nil {
		return []string{"", "  " + st.Dim.Render("Looking for sessions…")}
	}
	if p.filter.Query != "" && len(p.rows) > 0 {
		return []string{"", "  " + st.Dim.Render("No session has all of these words. esc shows all.")}
	}
	lines := []string{"", "  " + st.Strong.Render("No sessions of an agent were found."), "  Sessions elsewhere: " + st.Accent.Render("learnings --from PATH"), "", "  Looked in"}
	for _, l := range p.fx.Looked {
		lines = append(lines, "    "+lessons.Line(l))
	}
	return lines
}

// A column is a figure at the right of a session, if the screen is wide enough.
type column struct {
	name    string
	w, from int
	of      func(desk.Session) string
}

var columns = []column{
	{"turns", 6, 0, func(t desk.Session) string { return some(t.Human) }},
	{"corr", 6, 78, func(t desk.Session) string { return some(t.Corrections) }},
	{"err", 6, 90, func(t desk.Session) string { return some(t.Errors) }},
	{"R:E", 6, 100, func(t desk.Session) string {
		if t.Ratio < 0 {
			return "–"
		}
		return fmt.Sprintf("%.1f", t.Ratio)
	}},
	{"size", 9, 116, func(t desk.Session) string { return kit.Size(t.Size) }},
	{"lessons", 8, 0, func(t desk.Session) string { return some(t.Taken) }},
}

// A table has the columns for a width. The prompt takes the rest.
type table struct {
	w, agent, project, prompt int
	columns                   []column
}

// brief and legend say what the short names of the columns mean.
const (
	brief  = "corr: you corrected the agent"
	legend = brief + " · err: calls that failed · R:E: files read for each edit"
)

const ageW = 4

func tableOf(w int) table {
	t := table{w: w, agent: 7, project: 10}
	switch {
	case w < 72:
		t.project = 8
	case w >= 160:
		t.agent, t.project = 12, 18
	}
	t.prompt = w - 3 - ageW - 1 - t.agent - 1 - t.project - 1 - 1
	for _, c := range columns {
		if w >= c.from {
			t.columns = append(t.columns, c)
			t.prompt -= c.w
		}
	}
	t.prompt = max(t.prompt, 1)
	return t
}

// line aligns the parts of a row.
func (t table) line(left, agent, project, prompt string, figure func(column) string) string {
	line := left + kit.Fit(agent, t.agent) + " " + kit.Fit(project, t.project) + " " + kit.Fit(prompt, t.prompt)
	for _, c := range t.columns {
		line += kit.Rightly(figure(c), c.w)
	}
	return kit.Fit(line+" ", t.w)
}

// row draws a session.
func (p Pane) row(c table, t desk.Session, current bool, st *look.Style) string {
	ink, mark, state := kit.Lit(current, st), " ", " "
	if p.marked[t.Path] {
		mark = st.Accent.Render(look.Approved)
	}
	switch {
	case p.mine.running && p.mine.at.Path == t.Path:
		state = st.Accent.Render("▸")
	case t.Problem != "":
		state = st.Bad.Render(look.Flagged)
	case t.New:
		state = st.Accent.Render(look.Marked)
	}
	prompt := lessons.Line(t.Prompt)
	switch {
	case t.Problem != "":
		prompt, ink = lessons.Line(t.Path)+": "+lessons.Line(t.Problem), st.Bad
	case prompt == "":
		prompt, ink = lessons.Line(t.ID), st.Dim
	}
	agent := strings.TrimSuffix(strings.TrimSuffix(lessons.Line(t.Agent), "-code"), "-cli")
	left := kit.Edge(current, st) + mark + state + fmt.Sprintf("%*s ", ageW, kit.Ago(t.Start, p.fx.Now()))
	return c.line(left, st.Dim.Render(kit.Fit(agent, c.agent)), st.Place.Render(lessons.Line(t.Project)), ink.Render(kit.Fit(look.Sentence(prompt, c.prompt), c.prompt)), func(x column) string {
		if x.name == "err" && t.Errors > 0 {
			return st.Bad.Render(x.of(t))
		}
		return x.of(t)
	})
}

// some formats a count: a dot for 0, an ellipsis while unknown.
func some(n int) string {
	switch {
	case n < 0:
		return "…"
	case n == 0:
		return "·"
	}
	return kit.Grouped(n)
}
