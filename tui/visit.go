package tui

import (
	tea "charm.land/bubbletea/v2"

	"learnings/tui/desk"
	"learnings/tui/kit"
)

// This file goes from one screen to what another shows of it.

// visitMsg asks for Browse with what a query finds, or with a dialog over it.
type visitMsg struct {
	query string
	open  kit.Out
}

// browseFor shows the lessons of a query.
func browseFor(query string) kit.Out {
	return kit.Out{Cmd: func() tea.Msg { return visitMsg{query: query} }}
}

// browseWith shows Browse with a dialog.
func browseWith(o kit.Out) kit.Out {
	return kit.Out{Cmd: func() tea.Msg { return visitMsg{open: o} }}
}

// visit goes to Browse.
func visit(a app, m visitMsg) (tea.Model, tea.Cmd) {
	if a.dialog != nil {
		return a, nil // the person has gone on
	}
	var turned, shown kit.Out
	a.panes, turned = a.turn(desk.OnBrowse)
	if m.query != "" {
		a.browse, shown = a.browse.show(m.query)
	}
	return a.do(turned.And(shown).And(m.open))
}
