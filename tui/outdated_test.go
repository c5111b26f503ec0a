package tui

import (
	"context"
	"strings"
	"testing"

	"learnings/lessons"
	"learnings/tui/desk"
)

// agedCorpus has two approved lessons about `ship.sh`, which is gone, unless a person has
// confirmed them without it.
func agedCorpus(t *testing.T) (*corpus, desk.Desk) {
	ls := append(laned(), npm(), npm())
	ls[7].ID, ls[7].Content = "s1h2i3pp", "Run `ship.sh` before each release"
	ls[8].ID, ls[8].Content = "s4h5i6pp", "Pass --dry to `ship.sh` on a Friday"
	c := newCorpus(t, ls...)
	c.Missing = func(lessons.Lesson) []string { return []string{"ship.sh"} }
	fx := fxOn(c)
	is := func(l lessons.Lesson) bool {
		return l.Status == lessons.Approved && strings.Contains(l.Content, "ship.sh") && len(l.Without) == 0
	}
	fx.Outdated = func(_ context.Context, l lessons.Lesson) []lessons.Doubt {
		if !is(l) {
			return nil
		}
		return []lessons.Doubt{{Concern: lessons.Outdated, Says: "may be out of date: `ship.sh` is gone since 1a2b3c4 (2026-03-01)"}}
	}
	fx.AllOutdated = func(context.Context) (out []lessons.Lesson, err error) {
		for _, l := range c.all() {
			if is(l) {
				out = append(out, l)
			}
		}
		return out, nil
	}
	return c, fx
}

// Approved lessons that may be out of date wait in their own lane until a person
// confirms, rewords or archives them. Undo brings them back.
func TestOutdatedLane(t *testing.T) {
	c, fx := agedCorpus(t)
	p := playing(t, fx, 140, 40).wants(t, "at first", "1 Review 4", "out of date 2", "Use pnpm")
	p.press("h").wants(t, "the lane", "1/2", "`ship.sh` is gone since 1a2b3c4", "a still true  z archive")
	p.press("a").wants(t, "confirmed", "✓ confirmed", "out of date 1", "1/1")
	if l := c.get("s4h5i6pp"); len(l.Without) != 1 || l.Proof.Confirmations != 1 {
		t.Errorf("confirmed is %+v", l)
	}
	p.press("u").wants(t, "undone", "out of date 2", "2/2")
	p.press("j", "z").wants(t, "archived", "✓ archived", "out of date 1", "--dry")
	if l := c.get("s1h2i3pp"); l.Status != lessons.Archived {
		t.Errorf("it is %s", l.Status)
	}
	p.press("u").wants(t, "back", "out of date 2").press("*", "a", "y").wants(t, "both", "✓ confirmed 2 lessons", "No lesson is out of date")
	p.press("l").wants(t, "likely", "Use pnpm")
	if strings.Contains(p.text(), "out of date") {
		t.Errorf("the empty lane is still there:\n%s", p.text())
	}
	p.press("u").wants(t, "after undo elsewhere", "out of date 2")
}

// Lessons reworded here or by another program are checked again.
func TestOutdatedReworded(t *testing.T) {
	c, fx := agedCorpus(t)
	p := playing(t, fx, 140, 40).press("h", "i", "ctrl+u").typed("Run make check on a Friday").press("ctrl+s")
	p.wants(t, "reworded", "✓ edited", "out of date 1", "before each")
	p.press("u").wants(t, "undone", "out of date 2")
	l := c.get("s1h2i3pp")
	l.Content = "Rest before each release"
	c.put(lessons.OpEdit, l)
	p.send(desk.NewsMsg{}).wants(t, "from outside", "out of date 1", "--dry")
	p.press("h", "/").typed("pnpm").wants(t, "filtered", "1/1")
	if strings.Contains(p.text(), "out of date") {
		t.Errorf("a filter of proposals shows:\n%s", p.text())
	}
	p.press("esc").wants(t, "all", "out of date 1")
}
