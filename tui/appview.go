package tui

import (
	"cmp"
	"fmt"
	"os"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	xterm "github.com/charmbracelet/x/term"

	"learnings/index/curate"
	"learnings/lessons"
	"learnings/tui/decide"
	"learnings/tui/desk"
	"learnings/tui/kit"
	"learnings/tui/look"
)

// The smallest screen on which lists and cards make sense.
const (
	leastW = 60
	leastH = 16
)

// The largest screen that is drawn. No terminal with a reader is larger.
const (
	screenW = 1000
	screenH = 500
)

// sized limits the reported size of the terminal before Bubble Tea sees it, which
// allocates some two hundred bytes for each cell.
func sized(_ tea.Model, msg tea.Msg) tea.Msg {
	if m, ok := msg.(tea.WindowSizeMsg); ok {
		return tea.WindowSizeMsg{Width: max(0, min(m.Width, screenW)), Height: max(0, min(m.Height, screenH))}
	}
	return msg
}

// believable rejects an impossible terminal size at the start, since nothing limits the
// first size.
func believable(f *os.File) error {
	w, h, err := xterm.GetSize(f.Fd())
	if err != nil || w*h <= 2*screenW*screenH {
		return nil
	}
	return fmt.Errorf("the terminal reports %d columns and %d rows, too few to draw in; `stty cols 120 rows 40` sets another size", w, h)
}

func (a app) View() tea.View {
	content := a.content()
	if a.fx.ASCII {
		content = look.ASCII(content)
	}
	v := tea.NewView(content)
	v.AltScreen = true
	v.ReportFocus = true
	if a.mouse {
		v.MouseMode = tea.MouseModeCellMotion
	}
	if a.fx.NoTitle {
		return v
	}
	v.WindowTitle = title(a.review.Waiting())
	if a.fx.Sample {
		v.WindowTitle += " · sample"
	}
	if a.fx.ASCII {
		v.WindowTitle = look.ASCII(v.WindowTitle)
	}
	if share, ok := a.sessions.Progress(); ok {
		v.ProgressBar = tea.NewProgressBar(tea.ProgressBarDefault, int(100*share))
	}
	return v
}

// title returns the title of the terminal's window.
func title(n lessons.Waiting) string {
	s := "learnings"
	for _, lane := range curate.Lanes {
		name := decide.LaneNames[lane][0]
		if lane == lessons.Likely {
			name = "to review"
		}
		if n[lane] > 0 && lane != lessons.Maybe {
			s += " · " + kit.Grouped(n[lane]) + " " + name
		}
	}
	return s
}

func (a app) content() string {
	switch {
	case a.W == 0:
		return "" // the size is not known yet
	case a.tooSmall():
		return a.small()
	}
	tabs := a.tabs()
	hints := a.keys()
	var s kit.Sheet
	full, ok := a.dialog.(kit.Paged)
	if ok {
		s = full.Sheet(a.st)
	} else {
		s = a.panes.Sheet(a.st)
	}
	float, dim := a.dialog.(kit.Floating)
	if a.dialog != nil {
		hints = a.dialog.Hints()
	}
	lines := append([]string{tabs.line, tabs.rule(a.st)}, s.Draw(a.Room, dim, a.st)...)
	if dim {
		lines[1] = a.st.Fade(lines[1])
		w, h := a.Floor()
		copy(lines[1:], kit.Over(lines[1:1+h], float.View(w, h, a.st), w))
	}
	lines = append(lines, a.running(s), kit.Footer(hints, a.dialog != nil, a.W, a.st))
	for i, l := range lines {
		lines[i] = look.Direct(l)
	}
	return kit.Joined(lines)
}

// tooSmall reports whether the terminal lacks room for the screens. It is false while the
// size is unknown.
func (r term) tooSmall() bool { return r.W > 0 && (r.W < leastW || r.H < leastH) }

// small draws the notice for a terminal that is too small.
func (r term) small() string {
	lines := kit.Wrap(fmt.Sprintf("learnings needs %d×%d; this is %d×%d", leastW, leastH, r.W, r.H), r.W)
	return kit.Joined(kit.Block(lines, r.W, r.H))
}

// A tabLine is the first line of the page.
type tabLine struct {
	line     string
	from, to [desk.Screens]int // cells of each tab
	on       desk.Screen
	w        int
}

// tabs draws the tabs, with counts as far as there is room, and the scope and state at
// the right.
func (a app) tabs() tabLine {
	left, gap := " ", "  "
	if a.W >= kit.Wide {
		left, gap = " "+a.st.Strong.Render("learnings")+"   ", "   "
	}
	for cut := range 4 {
		t := tabLine{on: a.on, w: a.W}
		line := left
		for i, s := range slots {
			if i > 0 {
				line += gap
			}
			t.from[i] = ansi.StringWidth(line)
			line += tab(i+1, desk.Screen(i).String(), s.tab(&a.panes), desk.Screen(i) == a.on, cut-1, a.st)
			t.to[i] = ansi.StringWidth(line)
		}
		if n := a.outside.N; n > 0 && (cut == 0 || cut == 1 && a.scope.Name == "") {
			line += gap + a.st.Warn.Render(kit.Grouped(n)+" from outside") + a.st.Dim.Render(" O")
		}
		right := a.right(cut >= 2, a.W-ansi.StringWidth(line))
		if ansi.StringWidth(line+right) < a.W || cut == 3 {
			t.line = kit.Ends(line, right, a.W)
			return t
		}
	}
	return tabLine{}
}

// tab draws one tab. With cut 1 only the active one has its count, with 2 its name.
func tab(n int, name, count string, on bool, cut int, st *look.Style) string {
	if count != "" {
		count = " " + count
	}
	switch {
	case on:
		return st.Accent.Render(fmt.Sprintf("%d %s%s", n, name, count))
	case cut >= 2:
		return st.Dim.Render(fmt.Sprint(n))
	case cut >= 1:
		count = ""
	}
	return st.Dim.Render(fmt.Sprint(n)) + " " + name + st.Dim.Render(count)
}

// rule draws the hairline below the tabs, heavy under the active one.
func (t tabLine) rule(st *look.Style) string {
	from, to := min(t.from[t.on], t.w), min(t.to[t.on], t.w)
	return st.Rule.Render(strings.Repeat("─", from)) + st.Accent.Render(strings.Repeat("━", to-from)) + st.Rule.Render(strings.Repeat("─", t.w-to))
}

// state says whether jobs are running.
func (a app) state() string {
	switch paused := a.fx.Paused; {
	case a.busy > 0 && a.fx.Still:
		return a.st.Accent.Render("busy")
	case a.busy > 0:
		return a.st.Accent.Render(look.Spinner[a.turned%len(look.Spinner)] + " busy")
	case paused != nil && paused(a.fx.Now()):
		return a.st.Warn.Render("paused")
	}
	return a.st.Dim.Render("idle")
}

// The most and least cells of the name of a scope.
const (
	mostScope  = 20
	leastScope = 8
)

// right draws the right end of the tabs: which lessons the screens are about, and whether
// jobs are running. In a narrow line the name of the scope gets the room there is.
func (a app) right(narrow bool, room int) string {
	gap, most := "   ", mostScope
	if narrow {
		gap = "  "
		most = max(min(room-kit.CellsOf(a.state()+gap+" Z  "), most), leastScope)
	}
	right := ""
	if a.fx.Sample {
		right = a.st.Accent.Render("SAMPLE") + gap
	}
	if a.scope.Name != "" {
		right += a.st.Accent.Render(look.Sentence(lessons.Line(a.scope.Name), most)) + a.st.Dim.Render(" Z") + gap
	}
	return right + a.state() + " "
}

// running draws the status line: progress at the left, the last decision or its error at
// the right.
func (a app) running(s kit.Sheet) string {
	more := ""
	if t := a.tally.Signs(a.st); t != "" {
		more = "  " + t
	}
	if a.on != desk.OnSessions {
		more += a.st.Dim.Render(a.sessions.Reading())
	}
	right := a.Log.Line(a.note, a.W, a.st)
	for _, left := range []string{s.Running + more, s.Brief + more, s.Brief} {
		if left = strings.TrimLeft(left, " "); ansi.StringWidth(left)+ansi.StringWidth(right)+4 <= a.W {
			return kit.Ends(" "+left, right+" ", a.W)
		}
	}
	if right == "" {
		right = cmp.Or(s.Brief, s.Running)
	}
	return kit.Fit(" "+right, a.W) // the last decision matters more
}
