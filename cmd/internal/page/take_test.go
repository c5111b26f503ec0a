package page

import (
	"strings"
	"testing"

	"learnings/extractor/telemetry"
	"learnings/index/insights"
	"learnings/lessons"
)

// TestFigures draws what a corpus does: its growth, decisions, lanes and mistakes, and
// what is known of none of them.
func TestFigures(t *testing.T) {
	c := insights.New(noon, "")
	for i, l := range []lessons.Lesson{
		{ID: "one", Status: lessons.Approved, Confidence: 0.9, Lane: lessons.Likely, Origin: lessons.Origin{Score: 0.8, Extractor: "rules", Rule: "forbids something"}},
		{ID: "two", Status: lessons.Rejected, Confidence: 0.5, Lane: lessons.Maybe, Origin: lessons.Origin{Score: 0.8, Extractor: "rules", Rule: "forbids something"}},
		{ID: "six", Status: lessons.Pending, Confidence: 0.7, Lane: lessons.Likely, Origin: lessons.Origin{Extractor: "rules"}},
	} {
		l.Created = noon.AddDate(0, 0, -9)
		before := l
		before.Status = lessons.Pending
		if l.Status != lessons.Pending {
			l.Decided = lessons.Decision{By: "sam", At: noon.AddDate(0, 0, -i)}
			op := lessons.OpApprove
			if l.Status == lessons.Rejected {
				op = lessons.OpReject
			}
			c.Change(lessons.Change{ID: l.ID, Before: &before, After: &l, Op: op, By: "sam", At: l.Decided.At})
		}
		c.Change(lessons.Change{ID: l.ID, After: &before, Op: lessons.OpPropose, By: "rules", At: l.Created})
		c.Lesson(l)
	}
	for i, id := range []string{"s1", "s2"} {
		r := telemetry.Row{Project: "shop"}
		r.Session.ID, r.Session.Start, r.Path, r.Human = id, noon.AddDate(0, 0, -3*i), id, 5
		r.Errors = []telemetry.Error{{ID: "err1", Doing: "make <test>", Says: "no rule in /home/sam/shop", Count: 2, First: r.Session.Start, Last: r.Session.Start}}
		c.Session(r)
	}
	got := text(t, &Page{Title: "x", Made: noon, Figures: figuresOf(c.Figures())})
	for _, want := range []string{"1 of 1", "0 of 1", "make &lt;test&gt;: no rule in ~/shop", "no lesson yet", "best streak 2 days", "Active lessons, 0 to 1; 1 wait", "wait to be judged"} {
		if !strings.Contains(got, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	got = text(t, &Page{Title: "x", Made: noon, Figures: figuresOf(insights.New(noon, "").Figures())})
	for _, want := range []string{"A line from", "A square a day", "none is known", "A bar a lane", "There is no lesson yet"} {
		if !strings.Contains(got, want) {
			t.Errorf("the empty page lacks %q", want)
		}
	}
}
