package tui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"learnings/lessons"
)

// The smallest screen on which lists and cards make sense.
const (
	leastW = 40
	leastH = 10
)

// body is the part of the screen between the header and the two lines at the bottom.
func (a app) body() (w, h int) { return a.w, max(a.h-3, 1) }

func (a app) View() tea.View {
	v := tea.NewView(a.content())
	v.AltScreen = true
	v.ReportFocus = true
	if a.mouse {
		v.MouseMode = tea.MouseModeCellMotion
	}
	v.WindowTitle = a.title()
	if at := a.sessions.mine.at; a.sessions.mine.running && at.Total > 0 {
		v.ProgressBar = tea.NewProgressBar(tea.ProgressBarDefault, int(100*at.Done/at.Total))
	}
	return v
}

// title is the title of the terminal's window.
func (a app) title() string {
	n := a.review.waiting()
	s := "learnings"
	if n.likely > 0 {
		s += " · " + grouped(n.likely) + " to review"
	}
	if n.maybe > 0 {
		s += " · " + grouped(n.maybe) + " maybe"
	}
	return s
}

func (a app) content() string {
	switch {
	case a.w == 0:
		return "" // the size is on its way
	case a.tooSmall():
		return a.small()
	}
	w, h := a.body()
	body := a.view(a.st)
	hints := a.keys()
	if a.dialog != nil {
		body = over(body, a.dialog.view(w, h, a.st), w, h)
		hints = a.dialog.hints()
	}
	lines := strings.Split(joined([]string{a.header(), body, a.status(), a.footer(hints)}), "\n")
	for i, l := range lines {
		lines[i] = steady(l)
	}
	return joined(lines)
}

// tooSmall reports whether the terminal has no room for what the keys are about. Until
// its size is known it is taken to have enough.
func (a app) tooSmall() bool { return a.w > 0 && (a.w < leastW || a.h < leastH) }

// small is shown when nothing else would fit.
func (a app) small() string {
	lines := wrap(fmt.Sprintf("learnings needs %d×%d; this is %d×%d", leastW, leastH, a.w, a.h), a.w)
	return joined(block(lines, a.w, a.h))
}

// header names the screens and says whether something is under way.
func (a app) header() string {
	left, gap := a.margin()
	state := a.st.faint.Render("idle ")
	switch paused := a.fx.Paused; {
	case a.busy > 0:
		state = a.st.accent.Render("busy ")
	case paused != nil && paused(a.fx.Now()):
		state = a.st.warn.Render("paused ")
	}
	tabs := left + strings.Join(a.tabs(), gap)
	if n := a.outside.n; n > 0 {
		tabs += gap + a.st.warn.Render(grouped(n)+" from outside") + a.st.faint.Render(" O")
	}
	return ends(tabs, state, a.w)
}

// margin is what stands before the first tab, and between two.
func (a app) margin() (left, gap string) {
	if a.w < wide {
		return " ", "  "
	}
	return " " + a.st.strong.Render("learnings") + "   ", "   "
}

// tabs are the screens as the header shows them.
func (a app) tabs() []string {
	all := []struct{ name, tab string }{{"Review", a.review.tab()}, {"Browse", a.browse.tab()}, {"Sessions", a.sessions.tab()}}
	tabs := make([]string, len(all))
	for i, t := range all {
		text := fmt.Sprintf("%d %s", i+1, t.name)
		count := ""
		if t.tab != "" {
			count = " " + t.tab
		}
		if screen(i) == a.on {
			tabs[i] = a.st.accent.Underline(true).Render(text) + a.st.accent.Render(count)
		} else {
			tabs[i] = text + a.st.faint.Render(count)
		}
	}
	return tabs
}

// status is the status line, which says what was done last.
func (a app) status() string {
	look := a.st.good
	if a.note.bad {
		look = a.st.bad
	}
	if a.note.text != "" && !a.note.bad && !strings.HasPrefix(a.note.text, "✓") {
		look = a.st.faint
	}
	return fit(" "+look.Render(lessons.Line(a.note.text)), a.w)
}

// footer shows the keys that matter most now, as many as fit.
func (a app) footer(hints []hint) string {
	var items []string
	var last string // the way out, or to all the keys, which is always shown
	for _, h := range hints {
		if h.foot == "" || h.off != "" {
			continue
		}
		item := " " + a.st.accent.Render(h.key) + " " + a.st.faint.Render(h.foot) + " "
		if h.key == "?" || a.dialog != nil && h.key == "esc" {
			last = item
		} else {
			items = append(items, item)
		}
	}
	line := ""
	for _, item := range items {
		if ansi.StringWidth(line+item+last) <= a.w {
			line += item
		}
	}
	return fit(line+last, a.w)
}
