package page

import (
	"strings"
	"testing"

	"learnings/extractor/past"
	"learnings/index/insights"
	"learnings/lessons"
)

// TestFigures draws the figures and mistakes of a corpus, and a page without any.
func TestFigures(t *testing.T) {
	c := insights.New(noon)
	for i, l := range []lessons.Lesson{
		{ID: "one", Status: lessons.Approved, Confidence: 0.9, Lane: lessons.Likely, Origin: lessons.Origin{Score: 0.8, Extractor: "rules", Rule: "forbids something"}},
		{ID: "two", Status: lessons.Rejected, Confidence: 0.5, Lane: lessons.Maybe, Origin: lessons.Origin{Score: 0.8, Extractor: "rules", Rule: "forbids something"}},
		{ID: "six", Status: lessons.Pending, Confidence: 0.7, Lane: lessons.Likely, Origin: lessons.Origin{Extractor: "rules"}},
	} {
		l.Created, l.Decided.At = noon.AddDate(0, 0, -9), noon.AddDate(0, 0, -i)
		c.Lesson(l)
	}
	for i, id := range []string{"s1", "s2"} {
		r := past.Row{Project: "shop"}
		r.Session.ID, r.Session.Start, r.Path, r.Human = id, noon.AddDate(0, 0, -3*i), id, 5
		r.Errors = []past.Error{{ID: "err1", Doing: "make <test>", Says: "no rule in /home/sam/shop", Count: 2, First: r.Session.Start, Last: r.Session.Start}}
		c.Session(r)
	}
	got := text(t, &Page{Title: "x", Made: noon, Pending: true, Figures: c.Figures()})
	for _, want := range []string{"make &lt;test&gt;: no rule in ~/shop", "no lesson yet", "lessons approved", "wait to be judged"} {
		if !strings.Contains(got, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	got = text(t, &Page{Title: "x", Made: noon, Figures: insights.New(noon).Figures()})
	for _, want := range []string{"none is known", "No lesson is approved yet"} {
		if !strings.Contains(got, want) {
			t.Errorf("the empty page lacks %q", want)
		}
	}
}
