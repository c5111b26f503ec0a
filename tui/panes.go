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

// A pane is what a tab shows. It is a concrete type P, of which each method gives the
// next value; none of them waits, and none that draws changes anything.
//
// A new pane is a type with these methods, a field in [panes] that newPanes makes, a number
// among the screens of package desk, and a line in slots. Tabs, the keys that turn to it,
// the mouse, sizes, answers of jobs, footer, help and palette come of themselves. What is
// slow is a [kit.Job]; what changes the corpus is asked for by Out.Writes.
type pane[P any] interface {
	// Start asks for what the pane shows first. It is called once, before the first
	// frame; a pane that costs much waits for shownAgain.
	Start() (P, kit.Out)
	// Resize gives the pane the room of the body, without head and hairlines.
	Resize(w, h int) P
	// Update takes a message while the pane is shown: answers of jobs, those of its
	// dialogs, clicks and the wheel (counted from the first cell of the body), pastes.
	Update(tea.Msg) (P, kit.Out)
	// Unseen takes the answer of a job while another pane is shown.
	Unseen(tea.Msg) (P, kit.Out)
	// ShownAgain is called when the person turns to the pane.
	ShownAgain() (P, kit.Out)
	// Press does what a key is for; known is false for one that does nothing.
	Press(tea.KeyPressMsg) (next P, o kit.Out, known bool)
	// Typing reports whether keys are text now, and none are commands.
	Typing() bool
	// Hints are the keys as they are now, those that are off with the reason.
	Hints() []kit.Hint
	// Tab is what the tab says after the pane's name: counts, or nothing.
	Tab() string
	// Sheet draws the pane. Only what is in sight may be looked at.
	Sheet(st *look.Style) kit.Sheet
}

// panes are the screens, of which one is shown.
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

// slots are the tabs, by the number of their screen.
var slots = [desk.Screens]slot{
	desk.OnReview:   in(func(p *panes) *review.Review { return &p.review }),
	desk.OnBrowse:   in(func(p *panes) *browse.Pane { return &p.browse }),
	desk.OnSessions: in(func(p *panes) *sessions.Pane { return &p.sessions }),
	desk.OnInsights: in(func(p *panes) *insights.Pane { return &p.insights }),
	desk.OnNext:     in(func(p *panes) *next.Pane { return &p.next }),
}

// A slot is a pane among the others, whatever its type is.
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

// in makes the slot of a pane that is at a place of panes.
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

// each calls f for all panes and joins what they ask for.
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

func (p panes) start() (panes, kit.Out) {
	return p.each(func(p *panes, _ desk.Screen, s slot) kit.Out { return s.start(p) })
}

// answered takes the answer of a job to all panes: each knows its own.
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

// turn shows a screen.
func (p panes) turn(to desk.Screen) (panes, kit.Out) {
	p.on = to
	o := slots[to].shownAgain(&p)
	return p, o
}

// Update takes a message to the pane that is shown.
func (p panes) Update(msg tea.Msg) (panes, kit.Out) {
	o := slots[p.on].update(&p, msg)
	return p, o
}

// press takes a key to the pane that is shown. known is false for a key that does
// nothing there.
func (p panes) press(k tea.KeyPressMsg) (next panes, o kit.Out, known bool) {
	o, known = slots[p.on].press(&p, k)
	return p, o, known
}

func (p panes) typing() bool                   { return slots[p.on].typing(&p) }
func (p panes) Hints() []kit.Hint              { return slots[p.on].hints(&p) }
func (p panes) Sheet(st *look.Style) kit.Sheet { return slots[p.on].sheet(&p, st) }
