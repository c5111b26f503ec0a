package tui

import (
	tea "charm.land/bubbletea/v2"
)

// This file goes from one screen to what another shows of it.

// visitMsg asks for Browse with what a query finds, or with a dialog over it.
type visitMsg struct {
	query string
	open  dialog
}

// browseFor shows the lessons of a query.
func browseFor(query string) out {
	return out{cmd: func() tea.Msg { return visitMsg{query: query} }}
}

// browseWith shows Browse with a dialog.
func browseWith(d dialog) out {
	return out{cmd: func() tea.Msg { return visitMsg{open: d} }}
}

// visit goes to Browse.
func visit(a app, m visitMsg) (tea.Model, tea.Cmd) {
	if a.dialog != nil {
		return a, nil // the person has gone on
	}
	var turned, shown out
	a.panes, turned = a.turn(onBrowse)
	if m.query != "" {
		a.browse, shown = a.browse.show(m.query)
	}
	if m.open != nil {
		shown.open = m.open
	}
	return a.do(turned.and(shown))
}
