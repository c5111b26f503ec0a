package browse

import (
	"strings"
	"testing"
	"time"

	"learnings/lessons"
	"learnings/tui/desk"
	"learnings/tui/kit"
)

func TestPreviewMakesTextSafe(t *testing.T) {
	var l lessons.Lesson
	l.ID, l.Content = "a", "evil\x1b]52;c;cm0gLXJm\a \u202egnirts"
	l.Insight = "# not a heading?\n\x1b[2Jgone"
	l.Example = "rm\x07 -rf"
	for _, line := range (preview{lesson: l, whole: true}).lines(60, kit.Unseen) {
		for _, bad := range []string{"\x1b]52", "\x1b[2J", "\x07", "\u202e"} {
			if strings.Contains(line, bad) {
				t.Errorf("%q reaches the terminal in %q", bad, line)
			}
		}
	}
}

// The card of a lesson says what it names that its project no longer has.
func TestOutdatedCard(t *testing.T) {
	p := preview{}.opened(desk.Opened{Lesson: lessons.Lesson{ID: "a", Status: lessons.Approved, Pinned: true},
		Gone: []lessons.Doubt{{Concern: lessons.Outdated, Says: "may be out of date: `ship.sh` is gone since 1a2b3c4 (2026-05-01)"}}}, time.Now())
	if got := strings.Join(p.facts(100, kit.Unseen), "\n"); !strings.Contains(got, "may be out of date: `ship.sh` is gone since 1a2b3c4 (2026-05-01)") {
		t.Error(got)
	}
}
