package tui

import (
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// clickMsg is a click into a pane, with the place counted from its corner.
type clickMsg struct{ x, y int }

// wheelMsg is a turn of the wheel over a pane: by is the rows to go.
type wheelMsg struct{ x, y, by int }

// notch is how many rows one step of the wheel is.
const notch = 3

// pointed handles the mouse: the header has the tabs, the rest is the pane's.
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
				a.on = s
			}
			return a, nil
		}
		inner = clickMsg{x: m.X, y: m.Y - 1}
	default:
		return a, nil
	}
	if a.dialog != nil {
		return a.toDialog(inner)
	}
	return a.toPane(inner)
}

// tabAt says which screen's name is at a column of the header.
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

// click goes to the row under the pointer.
func (p review) click(m clickMsg) (review, out) {
	if i, ok := p.cur.hit(m.y - p.listTop()); ok && m.x < splitBody(p.w, p.h).lw {
		return p.at(p.cur.to(i))
	}
	return p, out{}
}

// wheel scrolls what is under the pointer.
func (p review) wheel(m wheelMsg) (review, out) {
	s := splitBody(p.w, p.h)
	if (s.stacked && m.y < s.lh) || (!s.stacked && m.x < s.lw) {
		return p.at(p.cur.scroll(m.by))
	}
	return p.scrollCard(m.by), out{}
}

// listTop is the line of the pane on which the first row is.
func (p review) listTop() int {
	return splitBody(p.w, p.h).lh - 1 - p.listHeight()
}

func (p review) scrollCard(by int) review {
	w, h := p.cardSize()
	p.card.top += by
	p.card = p.card.clamp(w, h)
	return p
}

// click goes to the row under the pointer, in the tree or in the list.
func (p browse) click(m clickMsg) (browse, out) {
	switch p.over(m.x, m.y) {
	case inTree:
		if i, ok := p.tree.cur.hit(m.y - 1); ok {
			p.inTree = true
			return p.moveTo(p.tree.cur.to(i))
		}
	case inRows:
		top := p.columns().lh - 1 - p.rows.cur.h
		if i, ok := p.rows.cur.hit(m.y - top); ok {
			p.inTree = false
			return p.moveTo(p.rows.cur.to(i))
		}
	}
	return p, out{}
}

// wheel scrolls what is under the pointer.
func (p browse) wheel(m wheelMsg) (browse, out) {
	switch p.over(m.x, m.y) {
	case inTree:
		p.tree.cur.top = max(0, min(p.tree.cur.top+m.by, p.tree.cur.n-p.tree.cur.h)) // to choose a place takes a key or a click
	case inRows:
		p.rows.cur = p.rows.cur.scroll(m.by)
		return p.look(false)
	default:
		return p.scrollPreview(m.by), out{}
	}
	return p, out{}
}

// A column of Browse.
type column int

const (
	inPreview column = iota
	inTree
	inRows
)

// over says what is at a place of the pane.
func (p browse) over(x, y int) column {
	c, s := p.columns(), splitBody(p.w, p.h)
	switch {
	case c.side && x < c.tw:
		return inTree
	case c.side && x < c.tw+c.lw, !c.side && (s.stacked && y < s.lh || !s.stacked && x < s.lw):
		if !c.side && p.inTree {
			return inTree
		}
		return inRows
	}
	return inPreview
}
