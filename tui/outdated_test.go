package tui

import (
	"strings"
	"testing"
	"time"

	"learnings/lessons"
)

// The card of a lesson says what it names that its project no longer has.
func TestOutdatedCard(t *testing.T) {
	p := preview{}.opened(openedMsg{lesson: lessons.Lesson{ID: "a", Status: lessons.Approved, Pinned: true},
		gone: []lessons.Doubt{{Concern: lessons.Outdated, Says: "may be out of date: `ship.sh` is gone since 1a2b3c4 (2026-05-01)"}}}, time.Now())
	if got := strings.Join(p.facts(100, unseenStyle), "\n"); !strings.Contains(got, "may be out of date: `ship.sh` is gone since 1a2b3c4 (2026-05-01)") {
		t.Error(got)
	}
}
