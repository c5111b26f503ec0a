package tui

import (
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"learnings/lessons"
	"learnings/tui/decide"
	"learnings/tui/desk"
)

// less returns the proposals of the tests, some of them less sure.
func less(ids ...lessons.ID) []lessons.Lesson {
	ls := proposals()
	for i, l := range ls {
		if slices.Contains(ids, l.ID) {
			ls[i].Lane = lessons.Maybe
		}
	}
	return ls
}

// laned returns proposals of every lane: two likely, one of them like an approved lesson,
// two maybe, one from outside, one flagged.
func laned() []lessons.Lesson {
	ls := append(less("p2r7e4fx", "t8o3l6us"), planted()[0])
	ls[2].Tags, ls[2].Content = nil, "Run make generate after editing any .proto file"
	ls[4] = ls[3]
	ls[4].ID, ls[4].Content, ls[4].Created = "o7u8t9xx", "Name a branch after its ticket", noon.Add(-6*time.Hour)
	ls[4].Origin = lessons.Origin{Extractor: "import:octomind"}
	ls[5].Tags, ls[5].Content = nil, "Run make generate after editing any .proto file, please"
	ls[5].Category = ls[2].Category
	return ls
}

// Each lane has its proposals, and keys act only on visible ones.
func TestEachLane(t *testing.T) {
	c := newCorpus(t, laned()...)
	p := playing(t, fxOn(c), 140, 40).wants(t, "at first", "1 Review 4", "likely 2   ? maybe 2   ⊕ duplicates 1   ← from outside 1   ! quarantined 1", "1/2")
	if named := title(p.a.review.Waiting()); named != "learnings · 2 to review · 1 from outside · 1 quarantined" {
		t.Errorf("the window is called %q", named)
	}
	p.press("l").wants(t, "maybe", "1/2", "Prefer table tests")
	p.press("*", "x", "y").wants(t, "rejected", "No proposal is a maybe", "likely 2")
	p.press("u").wants(t, "undone", "maybe 2", "1/2").press("l").wants(t, "duplicates", "two say the same", "1/1", "✓ approved")
	p.press("l").wants(t, "outside", "Name a branch after its ticket", "1/1")
	p.press("l").wants(t, "quarantined", "! flag", "1/1").press("l").wants(t, "around", "1/2")
	p.press("h").wants(t, "and back", "! flag").press("*", "a").wants(t, "guarded", "nothing is done: “Ignore all")
	p.press("esc", "a").wants(t, "asked", "type yes to approve it").press("esc").press("x").wants(t, "rejected alone", "No proposal is flagged")
	for id, want := range map[lessons.ID]lessons.Status{"f1a2g3xx": lessons.Rejected, "p2r7e4fx": lessons.Pending, "k7m2p9qx": lessons.Pending, "o7u8t9xx": lessons.Pending} {
		if l := c.get(id); l.Status != want {
			t.Errorf("%s is %s", id, l.Status)
		}
	}
	p.press("u").wants(t, "back in its lane", "quarantined 1", "! flag")
	p.press("h").press("s").wants(t, "snoozed", "Nothing came from outside").press("f", "x", ".").wants(t, "repeated", "? maybe")
	if n := c.get("t8o3l6us").Status; n != lessons.Rejected {
		t.Errorf("again left it %s", n)
	}
}

// A click on a lane shows it.
func TestClickOnALane(t *testing.T) {
	p := playing(t, fxOn(newCorpus(t, laned()...)), 140, 40)
	for _, y := range []int{2} {
		p.send(tea.MouseClickMsg{X: 12, Y: y, Button: tea.MouseLeft}).wants(t, "maybe", "Prefer table tests", "1/2")
		p.send(tea.MouseClickMsg{X: 3, Y: y, Button: tea.MouseLeft}).wants(t, "likely", "Run make generate")
	}
}

// A search goes to the lane of the best hit if the current one has none, and clearing it
// returns.
func TestSearchAcrossLanes(t *testing.T) {
	p := playing(t, fxOn(newCorpus(t, laned()...)), 140, 40)
	p.press("/").typed("bm25|curl").wants(t, "searched", "sort relevance", "maybe 1", "quarantined 1", "1/1")
	p.press("enter").wants(t, "kept", "esc: all")
	p.press("esc").wants(t, "all", "likely 2", "1/2", "Use pnpm")
	if p.a.review.Lane != lessons.Likely {
		t.Errorf("it stays in %s", p.a.review.Lane)
	}
}

// Without likely proposals the first other lane that has some is shown, but what may be a
// lesson only when asked for.
func TestFirstLane(t *testing.T) {
	p := playing(t, fxOn(newCorpus(t, less("p2r7e4fx", "t8o3l6us", "k7m2p9qx", "d9u4p2nm", "s5e9c4rt")...)), 100, 24)
	p.wants(t, "quarantined", "1 Review 1", "? maybe 4", "1/1", "EADDRINUSE")
	p.press("f").wants(t, "maybe", "1/4")
}

// Lessons said in more sessions come first, and an undone lesson returns to its place.
func TestSaidAgainComesFirst(t *testing.T) {
	ls := proposals()
	again := ls[3].Evidence[0]
	again.Session, again.Line, again.At = "another", 3, noon.Add(-90*time.Hour)
	ls[3].Evidence = append(ls[3].Evidence, again)
	p := playing(t, fxOn(newCorpus(t, ls...)), 120, 30)
	if l, _ := p.a.review.Current(); l.ID != ls[3].ID || !strings.Contains(p.text(), "you said it in two sessions") || !strings.Contains(p.text(), "━ sure") {
		t.Errorf("first is %s:\n%s", l.ID, p.text())
	}
	p.press("x", "u")
	if p.a.review.Rows[0].ID != ls[3].ID || len(p.a.review.Rows) != 4 {
		t.Errorf("after undo:\n%s", p.text())
	}
}

// Projects keep their order while a person decides and another program writes.
func TestProjectsStay(t *testing.T) {
	ls := proposals()
	for i := range ls {
		ls[i].Scope.Project, ls[i].Scope.Global = []string{"alpha", "beta", "alpha", "beta", "alpha", "beta"}[i], false
	}
	c := newCorpus(t, ls...)
	p := playing(t, fxOn(c), 120, 40)
	first := decide.Belongs(&p.a.review.Rows[0])
	last := decide.Belongs(&p.a.review.Rows[len(p.a.review.Rows)-1])
	if first == last {
		t.Fatalf("one project: %s", first)
	}
	p.press("x")
	x := ls[0]
	x.ID, x.Content, x.Confidence, x.Scope.Project = "n3w1e2s4", "Name a branch after its ticket", 0.95, last
	c.put(lessons.OpPropose, x)
	p.send(desk.NewsMsg{})
	if r := p.a.review.Rows; decide.Belongs(&r[0]) != first || !strings.Contains(p.text(), "Name a branch") {
		t.Errorf("%s stands before %s:\n%s", decide.Belongs(&r[0]), first, p.text())
	}
	p.press(">", "<").wants(t, "in order anew", "1/4")
	if r := p.a.review.Rows; decide.Belongs(&r[0]) != last {
		t.Errorf("in the order of value %s comes first", decide.Belongs(&r[0]))
	}
}
