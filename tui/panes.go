package tui

import (
	tea "charm.land/bubbletea/v2"
)

// panes are the three screens, of which one is shown.
type panes struct {
	on       screen
	review   review
	browse   browse
	sessions sessions
}

func newPanes(fx effects) panes {
	return panes{review: newReview(fx), browse: newBrowse(fx), sessions: newSessions(fx)}
}

func (p panes) resize(w, h int) panes {
	p.review, p.browse, p.sessions = p.review.resize(w, h), p.browse.resize(w, h), p.sessions.resize(w, h)
	return p
}

func (p panes) start() (panes, out) {
	var r, b, s out
	p.review, r = p.review.start()
	p.browse, b = p.browse.start()
	p.sessions, s = p.sessions.start()
	return p, r.and(b).and(s)
}

// answered takes the answer of a job to all panes: each knows its own.
func (p panes) answered(msg tea.Msg) (panes, out) {
	var r, b, s out
	p.review, r = p.review.update(msg)
	if p.on == onBrowse {
		p.browse, b = p.browse.update(msg)
	} else {
		p.browse, b = p.browse.unseen(msg)
	}
	p.sessions, s = p.sessions.update(msg)
	p.review.mine, p.review.model = p.sessions.stock(), p.sessions.model
	return p, r.and(b).and(s)
}

// turn shows a screen.
func (p panes) turn(to screen) (panes, out) {
	var o out
	if p.on = to; to == onBrowse {
		p.browse, o = p.browse.shownAgain()
	}
	return p, o
}

// update takes a message to the pane that is shown.
func (p panes) update(msg tea.Msg) (panes, out) {
	var o out
	switch p.on {
	case onBrowse:
		p.browse, o = p.browse.update(msg)
	case onSessions:
		p.sessions, o = p.sessions.update(msg)
	default:
		p.review, o = p.review.update(msg)
	}
	return p, o
}

// press takes a key to the pane that is shown. known is false for a key that does
// nothing there.
func (p panes) press(k tea.KeyPressMsg) (next panes, o out, known bool) {
	switch p.on {
	case onBrowse:
		p.browse, o, known = p.browse.press(k)
	case onSessions:
		p.sessions, o, known = p.sessions.press(k)
	default:
		p.review, o, known = p.review.press(k)
	}
	return p, o, known
}

// typing reports whether keys are text now, and none are commands.
func (p panes) typing() bool {
	return [...]filter{p.review.filter, p.browse.filter, p.sessions.filter}[p.on].typing
}

func (p panes) hints() []hint {
	switch p.on {
	case onBrowse:
		return p.browse.hints()
	case onSessions:
		return p.sessions.hints()
	}
	return p.review.hints()
}

func (p panes) view(st style) string {
	switch p.on {
	case onBrowse:
		return p.browse.view(st)
	case onSessions:
		return p.sessions.view(st)
	}
	return p.review.view(st)
}
