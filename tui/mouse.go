package tui

import (
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// pointed handles the mouse. The header has the tabs; the rest belongs to the dialog
// or the pane.
func (a app) pointed(msg tea.MouseMsg) (tea.Model, tea.Cmd) {
	m := msg.Mouse()
	var inner tea.Msg
	switch msg.(type) {
	case tea.MouseWheelMsg:
		by := notch
		if m.Button == tea.MouseWheelUp {
			by = -notch
		} else if m.Button != tea.MouseWheelDown {
			return a, nil
		}
		inner = wheelMsg{x: m.X, y: m.Y - 1, by: by}
	case tea.MouseClickMsg:
		if m.Button != tea.MouseLeft {
			return a, nil
		}
		if m.Y == 0 && a.dialog == nil {
			if s, ok := a.tabAt(m.X); ok {
				var o out
				a.panes, o = a.turn(s)
				return a.do(o)
			}
			return a, nil
		}
		inner = clickMsg{x: m.X, y: m.Y - 1}
	default:
		return a, nil
	}
	return a.toTop(inner)
}

// tabAt returns the screen whose name is at a column of the header.
func (a app) tabAt(x int) (screen, bool) {
	left, gap := a.margin()
	from := ansi.StringWidth(left)
	for i, t := range a.tabs() {
		to := from + ansi.StringWidth(t)
		if x >= from && x < to {
			return screen(i), true
		}
		from = to + ansi.StringWidth(gap)
	}
	return 0, false
}
