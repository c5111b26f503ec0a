package merge3_test

import (
	"fmt"
	"time"

	"learnings/lessons"
	"learnings/lessons/file"
	"learnings/lessons/gitsync/merge3"
)

// Two copies agreed on a proposal. One has approved it since, the other has
// reworded it: what was approved holds, and the other text is a proposal.
func ExampleMerge_Run() {
	day := time.Date(2026, 4, 5, 12, 0, 0, 0, time.UTC)
	l := lessons.Lesson{ID: "k7m2p9qx", Status: lessons.Pending, Wording: lessons.Wording{Content: "Use tabs"}, Created: day}
	approved, _ := l.Approve(lessons.Decision{By: "ann", At: day.Add(time.Hour)})
	reworded := l
	reworded.Content = "Use tabs, not spaces"

	var blobs merge3.Blobs
	state := func(l lessons.Lesson) *merge3.State {
		text, err := file.Encode(l)
		if err != nil {
			panic(err)
		}
		return blobs.State(merge3.Tree{file.Name(l, 1): merge3.Plain(blobs.Add(text))})
	}
	base := state(l)
	r, err := merge3.Merge{Base: base, Ours: state(approved), Theirs: state(reworded), Related: true, Blobs: &blobs}.Run()
	if err != nil {
		panic(err)
	}
	got := r.State.Docs["k7m2p9qx"]
	fmt.Println(got.Path)
	fmt.Println(got.Lesson.Status, got.Lesson.Content)
	fmt.Println(merge3.Changes(base, r.State))
	// Output:
	// %/%/20260405120000-use-tabs.md
	// approved Use tabs
	// 1 approved, 1 proposed
}
