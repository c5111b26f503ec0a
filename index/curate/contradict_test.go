package curate

import (
	"reflect"
	"testing"

	"learnings/index"
	"learnings/lessons"
	"learnings/lessons/pairs"
)

// TestContradictions compares what is found by outlines with what whole lessons give:
// the same pairs in the same order, with the same one to keep.
func TestContradictions(t *testing.T) {
	c := corpus(t)
	texts := []string{
		"Use npm to install packages", "Never use npm to install packages", "Always squash commits before a merge",
		"Never squash commits before a merge", "Set the timeout of requests to 30 seconds", "Set the timeout of requests to 60 seconds",
	}
	var ls []lessons.Lesson
	for i, text := range texts {
		l := said(string(rune('a'+i))+"lesson", text)
		l.Created, l.Evidence[0].Session = c.Now(), text // two values from one session are no change
		if l.Pinned = i%3 == 0; i%2 == 0 {
			l.Evidence[0].By = lessons.ByTool
		}
		ls = append(ls, l)
	}
	propose(t, c, ls...)
	got, err := c.Contradictions(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	hits, err := c.Index.All(t.Context(), index.Query{Sort: index.Created})
	if err != nil {
		t.Fatal(err)
	}
	var outlines []lessons.Outline
	for _, h := range hits {
		outlines = append(outlines, h.Lesson.Outline())
	}
	var want []pairs.Pair
	for _, o := range pairs.Oppositions(t.Context(), outlines) {
		want = append(want, o.Pair(hits[o.First].Lesson, hits[o.Second].Lesson))
	}
	if len(want) < 2 || !reflect.DeepEqual(got, want) {
		t.Errorf("found\n%+v\nwant\n%+v", got, want)
	}
}
