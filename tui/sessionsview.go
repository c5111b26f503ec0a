package tui

import (
	"fmt"
	"maps"
	"strings"
	"time"

	"learnings/lessons"
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

func (p sessions) view(st style) string {
	rows := p.shown()
	title := st.accent.Render("sessions") + st.faint.Render(" · "+bar("newest first", p.asks()))
	right := ""
	if len(rows) > 0 {
		right = st.faint.Render(fmt.Sprintf("%s/%s", grouped(p.cur.at+1), grouped(len(rows))))
	}
	if n := len(p.marked); n > 0 {
		right = st.accent.Render(fmt.Sprintf("✓ %d", n)) + " " + right
	}
	if p.scan.running {
		right = st.accent.Render("looking… ") + right
	}
	lines := p.filter.lines(p.w, st)
	if len(rows) == 0 {
		lines = append(lines, p.empty(st)...)
	} else {
		lines = append(lines, st.faint.Render(transcriptHead(p.w-2)))
		lines = append(lines, p.cur.lines(func(i int, current bool) string {
			return transcriptRow(rows[i], p.w-2, current, p.marked[rows[i].Path], st)
		})...)
	}
	if p.mine.running {
		lines = block(lines, p.w-2, p.h-4)
		lines = append(lines, p.progress(st)...)
	} else if p.scan.err != nil {
		lines = append(block(lines, p.w-2, p.h-3), p.missed(st))
	}
	return box{title: title, right: right, on: true}.draw(lines, p.w, p.h, st)
}

// missed says what the search could not read.
func (p sessions) missed(st style) string {
	text := lessons.Line(p.scan.err.Error())
	if more := p.scan.errs - 1; more > 0 {
		text = fmt.Sprintf("%d more not read (`learnings sessions`); %s", more, text)
	}
	return st.bad.Render(" ! ") + st.faint.Render(text)
}

// empty says where the search looked, and what to do next.
func (p sessions) empty(st style) []string {
	if p.scan.running || !p.scan.done && p.fx.Sessions != nil {
		return []string{"", "  " + st.faint.Render("Looking for sessions…")}
	}
	if p.filter.query != "" && len(p.rows) > 0 {
		return []string{"", "  " + st.faint.Render("No session has all of these words. esc shows all.")}
	}
	lines := []string{"", "  " + st.strong.Render("No sessions of an agent were found."), "", "  Looked in"}
	for _, l := range p.fx.Looked {
		lines = append(lines, "    "+lessons.Line(l))
	}
	lines = append(lines, "", "  Sessions elsewhere: "+st.accent.Render("learnings --from PATH"))
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

func transcriptRow(t Session, w int, current, marked bool, st style) string {
	bar, look := " ", st.text
	if current {
		bar, look = st.accent.Render("▌"), st.strong
	}
	mark := " "
	if marked {
		mark = st.accent.Render("✓")
	}
	state := " "
	switch {
	case t.Problem != "":
		state = st.bad.Render("!")
	case t.New:
		state = st.accent.Render("●")
	}
	date := strings.Repeat(" ", colDate)
	if !t.Start.IsZero() {
		date = fit(t.Start.Local().Format("2006-01-02 15:04"), colDate)
	}
	what := lessons.Line(t.Project)
	if t.Problem != "" {
		what = lessons.Line(t.Path) + ": " + lessons.Line(t.Problem)
	}
	left := bar + mark + state + "  " + st.faint.Render(fit(lessons.Line(t.Agent), colAgent)) + " " + st.faint.Render(date) + look.Render(what)
	taken := "–"
	if t.Taken > 0 || !t.New {
		taken = grouped(t.Taken)
	}
	return ends(left, st.faint.Render(numbers(known(t.Human), known(t.Errors), size(t.Size), taken, w)), w)
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
func (p sessions) progress(st style) []string {
	m := p.mine
	share := 0.0
	if m.at.Total > 0 {
		share = min(float64(m.at.Done)/float64(m.at.Total), 1)
	}
	w := max(min(p.w/3, 40), 8)
	full := int(share * float64(w))
	meter := st.accent.Render(strings.Repeat("█", full)) + st.faint.Render(strings.Repeat("░", w-full))
	text := fmt.Sprintf(" %3.0f%%  file %s of %s  %s", share*100, grouped(min(m.at.File+1, m.at.Files)), grouped(m.at.Files), m.at.Found)
	if left, ok := remaining(p.fx.Now().Sub(m.begun), share); ok {
		text += "  " + left + " left"
	}
	return []string{
		" " + meter + text + st.faint.Render("  esc stops"),
		" " + st.faint.Render(lessons.Line(m.at.Path)),
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
