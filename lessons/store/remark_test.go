package store_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"learnings/lessons"
	"learnings/lessons/store"
)

// TestRemark checks that a remark is in the history of a lesson, that its file keeps
// every byte, also one that a hand has written, and that undo has nothing of it.
func TestRemark(t *testing.T) {
	dir := t.TempDir()
	s, err := store.Open(filepath.Join(dir, "lessons"), store.Options{State: filepath.Join(dir, "state")})
	if err != nil {
		t.Fatal(err)
	}
	stored, err := s.Put(store.Write{Op: lessons.OpAdd, By: "ann", Undoable: true}, lessons.Lesson{
		ID: "k7m2p9qx", Status: lessons.Approved, Category: "workflow", Wording: lessons.Wording{Content: "Use tabs"}, Confidence: 0.8, Scope: lessons.Scope{Project: "x", Role: "developer"},
	})
	if err != nil {
		t.Fatal(err)
	}
	path, err := s.Path("k7m2p9qx")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text = append(text, "\n\n\n"...) // as no Put would write it
	if err := os.WriteFile(path, text, 0o640); err != nil {
		t.Fatal(err)
	}
	remark := store.Write{Op: lessons.OpRemark, By: "Codex", Why: "wrong: the target is gone", Session: "s1", Remark: true}
	if _, err := s.Put(remark, stored[0]); !errors.Is(err, lessons.ErrConflict) {
		t.Errorf("of an old state: %v", err)
	}
	l, err := s.Get("k7m2p9qx")
	if err != nil {
		t.Fatal(err)
	}
	l.Content = "Use blanks"
	given, err := s.Put(remark, l)
	if err != nil || len(given) != 1 || given[0].Content != "Use tabs" || given[0].Rev != l.Rev {
		t.Fatalf("%v, %v", given, err)
	}
	if now, err := os.ReadFile(path); err != nil || string(now) != string(text) {
		t.Errorf("the file has changed: %q, %v", now, err)
	}
	past, err := s.History("k7m2p9qx")
	if err != nil || len(past) == 0 {
		t.Fatal(past, err)
	}
	if c := past[len(past)-1]; c.Op != lessons.OpRemark || c.Why != remark.Why || c.Session != "s1" || len(c.Differences()) != 0 {
		t.Errorf("history ends with %+v", c)
	}
	if undone, err := s.Undo(1, "Codex"); err != nil || len(undone) != 0 {
		t.Errorf("undone: %v, %v", undone, err)
	}
	l.ID, l.Rev = "gone", ""
	if _, err := s.Put(remark, l); !errors.Is(err, lessons.ErrConflict) {
		t.Errorf("of no lesson: %v", err)
	}
}
