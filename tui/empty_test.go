package tui

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"learnings/lessons"
	"learnings/tui/desk"
	"learnings/tui/look"
)

// allDone has decided on all that is likely.
func allDone(t *testing.T, w, h int, theme string) (*corpus, *play) {
	c := newCorpus(t, laned()...)
	fx := fxOn(c)
	fx.Theme = theme
	return c, playing(t, fx, w, h).press("x", "a")
}

// A queue in which nothing is left says what was done and what to do next; a machine on
// which nothing has been read gets the steps, and is not caught up.
func TestEmptyQueueLooks(t *testing.T) {
	for _, size := range [][2]int{{60, 16}, {80, 24}, {120, 40}, {200, 60}} {
		for _, theme := range []string{look.Dark, look.Light, look.None} {
			t.Run(fmt.Sprintf("%dx%d-%s", size[0], size[1], theme), func(t *testing.T) {
				fx := fxOn(newCorpus(t))
				fx.Theme, fx.Place = theme, "/home/ada/.local/share/learnings"
				fx.Looked = []string{"~/.claude/projects", "~/.codex/sessions", "~/.gemini"}
				fx.OfferSample = func() (desk.Config, error) { return desk.Config{}, nil }
				p := playing(t, fx, size[0], size[1])
				golden.RequireEqual(t, strings.ReplaceAll(p.a.View().Content, "\x1b", "^["))
			})
			t.Run(fmt.Sprintf("done-%dx%d-%s", size[0], size[1], theme), func(t *testing.T) {
				_, p := allDone(t, size[0], size[1], theme)
				golden.RequireEqual(t, strings.ReplaceAll(p.a.View().Content, "\x1b", "^["))
			})
		}
	}
}

// What was done is told when nothing likely is left, and an undo takes it from there.
func TestAllJudged(t *testing.T) {
	c, p := allDone(t, 120, 40, look.None)
	p.wants(t, "judged", "Nothing likely is left. 2", "If you have ten minutes", "2 in maybe", "1 from outside", "1 quarantined")
	p.press("u").wants(t, "undone", "likely 1", "1/1")
	p.press("x", "f", "x", "x").wants(t, "maybe", "maybe 0")
	if l := c.get("p2r7e4fx"); l.Status != lessons.Rejected {
		t.Errorf("%s", l.Status)
	}
	p.press("!", "x", "h", "x", "f", "f")
	p.wants(t, "all", "✗ ", "u undoes the last")
}

// On a machine with sessions the first steps name them.
func TestFirstSteps(t *testing.T) {
	p := playing(t, fxOn(newCorpus(t)), 120, 40)
	p.a.review.Mine = desk.Stock{All: 246, Fresh: 246, Known: true, Agents: "claude-code 151 · codex 95"}
	p.wants(t, "steps", "Nothing has been read yet.", "246 sessions found", "claude-code 151 · codex 95", "Read them", "X", "learnings setup")
	if strings.Contains(p.text(), "caught up") {
		t.Error("a fresh machine is not caught up")
	}
}
