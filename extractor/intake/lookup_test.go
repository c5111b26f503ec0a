package intake

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"learnings/lessons"
	"learnings/lessons/store"
)

// A few proposals are looked up in the index, and more are compared with the whole
// corpus: both find the same.
func TestAFewAndMany(t *testing.T) {
	b := newBench(t)
	tools, things := strings.Fields("make just task npm cargo gradle bazel ninja"), strings.Fields("parser index server client cache queue ledger schema router worker")
	var ls []lessons.Lesson
	for i, tool := range tools {
		for j, thing := range things {
			ls = append(ls, lessons.Lesson{
				ID: lessons.IDFrom("x", tool, thing), Status: lessons.Pending, Category: "workflow", Confidence: 0.7,
				Wording:  lessons.Wording{Content: fmt.Sprintf("Run %s before you push a change of the %s to the branch of release %d", tool, thing, i+j)},
				Scope:    lessons.Scope{Project: "octofs"},
				Evidence: []lessons.Evidence{{UUID: fmt.Sprintf("%s-%s", tool, thing), Line: 1, By: lessons.ByPerson, Quote: "run " + tool + " for the " + thing}},
			})
		}
	}
	for i := range ls {
		if i%3 == 0 {
			ls[i].Status, ls[i].Decided = lessons.Rejected, lessons.Decision{At: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC), By: "anna"}
		}
	}
	if _, err := b.store.Put(store.Write{Op: lessons.OpPropose, By: "test"}, ls...); err != nil {
		t.Fatal(err)
	}
	if _, err := b.index.Sync(t.Context(), b.store); err != nil {
		t.Fatal(err)
	}
	few, many := New(b.store, b.index), New(b.store, b.index)
	many.asked = aFew
	known := map[string]int{}
	for i, l := range ls {
		ways := map[string]lessons.Lesson{"in nearly the same words": l, "of the same moment": l, "another": l, "in other words": l, "in another category": l}
		again := ways["in nearly the same words"]
		again.Content, again.Evidence = strings.Replace(again.Content, "you push", "you  Push,", 1), nil
		ways["in nearly the same words"] = again
		again = ways["of the same moment"]
		again.Content = "Before a push " + strings.Fields(l.Content)[1] + " has to have been run"
		ways["of the same moment"] = again
		again = ways["another"]
		again.Content, again.Evidence = "Never edit a generated file by hand", nil
		ways["another"] = again
		again = ways["in other words"]
		again.Evidence = nil
		again.Content = fmt.Sprintf("Before the %s change gets pushed to the release branch %s, always run %s", strings.Fields(l.Content)[9], strings.Fields(l.Content)[15], strings.Fields(l.Content)[1])
		ways["in other words"] = again
		again = ways["in another category"]
		again.Category, again.Evidence = "preference", nil
		ways["in another category"] = again
		for way, p := range ways {
			p.ID = lessons.IDFrom("p", way, fmt.Sprint(i))
			few.asked = 0
			x, err1 := few.Known(t.Context(), p)
			y, err2 := many.Known(t.Context(), p)
			if err1 != nil || err2 != nil || x != y {
				t.Errorf("%s: %q is known as %+v by the index and %+v by the corpus, %v, %v", way, p.Content, x, y, err1, err2)
			}
			if x.ID == l.ID {
				known[way]++
			}
		}
	}
	n := len(ls)
	want := map[string]int{"in nearly the same words": n, "of the same moment": n, "in another category": n, "in other words": (n + 2) / 3}
	if !many.whole || few.whole || !maps.Equal(known, want) {
		t.Errorf("known are %v of %d, want %v", known, n, want)
	}
}
