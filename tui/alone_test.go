package tui

import (
	"slices"
	"strings"
	"testing"

	"learnings/lessons"
)

// TestHearsayIsNotMarkedWithOthers: what only a tool says is flagged, and the
// key that marks everything leaves it out.
func TestHearsayIsNotMarkedWithOthers(t *testing.T) {
	ls := queue()
	i := slices.IndexFunc(ls, lessons.Lesson.Quarantined)
	if i < 0 {
		t.Fatal("no proposal of the queue is a tool's alone")
	}
	if f := strings.Join(flags(ls[i]), "\n"); !strings.Contains(f, "only a tool's output speaks for it") {
		t.Errorf("flags %q", f)
	}
	p := playing(t, fxOn(newCorpus(ls...)), 120, 30).press("*")
	if s := p.text(); !strings.Contains(s, "1 for which only a tool speaks left out") {
		t.Errorf("screen:\n%s", s)
	}
}
