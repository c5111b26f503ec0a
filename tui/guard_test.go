package tui

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"

	"learnings/lessons"
	"learnings/tui/desk"
)

// noGuards keeps no choice.
type noGuards struct{ chosen []lessons.Lesson }

func (n *noGuards) Choose(l lessons.Lesson, _ time.Time) error {
	n.chosen = append(n.chosen, l)
	return nil
}

// guardable returns a rule that can be enforced.
func guardable() lessons.Lesson {
	l := npm()
	l.Content = "Never run `npm install`; use `pnpm install`"
	return l
}

func guardedFx(t *testing.T, kept *noGuards, plan func(context.Context, lessons.Lesson) (desk.GuardPlan, error)) desk.Desk {
	c := newCorpus(t, guardable())
	c.Guards = kept
	fx := fxOn(c)
	fx.Guard = plan
	fx.Guarded = func(l lessons.Lesson) string {
		if l.Guard.IsZero() {
			return ""
		}
		return "asks before `npm install`; stopped 3 calls"
	}
	return fx
}

func plan(context.Context, lessons.Lesson) (desk.GuardPlan, error) {
	return desk.GuardPlan{
		Guard: lessons.Guard{Patterns: []string{"command npm install"}}, Stops: "`npm install`",
		Trial:    "would have stopped 14 calls in 9 sessions of 120, 0 that you had allowed",
		Examples: []string{"corrected 2026-11-18 14:00  claude-code  cd web && npm i", "failed    2026-11-12 09:30  codex  npm install lodash --save " + strings.Repeat("x", 100)},
	}, nil
}

func TestGuardLooks(t *testing.T) {
	for name, keys := range map[string][]string{"plan": {"!"}, "on": {"!", "enter"}, "again": {"!", "d", "!"}} {
		t.Run(name, func(t *testing.T) {
			golden.RequireEqual(t, playing(t, guardedFx(t, &noGuards{}, plan), 120, 30).press("tab").press(keys...).text())
		})
	}
	t.Run("none", func(t *testing.T) {
		none := func(context.Context, lessons.Lesson) (desk.GuardPlan, error) {
			return desk.GuardPlan{}, errors.New("nothing can be enforced: the sentence forbids no command")
		}
		golden.RequireEqual(t, playing(t, guardedFx(t, &noGuards{}, none), 100, 24).press("tab", "!").text())
	})
}

// A guard is on only if the person said so, with the person's choice, and can be switched
// off.
func TestGuardAsksFirst(t *testing.T) {
	kept := &noGuards{}
	p := playing(t, guardedFx(t, kept, plan), 120, 30)
	p.press("tab", "!", "esc", "!", "q", "!", "o")
	if len(kept.chosen) > 0 {
		t.Errorf("chosen unasked: %+v", kept.chosen)
	}
	p.press("esc", "!", "d")
	if len(kept.chosen) != 1 || !kept.chosen[0].Guard.Deny || kept.chosen[0].Guard.By != "Ada" {
		t.Errorf("chosen: %+v", kept.chosen)
	}
	if got := p.press("!", "o").text(); !strings.Contains(got, "no longer guarded") || len(kept.chosen) != 1 {
		t.Errorf("taken off:\n%s", got)
	}
	if got := p.press("u").text(); !strings.Contains(got, "guarded") {
		t.Errorf("undone:\n%s", got)
	}
}
