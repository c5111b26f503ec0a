package tui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"learnings/lessons"
)

// Category, project and tags are set in place, with the values of other lessons to choose
// from, and repeated on the next lesson.
func TestFieldsInPlace(t *testing.T) {
	ls := proposals()
	ls[2].Tags = []string{"protobuf", "codegen"}
	c := newCorpus(t, ls...)
	p := playing(t, fxOn(c), 120, 30)
	p.press("K").wants(t, "K", "category of “Prefer table tests”", "workflow")
	p.press("ctrl+u").typed("work").press("enter").wants(t, "another category", "✓ category workflow: “Prefer table tests”")
	if l := c.get("p2r7e4fx"); l.Category != "workflow" || l.Status != lessons.Pending {
		t.Errorf("category %s", l.Category)
	}
	p.press("j", ".").wants(t, "again", "category workflow: “bleve's", "as before")
	p.press("t").typed("e2e, cod").press("tab").wants(t, "completed", "e2e, codegen")
	p.press("enter").wants(t, "tags", "tags +e2e +codegen")
	p.press("P", "ctrl+u").typed("a/b").press("enter").wants(t, "no name", "is no name for a project")
	p.press("esc", ",").typed("holds").press("enter")
	p.typed("30d").press("enter").wants(t, "an end", "holds until 30d")
	l := c.get("t8o3l6us")
	if strings.Join(l.Tags, " ") != "e2e codegen" || l.Limit.Until.IsZero() || l.Scope.Project != "octofs" {
		t.Errorf("got %v until %v in %s", l.Tags, l.Limit.Until, l.Scope.Project)
	}
	p.press("u", "u", "u", "u")
	if l := c.get("p2r7e4fx"); l.Category != "preference" {
		t.Errorf("after undo: %s", l.Category)
	}
}

// All marked lessons get the value, except those to be looked at one by one. Tags that
// one of them has stay.
func TestFieldsOfTheMarked(t *testing.T) {
	c := newCorpus(t, proposals()...)
	p := playing(t, fxOn(c), 120, 30).press("*", "t").wants(t, "t", "tags of 4 lessons", "added to each")
	p.typed("ci").press("enter").wants(t, "the list", "set tags +ci of 4 lessons")
	p.press("y").wants(t, "done", "tags +ci: 4 lessons")
	if l := c.get("k7m2p9qx"); strings.Join(l.Tags, " ") != "protobuf codegen ci" {
		t.Errorf("tags %v", l.Tags)
	}
	if l := c.get("s5e9c4rt"); len(l.Tags) != 0 {
		t.Errorf("what is flagged has tags %v", l.Tags)
	}
}

// Megabytes pasted into a field are cheap and change nothing.
func TestPasteOfMegabytes(t *testing.T) {
	for _, k := range []string{"t", "i", "/"} {
		p := playing(t, fxOn(newCorpus(t, proposals()...)), 100, 30).press(k)
		p.send(tea.PasteMsg{Content: strings.Repeat("megabytes of text, ", 10<<20/19)})
		frame(t, p, 100, 30, []string{k})
		p.press("esc").wants(t, "left", "Review 5")
	}
}

// A sentence is corrected and approved with one more key, and one undo reverts both.
func TestRewordAndApprove(t *testing.T) {
	p := at(t, 100, 30, proposals())
	p.press("i").see("the evidence", "ctrl+a")
	p.write(" always")
	p.press("ctrl+a").see("✓ edited and approved", "Review 4")
	if l := p.status("p2r7e4fx", lessons.Approved); l.Content != "Prefer table tests always" {
		t.Errorf("content %q", l.Content)
	}
	p.press("u").see("✓ undone", "Review 5")
	if l := p.status("p2r7e4fx", lessons.Pending); l.Content != "Prefer table tests" {
		t.Errorf("content %q", l.Content)
	}
	p.quit()
}

// x rejects at once for the reason on the card; then r asks about the next proposal, and
// r again about the rejected one.
func TestRejectAtOnce(t *testing.T) {
	p := at(t, 120, 30, proposals())
	p.wait("Review 5", "as “one-off task”")
	p.press("x").see("Review 4", "✗ rejected “Prefer table tests”: one-off task")
	if l := p.status("p2r7e4fx", lessons.Rejected); l.Decided.Reason != "one-off (assumed)" {
		t.Errorf("reason %q", l.Decided.Reason)
	}
	p.press("r").see("reject, because", "x gives this, 1×", "r  “Prefer table tests”  rejected a moment ago")
	p.press("r").see("rejected, because", "“Prefer table tests” is rejected", "this one")
	p.press("t").see("✗ rejected “Prefer table tests”: not true", "as “one-off task”", "✗ 1")
	if l := p.status("p2r7e4fx", lessons.Rejected); l.Decided.Reason != "not true" {
		t.Errorf("reason %q", l.Decided.Reason)
	}
	p.press("u").see("✓ undone")
	p.press("u").see("Review 5")
	p.quit()
}
