package tui

import (
	"strings"
	"testing"

	"learnings/lessons"
	"learnings/tui/desk"
)

// The summary appears when no likely proposal is left, and an undo removes it.
func TestAllJudged(t *testing.T) {
	c := newCorpus(t, laned()...)
	p := playing(t, fxOn(c), 120, 40).press("x", "a")
	p.wants(t, "judged", "Nothing likely is left. 2", "If you have ten minutes", "2 in maybe", "1 from outside", "1 quarantined")
	p.press("u").wants(t, "undone", "likely 1", "1/1").press("x", "f", "x", "x").wants(t, "maybe", "No proposal is a maybe")
	if l := c.get("p2r7e4fx"); l.Status != lessons.Rejected {
		t.Errorf("%s", l.Status)
	}
	p.press("!", "x", "h", "x", "f", "f")
	p.wants(t, "all", "✗ ", "u undoes the last")
}

// The first steps name the sessions of the machine.
func TestFirstSteps(t *testing.T) {
	p := playing(t, fxOn(newCorpus(t)), 120, 40)
	p.a.review.Mine = desk.Stock{All: 246, Fresh: 246, Known: true, Agents: "claude-code 151 · codex 95"}
	p.wants(t, "steps", "Nothing has been read yet.", "246 sessions found", "claude-code 151 · codex 95", "Read them", "X", "learnings setup")
	if strings.Contains(p.text(), "caught up") {
		t.Error("a fresh machine is not caught up")
	}
}
