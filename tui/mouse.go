package tui

import (
	tea "charm.land/bubbletea/v2"

	"learnings/tui/desk"
	"learnings/tui/kit"
)

// pointed handles the mouse. The header has the tabs; the rest belongs to the dialog
// or the pane.
func (a app) pointed(msg tea.MouseMsg) (tea.Model, tea.Cmd) {
	m := msg.Mouse()
	top := a.Top()
	if _, ok := a.dialog.(kit.Floating); ok {
		top = 1
	}
	var inner tea.Msg
	switch msg.(type) {
	case tea.MouseWheelMsg:
		by := kit.Notch
		if m.Button == tea.MouseWheelUp {
			by = -kit.Notch
		} else if m.Button != tea.MouseWheelDown {
			return a, nil
		}
		inner = kit.WheelMsg{X: m.X, Y: m.Y - top, By: by}
	case tea.MouseClickMsg:
		if m.Button != tea.MouseLeft {
			return a, nil
		}
		if m.Y == 0 && a.dialog == nil {
			if s, ok := a.tabs().at(m.X); ok {
				var o kit.Out
				a.panes, o = a.turn(s)
				return a.do(o)
			}
			return a, nil
		}
		inner = kit.ClickMsg{X: m.X, Y: m.Y - top}
	default:
		return a, nil
	}
	return a.toTop(inner)
}

// at returns the screen whose name is at a column of the first line.
func (t tabLine) at(x int) (desk.Screen, bool) {
	for i := range slots {
		if x >= t.from[i] && x < t.to[i] {
			return desk.Screen(i), true
		}
	}
	return 0, false
}
