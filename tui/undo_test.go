package tui

import (
	"testing"

	tea "charm.land/bubbletea/v2"

	"learnings/index/curate"
	"learnings/lessons"
)

// held presses a key and leaves what it asks for undone.
func (p *play) held(key string) (later func()) {
	m, cmd := p.a.Update(keyOf(key))
	p.a = m.(app)
	return func() { p.send(messages(cmd)...) }
}

// What is taken back is there at once, each time that the key is pressed, and said when
// it is stored.
func TestUndoIsShownAtOnce(t *testing.T) {
	c := newCorpus(t, proposals()...)
	p := playing(t, fxOn(c), 120, 40)
	first := p.a.review.rows[0].ID
	p.press("a", "x").wants(t, "two decisions", "Review 3")
	once := p.held("u")
	p.wants(t, "once", "Review 4").lacks("once", "undone")
	twice := p.held("u")
	p.wants(t, "twice", "Review 5", "1/4").lacks("twice", "undone")
	if l, _ := p.a.review.current(); l.ID != first {
		t.Errorf("the cursor is on %s, not on %s", l.ID, first)
	}
	once()
	twice()
	p.wants(t, "stored", "Review 5", "1/4", "✓ undone: approved")
	for _, l := range p.a.review.rows {
		if got := c.get(l.ID).Status; got != lessons.Pending {
			t.Errorf("%s is %s", l.ID, got)
		}
	}
	p.press("u").wants(t, "nothing of this desk is left", "Review 5")
}

// Between the decision and its undo another program did something: that is what undo
// takes back, and what was shown again goes.
func TestUndoOfSomethingElse(t *testing.T) {
	c := newCorpus(t, proposals()...)
	p := playing(t, fxOn(c), 120, 40)
	first := p.a.review.rows[0].ID
	p.press("a").wants(t, "approved", "Review 4")
	if _, err := c.Decide(curate.Reject.Because("wrong"), c.get(p.a.review.rows[0].ID)); err != nil {
		t.Fatal(err)
	}
	later := p.held("u")
	p.wants(t, "at once", "Review 5")
	later()
	p.wants(t, "stored", "Review 4", "✓ undone: rejected")
	if got := c.get(first).Status; got != lessons.Approved || p.a.review.find(first) >= 0 {
		t.Errorf("%s is %s, in row %d", first, got, p.a.review.find(first))
	}
	p.press("u").wants(t, "the decision", "Review 5", "✓ undone: approved")
}

// An undo that the store refuses leaves what was decided decided.
func TestUndoRefused(t *testing.T) {
	c := newCorpus(t, proposals()...)
	p := playing(t, fxOn(c), 120, 40)
	l := p.a.review.rows[0]
	p.press("a").wants(t, "approved", "Review 4")
	l = c.get(l.ID)
	l.Content = "Something that another program made of it"
	c.put(lessons.OpEdit, l)
	later := p.held("u")
	p.wants(t, "at once", "Review 5")
	later()
	p.send(tea.WindowSizeMsg{Width: 120, Height: 40}).wants(t, "refused", "Review 4")
	if got := c.get(l.ID).Status; got != lessons.Approved {
		t.Errorf("it is %s", got)
	}
}
