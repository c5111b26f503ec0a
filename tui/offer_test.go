package tui

import (
	"strings"
	"testing"

	"learnings/lessons"
)

// worded returns the proposals, two of them with offers of a better wording.
func worded() []lessons.Lesson {
	ls := proposals()
	ls[0].Offer = lessons.Offer{Wording: lessons.Wording{Content: "Prefer table tests over one test per case", Insight: "They are how the rest of the repository does it."}, Category: "workflow", Extractor: "model:haiku"}
	ls[2].Offer = lessons.Offer{Wording: lessons.Wording{Content: "The checked-in client must be current"}, Extractor: "model:haiku"}
	return ls
}

func TestOfferLooks(t *testing.T) {
	afterKeys(t, over(t, worded), 120, 24, map[string][]string{"offered": nil, "other words": {"j", "j"}, "taken": {"b"}})
}

// An offer is taken only for the lesson under the cursor, and can be undone.
func TestOfferIsTakenOneAtATime(t *testing.T) {
	c := newCorpus(t, worded()...)
	p := playing(t, fxOn(c), 120, 24)
	p.press("*", "b")
	if a, b := c.get("p2r7e4fx"), c.get("k7m2p9qx"); a.Content != "Prefer table tests over one test per case" || a.Category != "workflow" || a.Status != lessons.Pending || b.Offer.Content == "" {
		t.Errorf("taken: %q, %s, %s; the other is offered %q\n%s", a.Content, a.Category, a.Status, b.Offer.Content, p.text())
	}
	p.press("u")
	if l := c.get("p2r7e4fx"); l.Content != "Prefer table tests" || l.Offer.Content == "" || !strings.Contains(p.text(), "b takes it") {
		t.Errorf("undone: %q, offered %q\n%s", l.Content, l.Offer.Content, p.text())
	}
	p.press("j", "b")
	if !strings.Contains(p.text(), "no other wording is offered") {
		t.Errorf("nothing is said:\n%s", p.text())
	}
}
