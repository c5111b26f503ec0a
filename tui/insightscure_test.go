package tui

import (
	"context"
	"strings"
	"testing"

	"learnings/index/insights"
	"learnings/lessons"
)

// Enter on a mistake without a lesson proposes one; on one that has a lesson it opens that.
func TestInsightsProposeFromAMistake(t *testing.T) {
	c := newCorpus(t, proposals()...)
	fx := fxOn(c)
	about := lessons.ID("")
	fx.Figures = func(context.Context, string, bool) (*Figures, error) {
		return &Figures{Now: noon, Mistakes: []insights.Mistake{
			{ID: "m1", Doing: "make", Says: "protoc: not found", Count: 9, Sessions: 3, Weeks: make([]int, 12), Lesson: about, Status: lessons.Pending},
			{ID: "m2", Doing: "npm ci", Says: "EACCES", Count: 4, Sessions: 2, Weeks: make([]int, 12)},
		}}, nil
	}
	var asked []lessons.ID
	fx.Cure = func(_ context.Context, id lessons.ID) (lessons.Lesson, bool, error) {
		asked = append(asked, id)
		l := proposals()[0]
		if id == "m2" {
			return proposals()[2], true, nil
		}
		l.ID, l.Content = "m1x2x3x4", "Install protoc before make"
		l, err := c.Propose(l)
		about = l.ID
		return l, false, err
	}
	p := playing(t, fx, 120, 40).press("alt+4", "n", "n", "j")
	p.press("enter").wants(t, "proposed", "✓ proposed “Install protoc before make” · it waits in Review")
	p.press("r", "enter").wants(t, "opened", "/ id:m1x2x3x4   1 lesson", "Install protoc before make")
	if strings.Join([]string{string(asked[0])}, "") != "m1" || len(asked) != 1 {
		t.Errorf("asked for %v", asked)
	}
	p.press("alt+4", "j", "enter").wants(t, "known already", "Run `make generate`")
	if p.press("alt+1"); !strings.Contains(p.text(), "Review 6") {
		t.Errorf("it does not wait:\n%s", p.text())
	}
}
