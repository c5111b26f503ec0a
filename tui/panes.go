package tui

import (
	tea "charm.land/bubbletea/v2"

	"learnings/tui/browse"
	"learnings/tui/desk"
	"learnings/tui/insights"
	"learnings/tui/kit"
	"learnings/tui/look"
	"learnings/tui/next"
	"learnings/tui/review"
	"learnings/tui/sessions"
)

// A pane is the content of a tab: a concrete type P whose methods return its next value.
// No method blocks, and drawing changes nothing.
//
// To add a pane, write a type with these methods, a field in [panes] set by newPanes, a
// constant in package desk, and a line in slots. Tabs, keys, mouse, sizes, footer, help
// and palette follow from these. Slow work is a [kit.Job]; changes to the corpus go
// through Out.Writes.
type pane[P any] interface {
	// Start loads what the pane shows first. It is called once, before the first frame; a
	// costly pane waits for ShownAgain.
	Start() (P, kit.Out)
	// Resize sets the size of the pane without head and hairlines.
	Resize(w, h int) P
	// Update takes a message while the pane is shown: answers of jobs and dialogs, clicks
	// and the wheel (counted from the first cell of the body), pastes.
	Update(tea.Msg) (P, kit.Out)
	// Unseen takes the answer of a job while another pane is shown.
	Unseen(tea.Msg) (P, kit.Out)
	// ShownAgain is called when the person turns to the pane.
	ShownAgain() (P, kit.Out)
	// Press handles a key; known is false if the key does nothing.
	Press(tea.KeyPressMsg) (next P, o kit.Out, known bool)
	// Typing reports whether keys are text and not commands.
	Typing() bool
	// Hints returns the keys in their present state, with the reasons of those that are
	// off.
	Hints() []kit.Hint
	// Tab returns the text after the pane's name in its tab: counts, or nothing.
	Tab() string
	// Sheet draws the pane. It may only look at the visible part.
	Sheet(st *look.Style) kit.Sheet
}

// panes holds all screens.
type panes struct {
	on       desk.Screen
	review   review.Review
	browse   browse.Pane
	sessions sessions.Pane
	insights insights.Pane
	next     next.Pane
}

func newPanes(fx desk.Desk) panes {
	return panes{review: review.New(fx), browse: browse.New(fx), sessions: sessions.New(fx), insights: insights.New(fx), next: next.New(fx)}
}

// slots has the tabs by screen.
var slots = [desk.Screens]slot{
	desk.OnReview:   in(func(p *panes) *review.Review { return &p.review }),
	desk.OnBrowse:   in(func(p *panes) *browse.Pane { return &p.browse }),
	desk.OnSessions: in(func(p *panes) *sessions.Pane { return &p.sessions }),
	desk.OnInsights: in(func(p *panes) *insights.Pane { return &p.insights }),
	desk.OnNext:     in(func(p *panes) *next.Pane { return &p.next }),
}

// A slot gives access to a pane of any type.
type slot struct {
	start, shownAgain func(*panes) kit.Out
	resize            func(p *panes, w, h int)
	update, unseen    func(*panes, tea.Msg) kit.Out
	press             func(*panes, tea.KeyPressMsg) (kit.Out, bool)
	typing            func(*panes) bool
	hints             func(*panes) []kit.Hint
	tab               func(*panes) string
	sheet             func(*panes, *look.Style) kit.Sheet
}

// in returns the slot of the pane at a field of panes.
func in[P pane[P]](at func(*panes) *P) slot {
	keep := func(p *panes, next P, o kit.Out) kit.Out {
		*at(p) = next
		return o
	}
	return slot{
		start:      func(p *panes) kit.Out { next, o := (*at(p)).Start(); return keep(p, next, o) },
		shownAgain: func(p *panes) kit.Out { next, o := (*at(p)).ShownAgain(); return keep(p, next, o) },
		resize:     func(p *panes, w, h int) { *at(p) = (*at(p)).Resize(w, h) },
		update:     func(p *panes, msg tea.Msg) kit.Out { next, o := (*at(p)).Update(msg); return keep(p, next, o) },
		unseen:     func(p *panes, msg tea.Msg) kit.Out { next, o := (*at(p)).Unseen(msg); return keep(p, next, o) },
		press: func(p *panes, k tea.KeyPressMsg) (kit.Out, bool) {
			next, o, known := (*at(p)).Press(k)
			return keep(p, next, o), known
		},
		typing: func(p *panes) bool { return (*at(p)).Typing() },
		hints:  func(p *panes) []kit.Hint { return (*at(p)).Hints() },
		tab:    func(p *panes) string { return (*at(p)).Tab() },
		sheet:  func(p *panes, st *look.Style) kit.Sheet { return (*at(p)).Sheet(st) },
	}
}

// each calls f for all panes and combines the requests.
func (p panes) each(f func(*panes, desk.Screen, slot) kit.Out) (panes, kit.Out) {
	var o kit.Out
	for i, s := range slots {
		o = o.And(f(&p, desk.Screen(i), s))
	}
	return p, o
}

func (p panes) resize(w, h int) panes {
	p, _ = p.each(func(p *panes, _ desk.Screen, s slot) kit.Out { s.resize(p, w, h); return kit.Out{} })
	return p
}

// start starts panes from one on and before another.
func (p panes) start(from, to desk.Screen) (panes, kit.Out) {
	return p.each(func(p *panes, i desk.Screen, s slot) kit.Out {
		if i < from || i >= to {
			return kit.Out{}
		}
		return s.start(p)
	})
}

// answered passes the answer of a job to all panes. Each recognizes its own.
func (p panes) answered(msg tea.Msg) (panes, kit.Out) {
	p, o := p.each(func(p *panes, i desk.Screen, s slot) kit.Out {
		if i == p.on {
			return s.update(p, msg)
		}
		return s.unseen(p, msg)
	})
	p.review.Mine = p.sessions.Stock()
	return p, o
}

// turn changes the screen.
func (p panes) turn(to desk.Screen) (panes, kit.Out) {
	p.on = to
	o := slots[to].shownAgain(&p)
	return p, o
}

// Update passes a message to the current pane.
func (p panes) Update(msg tea.Msg) (panes, kit.Out) {
	o := slots[p.on].update(&p, msg)
	return p, o
}

// press passes a key to the current pane. known is false if the key does nothing.
func (p panes) press(k tea.KeyPressMsg) (next panes, o kit.Out, known bool) {
	o, known = slots[p.on].press(&p, k)
	return p, o, known
}

func (p panes) typing() bool                   { return slots[p.on].typing(&p) }
func (p panes) Hints() []kit.Hint              { return slots[p.on].hints(&p) }
func (p panes) Sheet(st *look.Style) kit.Sheet { return slots[p.on].sheet(&p, st) }
