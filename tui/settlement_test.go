package tui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"learnings/lessons"
)

func contradicted(t *testing.T, w, h int) (*corpus, *play) {
	t.Helper()
	c := newCorpus(t, append(proposals(), npm())...)
	return c, playing(t, fxOn(c), w, h).press("j", "j", "j")
}

func TestSettlementLooks(t *testing.T) {
	_, p := contradicted(t, 100, 30)
	golden.RequireEqual(t, p.press("c").text())
}

// A lesson that contradicts an active one is not approved before the person sees both.
func TestApprovingShowsWhatItContradicts(t *testing.T) {
	c, p := contradicted(t, 100, 30)
	p.wants(t, "the card does not name what it contradicts", " against  Use npm", "Use npm instead of pnpm")
	p.press("a").wants(t, "a does not show both", "they contradict each other", "y  keep 1, the new one")
	p.press("enter", "space", "a", "esc") // a again: pressed twice by accident
	if l := c.get("d9u4p2nm"); l.Status != lessons.Pending {
		t.Errorf("keys that one presses by the way made it %s", l.Status)
	}
	p.press("a", "1")
	mine := c.get("d9u4p2nm")
	other := c.get("n1p2m3xx")
	if mine.Status != lessons.Approved || other.Status != lessons.Archived || other.Decided.SupersededBy != mine.ID {
		t.Errorf("1 left them %s and %s, superseded by %q", mine.Status, other.Status, other.Decided.SupersededBy)
	}
	p.wants(t, "afterwards", "Review 4", "✓ settled")
	p.press("u")
	if l := c.get("n1p2m3xx"); l.Status != lessons.Approved {
		t.Errorf("undo left the other %s", l.Status)
	}
}

// A proposal that changes an approved lesson comes first, says so, and one key puts it in
// that lesson's place. It is not offered for merging.
func TestChangeTakesThePlaceOfTheOld(t *testing.T) {
	older, newer := npm(), proposals()[3]
	older.Content = "End the names of attributes with '_i'"
	newer.ID, newer.Content, newer.Confidence = "c4h5n6gd", "From now on end the names of attributes with '_r'", 0.5
	c := newCorpus(t, append(proposals(), older, newer)...)
	p := playing(t, fxOn(c), 140, 30)
	if l, ok := p.a.review.Current(); !ok || l.ID != newer.ID {
		t.Fatalf("%s is first, not the change:\n%s", l.ID, p.text())
	}
	p.wants(t, "the card", " changes  End From now on end the names of attributes with '_i _r' (approved)", "'_i' before, '_r' now", "c puts this in")
	if text := p.text(); strings.Contains(text, "m merge") || strings.Contains(text, "against") {
		t.Errorf("it is offered for merging, or is against something:\n%s", text)
	}
	p.press("c").wants(t, "c", "✓ settled")
	if was, is := c.get(older.ID), c.get(newer.ID); is.Status != lessons.Approved || was.Status != lessons.Archived || was.Decided.SupersededBy != is.ID {
		t.Errorf("c left them %s and %s, superseded by %q", is.Status, was.Status, was.Decided.SupersededBy)
	}
	p.press("u")
	if was, is := c.get(older.ID), c.get(newer.ID); is.Status != lessons.Pending || was.Status != lessons.Approved {
		t.Errorf("undo left them %s and %s", is.Status, was.Status)
	}
}

// Approving before the card has loaded is stopped too.
func TestApprovingBeforeTheCardIsThere(t *testing.T) {
	c, p := contradicted(t, 100, 30)
	p.a.review.Card.Whole = false
	p.press("a").wants(t, "a", "not approved: it contradicts “Use npm instead of pnpm", "Review 5", "▌  pref", "against  Use npm instead of pnpm")
	if l := c.get("d9u4p2nm"); l.Status != lessons.Pending {
		t.Errorf("it is %s", l.Status)
	}
	p.press("a").wants(t, "a again", "they contradict each other").press("esc", "k")
	p.a.review.Card.Whole = false
	p.press("a").wants(t, "a on another", "Review 4", "✓ approved “Run `make generate`")
}

func TestTheOtherIsKept(t *testing.T) {
	c, p := contradicted(t, 100, 30)
	p.press("c", "2")
	if l := c.get("d9u4p2nm"); l.Status != lessons.Rejected || l.Decided.SupersededBy != "n1p2m3xx" {
		t.Errorf("the proposal is %s, superseded by %q", l.Status, l.Decided.SupersededBy)
	}
	p.wants(t, "it is still in the queue", "Review 4")
}

func TestBothHold(t *testing.T) {
	c, p := contradicted(t, 100, 30)
	p.press("c", "b", "enter").wants(t, "without a reason", "say when each of them holds")
	p.typed("npm").press("space").typed("in").press("space").typed("docs").press("enter")
	mine := c.get("d9u4p2nm")
	other := c.get("n1p2m3xx")
	if !lessons.BothHold(mine, other) || mine.Status != lessons.Pending || other.Status != lessons.Approved || mine.HoldsWith[0].Reason != "npm in docs" {
		t.Errorf("both: %s %s, %v", mine.Status, other.Status, mine.HoldsWith)
	}
	if got := p.text(); strings.Contains(got, " against  Use npm") {
		t.Errorf("it is still shown as a contradiction:\n%s", got)
	}
}

// The person can go through all contradictions, and approving many says how many
// contradict active lessons.
func TestContradictions(t *testing.T) {
	_, p := contradicted(t, 100, 30)
	p.press("*", "a").wants(t, "approving all", "an active lesson contradicts it")
	p.press("n", "esc", "tab", "C").wants(t, "C does not list them", "contradictions", "1/1")
	p.press("enter").wants(t, "enter does not open it", "they contradict each other")
}

// A contradiction settled elsewhere no longer prevents approval.
func TestApprovingAfterItWasSettledElsewhere(t *testing.T) {
	c, p := contradicted(t, 100, 30)
	other := c.get("n1p2m3xx")
	other.Status = lessons.Archived
	c.put(lessons.OpArchive, other)
	p.press("a")
	if l := c.get("d9u4p2nm"); l.Status != lessons.Approved {
		t.Errorf("it is %s:\n%s", l.Status, p.text())
	}
}
