package store

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"learnings/lessons"
	"learnings/lessons/file"
)

var made = time.Date(2026, 4, 5, 12, 0, 0, 0, time.UTC)

func adoptable(id lessons.ID, content string) lessons.Lesson {
	return lessons.Lesson{ID: id, Status: lessons.Approved, Category: "pattern", Wording: lessons.Wording{Content: content},
		Scope: lessons.Scope{Project: "shop", Role: "developer"}, Confidence: 0.8, Created: made}
}

func textOf(t *testing.T, l lessons.Lesson) []byte {
	t.Helper()
	text, err := file.Encode(l)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestAdopt swaps the names of two lessons, which no order of renames can, moves
// a third to where a fourth was, and takes it all back.
func TestAdopt(t *testing.T) {
	dir := t.TempDir()
	s, err := Open(dir, Options{State: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	var ls []lessons.Lesson
	for _, id := range []lessons.ID{"aaa", "bbb", "ccc", "ddd"} {
		l, err := s.Put(Write{Op: "add"}, adoptable(id, "The same words"))
		if err != nil {
			t.Fatal(err)
		}
		ls = append(ls, l[0])
	}
	paths := map[lessons.ID]string{}
	texts := map[lessons.ID][]byte{}
	for f, err := range s.Files() {
		if err != nil {
			t.Fatal(err)
		}
		l, err := file.DecodeAt(f.Path, f.Text, "")
		if err != nil || !file.Is(f.Path) || !file.Named(l, f.Path) {
			t.Fatalf("%s: %v, holds %v, named %v", f.Path, err, file.Is(f.Path), file.Named(l, f.Path))
		}
		paths[l.ID], texts[l.ID] = f.Path, f.Text
	}
	rejected := ls[3]
	rejected.Status = lessons.Rejected
	step := func(id lessons.ID, path string, text []byte) Step {
		return Step{ID: id, Was: texts[id], File: File{Path: path, Text: text}}
	}
	steps := []Step{
		step("aaa", paths["bbb"], texts["aaa"]), step("bbb", paths["aaa"], texts["bbb"]),
		step("ccc", paths["ddd"], texts["ccc"]), step("ddd", file.Name(rejected, 1), textOf(t, rejected)),
	}
	if err := s.Adopt(Write{Op: "sync", By: "git", Undoable: true}, steps...); err != nil {
		t.Fatal(err)
	}
	for i, l := range ls {
		got, err := s.Get(l.ID)
		if err != nil || got.Content != l.Content || (got.Status == lessons.Rejected) != (i == 3) {
			t.Errorf("%s is %v, %v", l.ID, got, err)
		}
	}
	if p, _ := s.Path("ccc"); p != filepath.Join(dir, paths["ddd"]) {
		t.Errorf("ccc lies at %s", p)
	}
	if err := s.Adopt(Write{}, steps[3]); err != nil {
		t.Errorf("adopting again what is there: %v", err)
	}
	changes, err := s.Undo(1, "git")
	if err != nil || len(changes) != 4 {
		t.Fatalf("undo: %d changes, %v", len(changes), err)
	}
	for _, l := range ls {
		if got, err := s.Get(l.ID); err != nil || got.Rev != l.Rev {
			t.Errorf("after undo %s is %v, %v", l.ID, got, err)
		}
	}
}

func TestAdoptRefuses(t *testing.T) {
	dir := t.TempDir()
	s, err := Open(dir, Options{State: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	l, err := s.Put(Write{}, adoptable("aaa", "Words"))
	if err != nil {
		t.Fatal(err)
	}
	was := textOf(t, l[0])
	if _, err := s.Put(Write{}, func() lessons.Lesson { c := l[0]; c.Content = "Other words"; return c }()); err != nil {
		t.Fatal(err)
	}
	theirs := textOf(t, adoptable("aaa", "Their words"))
	for _, st := range []Step{
		{ID: "aaa", Was: was, File: File{Path: "shop/developer/a.md", Text: theirs}},
		{ID: "aaa", File: File{Path: "shop/developer/a.md", Text: theirs}},
		{ID: "aaa", Was: was},
		{ID: "bbb", Was: was, File: File{Path: "shop/developer/b.md", Text: theirs}},
		{ID: "bbb", File: File{Path: file.Name(adoptable("", "Other words"), 1), Text: theirs}},
	} {
		if err := s.Adopt(Write{}, st); !errors.Is(err, lessons.ErrConflict) {
			t.Errorf("%s at %q: %v", st.ID, st.Path, err)
		}
	}
	for _, p := range []string{"../a.md", "a.md", ".git/x/a.md", "shop/developer/.a.md", "shop/developer/a.txt", "shop//a.md", "/shop/developer/a.md"} {
		if err := s.Adopt(Write{}, Step{ID: "bbb", File: File{Path: p, Text: theirs}}); !errors.Is(err, lessons.ErrInvalid) {
			t.Errorf("%q: %v", p, err)
		}
	}
	// A broken file stays, and its lesson goes beside it.
	path, err := s.Path("aaa")
	if err != nil {
		t.Fatal(err)
	}
	broken := []byte("---\n<<<<<<< HEAD\n")
	if err := os.WriteFile(path, broken, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.Adopt(Write{}, Step{ID: "aaa", File: File{Path: "shop/developer/a.md", Text: theirs}}); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(path); err != nil || !slices.Equal(got, broken) {
		t.Errorf("the broken file is %q, %v", got, err)
	}
	if got, err := s.Get("aaa"); err != nil || got.Content != "Their words" {
		t.Errorf("aaa is %v, %v", got, err)
	}
}

func TestForgetToo(t *testing.T) {
	s, err := Open(t.TempDir(), Options{State: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	ls, err := s.Put(Write{}, adoptable("aaa", "Words"), adoptable("bbb", "Other words"))
	if err != nil {
		t.Fatal(err)
	}
	merged, err := lessons.Merge(lessons.Decision{By: "me", At: made}, ls[0], ls[1])
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Put(Write{}, merged...); err != nil {
		t.Fatal(err)
	}
	if err := s.ForgetToo("bbb", "zzz"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Get("bbb"); !errors.Is(err, lessons.ErrNotFound) {
		t.Errorf("bbb: %v", err)
	}
	if _, err := s.Get("aaa"); err != nil {
		t.Errorf("aaa: %v", err)
	}
	if got, err := s.Forgotten(); err != nil || !slices.Equal(got, []lessons.ID{"bbb"}) {
		t.Errorf("forgotten: %v, %v", got, err)
	}
	if err := s.ForgetToo("zzz"); err != nil {
		t.Error(err)
	}
}
