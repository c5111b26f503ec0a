package tui

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"

	"learnings/lessons"
)

// less gives the proposals of the tests with some of them less sure.
func less(ids ...lessons.ID) []lessons.Lesson {
	ls := proposals()
	for i, l := range ls {
		if slices.Contains(ids, l.ID) {
			ls[i].Lane = lessons.Maybe
		}
	}
	return ls
}

func TestLanesLooks(t *testing.T) {
	for name, keys := range map[string][]string{"folded": {"G"}, "unfolded": {"f", "j"}, "filtered": {"/", "p", "n", "p", "m", "enter"}} {
		t.Run(name, func(t *testing.T) {
			p := playing(t, fxOn(newCorpus(t, less("p2r7e4fx", "d9u4p2nm")...)), 120, 24)
			golden.RequireEqual(t, p.press(keys...).text())
		})
	}
	t.Run("none likely", func(t *testing.T) {
		p := playing(t, fxOn(newCorpus(t, less("p2r7e4fx", "t8o3l6us", "k7m2p9qx", "d9u4p2nm", "s5e9c4rt")...)), 80, 24)
		golden.RequireEqual(t, p.text())
	})
}

// What may be a lesson is not counted, marked or decided on until it is shown.
func TestMaybeIsFoldedAway(t *testing.T) {
	c := newCorpus(t, less("p2r7e4fx", "d9u4p2nm")...)
	p := playing(t, fxOn(c), 120, 30)
	shows := func(want ...string) {
		t.Helper()
		for _, s := range want {
			if !strings.Contains(p.text(), s) {
				t.Errorf("no %q on screen:\n%s", s, p.text())
			}
		}
	}
	shows("1 Review 3 · 2 maybe", "▸ 2 maybe")
	if named := title(p.a.review.waiting()); named != "learnings · 3 to review · 2 maybe" {
		t.Errorf("the window is called %q", named)
	}
	p.press("*", "x", "y")
	shows("1 Review 0 · 2 maybe", "Nothing likely waits", "▸ 2 maybe")
	for _, id := range []lessons.ID{"p2r7e4fx", "d9u4p2nm"} {
		if l := c.get(id); l.Status != lessons.Pending {
			t.Errorf("%s is %s", id, l.Status)
		}
	}
	p.press("a")
	shows("approve: f shows what is folded away")
	p.press("enter", "a")
	if l := c.get("p2r7e4fx"); l.Status != lessons.Approved {
		t.Errorf("p2r7e4fx is %s:\n%s", l.Status, p.text())
	}
	shows("Review 0 · 1 maybe")
	p.press("f") // folds the other one away
	shows("▸ 1 maybe")
	p.press("u") // where the person sees it
	if l, _ := p.a.review.current(); l.ID != "p2r7e4fx" || c.get(l.ID).Status != lessons.Pending {
		t.Errorf("after undo the cursor is on %q:\n%s", l.ID, p.text())
	}
	shows("Review 0 · 2 maybe", "▸ 1 maybe")
}

// Marks do not stay on what is folded away, and a filter that asks for the lane
// shows it.
func TestFoldingUnmarks(t *testing.T) {
	p := playing(t, fxOn(newCorpus(t, less("p2r7e4fx", "d9u4p2nm")...)), 120, 30)
	p.press("f", "*", "f")
	if n := len(p.a.review.marks); n != 3 {
		t.Errorf("%d marked:\n%s", n, p.text())
	}
	p.press("esc", "/").typed("lane:maybe").press("enter")
	if n := len(p.a.review.rows); n != 2 || p.a.review.waiting() != (waiting{3, 2}) {
		t.Errorf("%d rows, waiting %v:\n%s", n, p.a.review.waiting(), p.text())
	}
}

// What was said in more sessions comes first, and an undone lesson comes back to its
// place there.
func TestSaidAgainComesFirst(t *testing.T) {
	ls := proposals()
	again := ls[4].Evidence[0]
	again.Session, again.Line, again.At = "another", 3, noon.Add(-90*time.Hour)
	ls[4].Evidence = append(ls[4].Evidence, again)
	p := playing(t, fxOn(newCorpus(t, ls...)), 120, 30)
	if l, _ := p.a.review.current(); l.ID != ls[4].ID || !strings.Contains(p.text(), "in 2 sessions") || !strings.Contains(p.text(), "0.60 medium") {
		t.Errorf("first is %s:\n%s", l.ID, p.text())
	}
	p.press("x", "u")
	if p.a.review.rows[0].ID != ls[4].ID || len(p.a.review.rows) != 5 {
		t.Errorf("after undo:\n%s", p.text())
	}
}

// The same on a terminal: open what is folded away, take a better wording, approve it,
// and go back.
func TestMaybeOnATerminal(t *testing.T) {
	ls := less("k7m2p9qx")
	ls[2].Offer = lessons.Offer{Wording: lessons.Wording{Content: "Run `make generate` after each edit of a .proto file"}, Extractor: "model:haiku"}
	p := at(t, 120, 30, ls)
	p.wait("Review 4 · 1 maybe", "▸ 1 maybe")
	p.press("G")
	p.wait("Less sure, and not counted as waiting")
	p.press("enter")
	p.wait("5/5", "worded by model:haiku", "{+each edit+}")
	p.press("b")
	p.wait("✓ reworded")
	p.press("a")
	p.wait("Review 4", "✓ approved")
	if l := p.status("k7m2p9qx", lessons.Approved); l.Content != "Run `make generate` after each edit of a .proto file" {
		t.Errorf("approved is %q", l.Content)
	}
	p.press("u")
	p.wait("Review 4 · 1 maybe")
	p.quit()
}
