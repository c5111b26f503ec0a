package store_test

import (
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"time"

	"learnings/lessons"
	"learnings/lessons/store"
)

// A lesson is proposed, approved, and the approval undone. A write that was made
// from an old state of the lesson is refused.
func Example() {
	dir, err := os.MkdirTemp("", "corpus")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	s, err := store.Open(filepath.Join(dir, "lessons"), store.Options{State: filepath.Join(dir, "state")})
	if err != nil {
		log.Fatal(err)
	}

	proposed, err := s.Put(store.Write{Op: lessons.OpPropose, By: "rules"}, lessons.Lesson{
		ID: "k7m2p9qx", Status: lessons.Pending, Wording: lessons.Wording{Content: "Use tabs"}, Confidence: 0.8,
	})
	if err != nil {
		log.Fatal(err)
	}
	approved, err := proposed[0].Approve(lessons.Decision{By: "ann", At: time.Now()})
	if err != nil {
		log.Fatal(err)
	}
	decide := store.Write{Op: lessons.OpApprove, By: "ann", Undoable: true}
	if _, err = s.Put(decide, approved); err != nil {
		log.Fatal(err)
	}
	_, err = s.Put(decide, approved) // still with the revision of the proposal
	fmt.Println("again:", errors.Is(err, lessons.ErrConflict))

	undone, err := s.Undo(1, "ann")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("undone:", undone[0].Before.Status, "to", undone[0].After.Status)
	history, err := s.History("k7m2p9qx")
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range history {
		fmt.Println(c.Op, "by", c.By)
	}
	// Output:
	// again: true
	// undone: approved to pending
	// propose by rules
	// approve by ann
	// undo by ann
}
