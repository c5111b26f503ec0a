package decide

import (
	tea "charm.land/bubbletea/v2"

	"learnings/tui/kit"
	"learnings/tui/look"
)

// A page shows lessons above the possible decisions: two side by side, or all one below
// the other. They scroll.
type page struct {
	kit.Scroll
	pair    bool
	head    func(i int, st *look.Style) (title, right string)
	side    func(i, w int, st *look.Style) []string
	stacked func(w int, st *look.Style) []string
	below   func(*look.Style) []string
}

// leastSides is the least height of the lessons.
const leastSides = 4

// parting returns the heights of the lessons and of the visible part of n lines below
// them.
func (p page) parting(n int) (top, bottom int) {
	bottom = min(n, max(p.H-1-leastSides, 1))
	return max(p.H-1-bottom, 1), bottom
}

// scrolled returns the scroll position after a message.
func (p page) scrolled(msg tea.Msg) kit.Scroll {
	h, _ := p.parting(len(p.below(kit.Unseen)))
	if !p.pair {
		return p.By(kit.Scrolling(msg, h), len(p.stacked(p.W-2, kit.Unseen)), h)
	}
	h = max(h-2, 1)
	n := 0
	for i := range 2 {
		n = max(n, len(p.side(i, p.width(i)-2, kit.Unseen)))
	}
	return p.By(kit.Scrolling(msg, h), n, h)
}

// width returns the width of column i.
func (p page) width(i int) int { return [2]int{p.W / 2, p.W - p.W/2 - 1}[i] }

func (p page) sheet(st *look.Style) (s kit.Sheet) {
	all := p.below(st)
	top, bottom := p.parting(len(all))
	s.Foot = all[:min(bottom, len(all))]
	if !p.pair {
		lines := p.stacked(p.W-2, st)
		s.Cols = []kit.Column{{W: p.W, H: top, Lines: kit.Indented(kit.Clip(lines, p.Top, top)), More: max(len(lines)-p.Top-top, 0)}}
		return s
	}
	for i := range 2 {
		lines := p.side(i, p.width(i)-2, st)
		c := kit.Column{W: p.width(i), H: top, Lines: kit.Indented(kit.Clip(lines, p.Top, max(top-2, 0))), More: max(len(lines)-p.Top-(top-2), 0)}
		c.Title, c.Right = p.head(i, st)
		s.Cols = append(s.Cols, c)
	}
	return s
}
