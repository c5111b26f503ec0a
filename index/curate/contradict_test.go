package curate

import (
	"fmt"
	"reflect"
	"testing"

	"learnings/index"
	"learnings/lessons"
	"learnings/lessons/stance"
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
		l.Created = c.Now()
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
	var want []stance.Pair
	for _, o := range stance.Oppositions(t.Context(), outlines) {
		want = append(want, o.Pair(hits[o.First].Lesson, hits[o.Second].Lesson))
	}
	if len(want) < 2 || !reflect.DeepEqual(got, want) {
		t.Errorf("found\n%+v\nwant\n%+v", got, want)
	}
}

// TestContradictionsByParts compares lessons project by project, and finds what comparing
// all of them at once finds.
func TestContradictionsByParts(t *testing.T) {
	c := corpus(t)
	scopes := []lessons.Scope{{Global: true}, {Project: "shop"}, {Project: "Shop"}, {Project: "mail"}, {}, {Project: "shop", Global: true}}
	var ls []lessons.Lesson
	for i := range 4 * len(scopes) {
		text := fmt.Sprintf("Use tool%d to install packages", i/2%3)
		if i%2 == 1 {
			text = "Never u" + text[1:]
		}
		l := said(fmt.Sprintf("l%02d", i), text)
		l.Created, l.Scope = c.Now(), scopes[(i+i/len(scopes))%len(scopes)]
		ls = append(ls, l)
	}
	propose(t, c, ls...)
	if _, err := c.Sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	of := func(most, atOnce int) []opposed {
		t.Helper()
		found, err := opposedOf(t.Context(), c.Index, WhatCounts(index.Query{Now: c.Now()}), most, atOnce)
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	want := of(0, len(ls))
	if len(want) < 20 {
		t.Fatalf("only %d contradictions: the test says little", len(want))
	}
	for atOnce := range 8 {
		if got := of(0, atOnce); !reflect.DeepEqual(got, want) {
			t.Errorf("at most %d at once: found\n%+v\nwant\n%+v", atOnce, got, want)
		}
	}
	if got := of(5, 1); !reflect.DeepEqual(got, want[:5]) {
		t.Errorf("the first five are\n%+v\nwant\n%+v", got, want[:5])
	}
}
