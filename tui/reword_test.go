package tui

import (
	"context"
	"errors"
	"testing"

	"learnings/extractor/intake"
	"learnings/lessons"
	"learnings/tui/desk"
)

// withWords gives a desk a model that words proposals.
func withWords(t *testing.T, free bool, fail error) (desk.Desk, *int) {
	t.Helper()
	c := newCorpus(t, proposals()...)
	fx := fxOn(c)
	asked := new(int)
	fx.AtHand = func(context.Context) desk.AtHand { return desk.AtHand{Model: "claude:haiku"} }
	fx.Reword = func(_ context.Context, l lessons.Lesson) (desk.RewordRun, error) {
		r := desk.RewordRun{Name: "claude:haiku", Cost: "at most $0.004", Free: free, Tokens: 912, Text: "You write the wording.\nL1 SAID: " + l.Evidence[0].Quote}
		r.Run = func(context.Context) (lessons.Lesson, error) {
			*asked++
			if fail != nil {
				return l, fail
			}
			return intake.Offer(c.Store, l, lessons.Wording{Content: "Prefer table tests over one test per case"}, "model:claude:haiku")
		}
		return r, nil
	}
	return fx, asked
}

func TestRewordLooks(t *testing.T) {
	afterKeys(t, func() desk.Desk { fx, _ := withWords(t, false, nil); return fx }, 100, 24, map[string][]string{"price": {"B"}, "offered": {"B", "enter"}, "left": {"B", "enter", "esc"}, "taken": {"B", "enter", "enter"}})
}

func TestReword(t *testing.T) {
	fx, asked := withWords(t, false, nil)
	p := playing(t, fx, 100, 24).press("B", "v", "esc", "esc")
	if *asked != 0 {
		t.Errorf("asked %d times unasked:\n%s", *asked, p.text())
	}
	p.press("B", "enter", "enter")
	if l, err := fx.Corpus.Store.Get("p2r7e4fx"); err != nil || l.Content != "Prefer table tests over one test per case" || l.Status != lessons.Pending {
		t.Errorf("taken: %q, %s, %v\n%s", l.Content, l.Status, err, p.text())
	}
	p.press("u")
	if l, _ := fx.Corpus.Store.Get("p2r7e4fx"); l.Content != "Prefer table tests" || l.Offer.Content == "" {
		t.Errorf("undone: %q, offered %q", l.Content, l.Offer.Content)
	}

	fx, asked = withWords(t, true, nil)
	playing(t, fx, 100, 24).press("B").wants(t, "w, free", "enter takes it")
	if *asked != 1 {
		t.Errorf("what is free was asked %d times", *asked)
	}
	fx, _ = withWords(t, true, errors.New("it says what nobody said: evil-pkg"))
	p = playing(t, fx, 100, 24).press("B")
	p.wants(t, "an error", "evil-pkg")
	p.press("enter", "b", "esc")
	if l, _ := fx.Corpus.Store.Get("p2r7e4fx"); l.Content != "Prefer table tests" || l.Offer.Content != "" {
		t.Errorf("after an error: %q, %q", l.Content, l.Offer.Content)
	}
}
