package tui

import (
	"slices"
	"strings"
	"testing"

	"learnings/lessons"
)

// These journeys are about the position in the queue, which the next key acts on.

// A search moves to its best hit, all of its words must match, and clearing it leaves the
// cursor there.
func TestSearchGoesToTheBestHit(t *testing.T) {
	p := at(t, 120, 30, proposals())
	p.wait("Review 5", "sort value")
	p.press("j", "j").see("3/4")
	p.press("/")
	p.write("repository pnpm").see("1/1", "sort relevance", "Use pnpm instead of npm")
	p.press("enter", "a").see("✓ approved “Use pnpm", "Review 4")
	p.status("d9u4p2nm", lessons.Approved)
	p.status("k7m2p9qx", lessons.Pending)
	p.press("u").see("Review 5", "1/1")
	p.press("esc").see("4/4", "sort value")
	p.press("/")
	p.write("tests postgres") // each word has a lesson, no lesson has both
	p.wait("No proposal matches")
	p.press("enter", "*", "a").see("approve: no proposal matches the filter", "Review 5")
	p.quit()
}

// The first of several hits is the one with most of the typed words, regardless of the
// cursor.
func TestBestHitComesFirst(t *testing.T) {
	ls := proposals()
	ls[0].Content = "Generate the table of contents by hand before a release of the protocol handbook"
	p := playing(t, fxOn(newCorpus(t, ls...)), 120, 30).press("G", "/").typed("generate proto")
	if l, _ := p.a.review.Current(); l.ID != "k7m2p9qx" {
		t.Errorf("the cursor is on %s:\n%s", l.ID, p.text())
	}
	if got := p.press("enter").text(); !strings.Contains(got, "1/2") {
		t.Errorf("not two hits:\n%s", got)
	}
}

// A key that decides does nothing while the rows are those of another filter.
func TestNothingIsDecidedWhileFiltering(t *testing.T) {
	c := newCorpus(t, proposals()...)
	p := playing(t, fxOn(c), 100, 30).press("/").a.review
	p, asked, _ := p.Press(keyOf("p"))
	p, _, _ = p.Press(keyOf("enter"))
	if _, o, _ := p.Press(keyOf("a")); len(o.Writes) > 0 || !strings.Contains(o.Note.Text, "still filtering") {
		t.Errorf("%d writes, %q", len(o.Writes), o.Note.Text)
	}
	p, _ = p.Update(asked.Jobs[0](t.Context()))
	if _, o, _ := p.Press(keyOf("a")); len(o.Writes) != 1 {
		t.Errorf("with the answer there, approving says %q", o.Note.Text)
	}
}

// Undo restores lessons to their place, whatever their number and the cursor.
func TestUndoBringsBackInPlace(t *testing.T) {
	p := playing(t, fxOn(newCorpus(t, proposals()...)), 120, 30)
	order := func() (ids []lessons.ID) {
		for _, l := range p.a.review.Rows {
			ids = append(ids, l.ID)
		}
		return ids
	}
	was := order()
	p.press("j", "space", "space", "space", "a", "y")
	if got := order(); len(got) != 1 {
		t.Fatalf("left are %v", got)
	}
	p.press("G", "u")
	if got := order(); !slices.Equal(got, was) {
		t.Errorf("came back as %v, were %v", got, was)
	}
	if l, _ := p.a.review.Current(); l.ID != was[1] {
		t.Errorf("the cursor is on %s, not on the first that came back", l.ID)
	}
	p.press("g", "x", "G", "u")
	if got := order(); !slices.Equal(got, was) {
		t.Errorf("came back as %v, were %v", got, was)
	}
}
