package tui

import (
	"fmt"
	"maps"
	"strings"
	"time"

	"learnings/lessons"
	"learnings/tui/look"
)

// sessionKeys are what can be done with transcripts.
func sessionKeys() binds[sessions] {
	all := append(mineKeys(), pickKeys()...)
	return append(all, motion(
		func(p sessions) list { return p.cur },
		func(p sessions, l list) (sessions, out) { p.cur = l; return p, out{} })...)
}

func anySession(p sessions) string {
	if len(p.shown()) == 0 {
		return "no session is listed"
	}
	return ""
}

func mineKeys() binds[sessions] {
	const g = "extract"
	return binds[sessions]{
		{Binding: keyed("x", "extract lessons from the marked sessions, or from this one", "x"), group: g, foot: "extract", off: sessions.busy,
			do: func(p sessions, _ string) (sessions, out) { return p.extract(p.meant()) }},
		{Binding: keyed("enter o", "read the session", "enter", "o"), group: g, foot: "read", off: anySession,
			do: func(p sessions, _ string) (sessions, out) {
				t, _ := p.current()
				return p, p.open(t)
			}},
		{Binding: keyed("r", "look for sessions again", "r"), group: g, off: func(p sessions) string {
			if p.scan.running {
				return "already looking"
			}
			return ""
		}, do: func(p sessions, _ string) (sessions, out) { return p.start() }},
	}
}

func pickKeys() binds[sessions] {
	const g = "mark"
	return binds[sessions]{
		{Binding: keyed("space", "mark and go on", "space"), group: g, foot: "mark", off: anySession, do: func(p sessions, _ string) (sessions, out) {
			t, _ := p.current()
			p.marked = maps.Clone(p.marked)
			if p.marked == nil {
				p.marked = map[string]bool{}
			}
			if p.marked[t.Path] {
				delete(p.marked, t.Path)
			} else {
				p.marked[t.Path] = true
			}
			p.cur = p.cur.move(1)
			return p, out{}
		}},
		{Binding: keyed("*", "mark all that are shown", "*"), group: g, off: anySession, do: func(p sessions, _ string) (sessions, out) {
			p.marked = map[string]bool{}
			for _, t := range p.shown() {
				p.marked[t.Path] = true
			}
			return p, say("%d marked", len(p.marked))
		}},
		{Binding: keyed("/", "filter: words of agent, project, date, new", "/"), group: g, foot: "filter", do: func(p sessions, _ string) (sessions, out) {
			p.filter = p.filter.open()
			return p.resize(p.w, p.h), out{}
		}},
		{Binding: keyed("esc", "stop the extraction, clear marks, clear the filter", "esc"), group: g, off: func(p sessions) string {
			if !p.mine.running && len(p.marked) == 0 && p.filter.query == "" {
				return "nothing is under way, marked or filtered"
			}
			return ""
		}, do: func(p sessions, _ string) (sessions, out) {
			switch {
			case p.mine.running:
				return p.stop()
			case len(p.marked) > 0:
				p.marked = nil
			default:
				p.filter = filter{}
			}
			return p.resize(p.w, p.h), out{}
		}},
	}
}

func (p sessions) sheet(st *look.Style) sheet {
	rows := p.shown()
	s := sheet{head: p.filter.head(p.w-24, st), right: position(p.cur.at, len(rows), len(p.marked), st)}
	if s.head == "" {
		s.head = st.Strong.Render("sessions") + st.Dim.Render(" · "+bar("newest first", p.asks()))
	}
	if p.scan.running {
		s.right = st.Accent.Render("looking… ") + s.right
	}
	var lines []string
	lit := 0
	if len(rows) == 0 {
		lines = append(lines, p.empty(st)...)
	} else {
		lines = append(lines, st.Dim.Render(transcriptHead(p.w)))
		lit = 1 + p.cur.line()
		lines = append(lines, p.cur.lines(func(i int, current bool) string {
			return transcriptRow(rows[i], p.w, current, p.marked[rows[i].Path], st)
		})...)
	}
	if p.mine.running {
		lines = block(lines, p.w, p.h-2)
		lines = append(lines, p.progress(st)...)
	} else if p.scan.err != nil {
		lines = append(block(lines, p.w, p.h-1), p.missed(st))
	}
	s.cols = []column{{w: p.w, h: p.h, lines: lines, lit: lit, n: 1}}
	return s
}

// missed says what the search could not read.
func (p sessions) missed(st *look.Style) string {
	text := lessons.Line(p.scan.err.Error())
	if more := p.scan.errs - 1; more > 0 {
		text = fmt.Sprintf("%d more not read (`learnings sessions`); %s", more, text)
	}
	return st.Bad.Render(" ! ") + st.Dim.Render(text)
}

// empty says where the search looked, and what to do next.
func (p sessions) empty(st *look.Style) []string {
	if p.scan.running || !p.scan.done && p.fx.Sessions != nil {
		return []string{"", "  " + st.Dim.Render("Looking for sessions…")}
	}
	if p.filter.query != "" && len(p.rows) > 0 {
		return []string{"", "  " + st.Dim.Render("No session has all of these words. esc shows all.")}
	}
	lines := []string{"", "  " + st.Strong.Render("No sessions of an agent were found."), "", "  Looked in"}
	for _, l := range p.fx.Looked {
		lines = append(lines, "    "+lessons.Line(l))
	}
	lines = append(lines, "", "  Sessions elsewhere: "+st.Accent.Render("learnings --from PATH"))
	return lines
}

// The widths of the columns. The project takes what is left.
const (
	colAgent = 12
	colDate  = 17
	colNum   = 7
	colSize  = 9
)

func transcriptHead(w int) string {
	return ends("     "+fit("agent", colAgent)+" "+fit("started", colDate)+"project", numbers("turns", "errors", "size", "lessons", w), w)
}

func transcriptRow(t Session, w int, current, marked bool, st *look.Style) string {
	ink := st.Text
	if current {
		ink = st.Strong
	}
	mark := " "
	if marked {
		mark = st.Accent.Render(look.Approved)
	}
	state := " "
	switch {
	case t.Problem != "":
		state = st.Bad.Render(look.Flagged)
	case t.New:
		state = st.Accent.Render(look.Marked)
	}
	date := strings.Repeat(" ", colDate)
	if !t.Start.IsZero() {
		date = fit(t.Start.Local().Format("2006-01-02 15:04"), colDate)
	}
	what := lessons.Line(t.Project)
	if t.Problem != "" {
		what = lessons.Line(t.Path) + ": " + lessons.Line(t.Problem)
	}
	left := edge(current, st) + mark + state + "  " + st.Dim.Render(fit(lessons.Line(t.Agent), colAgent)) + " " + st.Dim.Render(date) + ink.Render(what)
	taken := "–"
	if t.Taken > 0 || !t.New {
		taken = grouped(t.Taken)
	}
	line := ends(left, st.Dim.Render(numbers(known(t.Human), known(t.Errors), size(t.Size), taken, w)), w)
	if current {
		return st.Select(line)
	}
	return line
}

// known is a count, or an ellipsis while it is not known.
func known(n int) string {
	if n < 0 {
		return "…"
	}
	return grouped(n)
}

// numbers are the columns at the right. A narrow screen has only the first and the
// last.
func numbers(turns, errors, size, taken string, w int) string {
	if w < 78 {
		return fmt.Sprintf(" %*s %*s ", colNum, turns, colNum, taken)
	}
	return fmt.Sprintf(" %*s %*s %*s %*s ", colNum, turns, colNum, errors, colSize, size, colNum+1, taken)
}

// size is a number of bytes in the unit that gives at most three digits before the
// point.
func size(n int64) string {
	f, unit := float64(n), 0
	for f >= 1000 && unit < 3 {
		f /= 1000
		unit++
	}
	if unit == 0 {
		return fmt.Sprintf("%d B", n)
	}
	return fmt.Sprintf("%.1f %s", f, [...]string{"B", "kB", "MB", "GB"}[unit])
}

// progress shows how far the extraction is: a bar, the file, the time left.
func (p sessions) progress(st *look.Style) []string {
	m := p.mine
	share := 0.0
	if m.at.Total > 0 {
		share = min(float64(m.at.Done)/float64(m.at.Total), 1)
	}
	w := max(min(p.w/3, 40), 8)
	meter := st.Bar(share, w, st.Accent)
	text := fmt.Sprintf(" %3.0f%%  file %s of %s  %s", share*100, grouped(min(m.at.File+1, m.at.Files)), grouped(m.at.Files), m.at.Found)
	if left, ok := remaining(p.fx.Now().Sub(m.begun), share); ok {
		text += "  " + left + " left"
	}
	return []string{
		" " + meter + text + st.Dim.Render("  esc stops"),
		" " + st.Dim.Render(lessons.Line(m.at.Path)),
	}
}

// remaining estimates the time left from the share that is done. It reports false
// while that share is too small to tell.
func remaining(spent time.Duration, share float64) (string, bool) {
	if share < 0.03 || spent < time.Second {
		return "", false
	}
	left := time.Duration(float64(spent) * (1 - share) / share)
	return left.Round(time.Second).String(), true
}
