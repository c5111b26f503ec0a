package store

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"learnings/lessons"
)

var noon = time.Date(2026, 4, 5, 12, 0, 0, 0, time.UTC)

// corpus opens a store in fresh folders.
func corpus(t testing.TB) *Store {
	t.Helper()
	dir := t.TempDir()
	return open(t, filepath.Join(dir, "corpus"), filepath.Join(dir, "state"))
}

func open(t testing.TB, dir, state string) *Store {
	t.Helper()
	s, err := Open(dir, Options{State: state, LockWait: 20 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// again opens the same corpus as another process would.
func again(t testing.TB, s *Store) *Store { return open(t, s.tree.dir, s.state) }

func lesson(id, content string) lessons.Lesson {
	return lessons.Lesson{
		ID: lessons.ID(id), Status: lessons.Pending, Category: "workflows", Wording: lessons.Wording{Content: content}, Confidence: 0.8,
		Scope: lessons.Scope{Project: "octofs", Role: "developer:general"}, Created: noon,
	}
}

func put(t testing.TB, s *Store, op lessons.Op, ls ...lessons.Lesson) []lessons.Lesson {
	t.Helper()
	out, err := s.Put(Write{Op: op, By: "Ann", Undoable: true}, ls...)
	if err != nil {
		t.Fatalf("%s: %v", op, err)
	}
	return out
}

func get(t testing.TB, s *Store, id string) lessons.Lesson {
	t.Helper()
	l, err := s.Get(lessons.ID(id))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func approve(t testing.TB, l lessons.Lesson) lessons.Lesson {
	t.Helper()
	l, err := l.Approve(lessons.Decision{By: "Ann", At: noon})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// files lists what lies in the corpus.
func files(t testing.TB, s *Store) string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(s.tree.dir, func(p string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			rel, _ := filepath.Rel(s.tree.dir, p)
			out = append(out, filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return strings.Join(out, "\n")
}

func since(t testing.TB, s *Store, c lessons.Cursor) ([]lessons.Change, lessons.Cursor) {
	t.Helper()
	var out []lessons.Change
	for ch, err := range s.Since(c) {
		if err != nil {
			t.Fatalf("Since(%q): %v", c, err)
		}
		out, c = append(out, ch), ch.Cursor
	}
	return out, c
}

func TestLifeOfALesson(t *testing.T) {
	s := corpus(t)
	if _, err := s.Get("aaaa"); !errors.Is(err, lessons.ErrNotFound) {
		t.Errorf("Get from nothing: %v", err)
	}
	if all, _ := since(t, s, ""); len(all) != 0 {
		t.Errorf("Since of nothing: %v", all)
	}
	if _, err := os.Stat(s.state); err == nil {
		t.Error("reading has made the state folder")
	}
	l := put(t, s, "propose", lesson("aaaa", "Use tabs, not spaces"))[0]
	if got := files(t, s); got != ".pending/octofs/developer/20260405120000-use-tabs-not-spaces.md" {
		t.Errorf("pending: %s", got)
	}
	l = put(t, s, "approve", approve(t, l))[0]
	if got := files(t, s); got != "octofs/developer/20260405120000-use-tabs-not-spaces.md" {
		t.Errorf("approved: %s", got)
	}
	l.Content, l.Scope.Global = "Use spaces", true
	l = put(t, s, "edit", l)[0]
	if got := files(t, s); got != "_/20260405120000-use-spaces.md" {
		t.Errorf("edited and made global: %s", got)
	}
	if got := get(t, again(t, s), "aaaa"); got.Content != "Use spaces" || got.Rev != l.Rev {
		t.Errorf("read back as %+v", got)
	}
	if out := put(t, s, "edit", l); out[0].Rev != l.Rev {
		t.Error("writing the same has made another revision")
	}
	h, err := s.History("aaaa")
	if err != nil || len(h) != 3 || h[0].Op != "propose" || h[0].Before != nil || h[2].Before.Content != "Use tabs, not spaces" {
		t.Errorf("history: %v, %v", h, err)
	}
	var ops []string
	for ch, err := range s.Journal() {
		if err != nil {
			t.Fatal(err)
		}
		if ops = append(ops, string(ch.Op)); len(ops) == 2 {
			break
		}
	}
	if !slices.Equal(ops, []string{"edit", "approve"}) {
		t.Errorf("journal: %v", ops)
	}
}

func TestConflict(t *testing.T) {
	s := corpus(t)
	ls := put(t, s, "propose", lesson("aaaa", "one"), lesson("bbbb", "two"))
	path, err := s.Path("bbbb")
	if err != nil {
		t.Fatal(err)
	}
	text, _ := os.ReadFile(path)
	if err := os.WriteFile(path, append(text, "\nby hand\n"...), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = s.Put(Write{Op: "approve", Undoable: true}, approve(t, ls[0]), approve(t, ls[1]))
	if !errors.Is(err, lessons.ErrConflict) || !strings.Contains(err.Error(), "bbbb") {
		t.Errorf("got %v", err)
	}
	if got := get(t, s, "aaaa"); got.Status != lessons.Pending {
		t.Error("half of the write was done")
	}
	if got := get(t, s, "bbbb"); got.Insight != "by hand" {
		t.Errorf("the edit by hand is lost: %+v", got)
	}
	if _, err := s.Put(Write{Op: "add"}, lesson("aaaa", "another")); !errors.Is(err, lessons.ErrConflict) {
		t.Errorf("a new lesson over an old one: %v", err)
	}
	gone := ls[0]
	gone.ID = "cccc"
	if _, err := s.Put(Write{Op: "edit"}, gone); !errors.Is(err, lessons.ErrConflict) {
		t.Errorf("an edit of what is gone: %v", err)
	}
}

func TestUndoRedo(t *testing.T) {
	s := corpus(t)
	l := put(t, s, "propose", lesson("aaaa", "one"))[0]
	l = put(t, s, "approve", approve(t, l))[0]
	l.Content = "one and a half"
	l = put(t, s, "edit", l)[0]
	l.Use.Used = 7
	if _, err := s.Put(Write{Op: "use"}, l); err != nil {
		t.Fatal(err)
	}
	s = again(t, s)
	done, err := s.Undo(2, "Ann")
	if err != nil || len(done) != 1 {
		t.Fatalf("Undo: %v, %v", done, err)
	}
	got := get(t, s, "aaaa")
	if got.Status != lessons.Pending || got.Content != "one" || got.Use.Used != 7 {
		t.Errorf("after undo: %+v", got)
	}
	if _, err := again(t, s).Redo(1, "Ann"); err != nil {
		t.Fatal(err)
	}
	if got := get(t, s, "aaaa"); got.Status != lessons.Approved || got.Content != "one" || got.Use.Used != 7 {
		t.Errorf("after redo: %+v", got)
	}
	if _, err := s.Redo(5, "Ann"); err != nil {
		t.Fatal(err)
	}
	if got := get(t, s, "aaaa"); got.Content != "one and a half" {
		t.Errorf("after all redo: %+v", got)
	}
	if _, err := s.Undo(10, "Ann"); err != nil {
		t.Fatal(err)
	}
	if got := files(t, s); got != "" {
		t.Errorf("after undo of everything: %s", got)
	}
	if done, err := s.Undo(1, "Ann"); err != nil || len(done) != 0 {
		t.Errorf("undo of nothing: %v, %v", done, err)
	}
}

// What the same person did elsewhere is passed and named, never undone.
func TestTurnIsOfThisStore(t *testing.T) {
	s := corpus(t)
	elsewhere := again(t, s)
	ls := put(t, elsewhere, "propose", lesson("aaaa", "one"), lesson("bbbb", "two"), lesson("cccc", "three"))
	put(t, s, "approve", approve(t, ls[0]))
	put(t, elsewhere, "approve", approve(t, ls[1]))
	put(t, elsewhere, "approve", approve(t, ls[2]))
	for i, want := range []struct{ done, passed string }{{"aaaa", "cccc"}, {"", "cccc"}} {
		done, passed, err := s.Turn(lessons.OpUndo, "Ann")
		if err != nil || len(done) != len(want.done)/4 || len(passed) != 1 || string(passed[0].ID) != want.passed || len(done) == 1 && string(done[0].ID) != want.done {
			t.Errorf("undo %d: %v, %v, %v", i, done, passed, err)
		}
	}
	if a, b, c := get(t, s, "aaaa"), get(t, s, "bbbb"), get(t, s, "cccc"); a.Status != lessons.Pending || b.Status != lessons.Approved || c.Status != lessons.Approved {
		t.Errorf("after undo: %s %s %s", a.Status, b.Status, c.Status)
	}
	if done, _, err := s.Turn(lessons.OpRedo, "Ann"); err != nil || len(done) != 1 || done[0].ID != "aaaa" {
		t.Errorf("redo: %v, %v", done, err)
	}
	if done, passed, err := again(t, s).Turn(lessons.OpUndo, "Ann"); err != nil || len(done) != 0 || len(passed) != 1 {
		t.Errorf("a desk that has decided nothing: %v, %v, %v", done, passed, err)
	}
}

func TestUndoConflict(t *testing.T) {
	s := corpus(t)
	ls := put(t, s, "propose", lesson("aaaa", "one"), lesson("bbbb", "two"))
	ls = put(t, s, "approve", approve(t, ls[0]), approve(t, ls[1]))
	path, _ := s.Path("bbbb")
	text, _ := os.ReadFile(path)
	if err := os.WriteFile(path, []byte(strings.Replace(string(text), "two", "by hand", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Undo(1, "Ann"); !errors.Is(err, lessons.ErrConflict) || !strings.Contains(err.Error(), "bbbb") {
		t.Errorf("got %v", err)
	}
	if get(t, s, "aaaa").Rev != ls[0].Rev || get(t, s, "bbbb").Content != "by hand" {
		t.Error("something was done all the same")
	}
}

func TestSince(t *testing.T) {
	s := corpus(t)
	ls := put(t, s, "propose", lesson("aaaa", "one"), lesson("bbbb", "two"), lesson("cccc", "three"))
	all, c := since(t, s, "")
	if len(all) != 3 || all[0].Cursor != "" || all[1].Cursor != "" || c == "" || all[0].After.Rev == "" || all[0].Before != nil {
		t.Fatalf("from the beginning: %+v", all)
	}
	if more, _ := since(t, s, c); len(more) != 0 {
		t.Errorf("nothing happened, but %v", more)
	}
	if changed, err := s.Changed(c); changed || err != nil {
		t.Errorf("Changed: %v, %v", changed, err)
	}
	put(t, again(t, s), "approve", approve(t, ls[0]), approve(t, ls[1]))
	more, c2 := since(t, s, c)
	if len(more) != 2 || more[0].Op != "approve" || more[0].Before.Status != lessons.Pending || more[1].After.Status != lessons.Approved || more[0].Batch != more[1].Batch {
		t.Fatalf("approvals: %+v", more)
	}
	if rest, _ := since(t, s, more[0].Cursor); len(rest) != 1 || rest[0].ID != "bbbb" || rest[0].Cursor != c2 {
		t.Errorf("from within a write: %+v", rest)
	}
	for ch, err := range s.Since("other.1.0.20") {
		if !errors.Is(err, lessons.ErrCursor) {
			t.Errorf("a cursor of another journal: %v, %v", ch, err)
		}
	}
	if err := os.RemoveAll(s.state); err != nil {
		t.Fatal(err)
	}
	for ch, err := range s.Since(c2) {
		if !errors.Is(err, lessons.ErrCursor) {
			t.Errorf("the state is lost: %v, %v", ch, err)
		}
	}
	if all, _ := since(t, s, ""); len(all) != 3 {
		t.Errorf("after the loss: %v", all)
	}
}

// Rereading gives what is on disk now, wherever the lesson has gone meanwhile,
// and never another lesson that has taken its place.
func TestReread(t *testing.T) {
	s := corpus(t)
	first := put(t, s, "propose", lesson("aaaa", "Use tabs, not spaces"))[0]
	if got, err := s.Reread(first); err != nil || got.Rev != first.Rev {
		t.Errorf("where it was: %+v, %v", got, err)
	}
	if !Holds(s, first) {
		t.Error("the file is said not to hold what was just written")
	}
	gone := put(t, s, "approve", approve(t, first))[0]
	gone.Content = "Use spaces"
	gone = put(t, s, "edit", gone)[0]
	put(t, s, "propose", lesson("bbbb", "Use tabs, not spaces")) // where the first one was
	if Holds(s, first) {
		t.Error("the file of another lesson is taken for that of the first")
	}
	if got, err := again(t, s).Reread(first); err != nil || got.ID != "aaaa" || got.Rev != gone.Rev {
		t.Errorf("after it moved: %+v, %v", got, err)
	}
	if err := s.Forget("aaaa"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Reread(first); !errors.Is(err, lessons.ErrNotFound) {
		t.Errorf("after it was forgotten: %v", err)
	}
}

// A trusting store does not look at all files for each new lesson, and still sees
// what others do to those that it knows.
func TestTrusting(t *testing.T) {
	s := corpus(t)
	put(t, s, "propose", lesson("aaaa", "one"))
	trusting := s.Trusting(time.Hour, nil)
	put(t, trusting, "propose", lesson("bbbb", "two"))
	path, err := s.Path("aaaa")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Dir(path)
	brought := bytes.ReplaceAll(bytes.ReplaceAll(text, []byte("aaaa"), []byte("cccc")), []byte("one"), []byte("three"))
	if err := os.WriteFile(filepath.Join(dir, "brought.md"), brought, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := trusting.Get("cccc"); !errors.Is(err, lessons.ErrNotFound) {
		t.Errorf("it looked at all files: %v", err)
	}
	if _, err := s.Get("cccc"); err != nil {
		t.Errorf("the other one did not look: %v", err)
	}
	// What it knows it reads as it is, wherever it went.
	edited := bytes.ReplaceAll(text, []byte("one"), []byte("edited by hand"))
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "moved.md"), edited, 0o600); err != nil {
		t.Fatal(err)
	}
	if l, err := trusting.Get("aaaa"); err != nil || l.Content != "edited by hand" {
		t.Errorf("got %q, %v", l.Content, err)
	}
	put(t, trusting, "propose", lesson("dddd", "four"))
	n := 0
	for _, err := range s.All() {
		if err != nil {
			t.Error(err)
		}
		n++
	}
	if n != 4 {
		t.Errorf("%d lessons, want 4", n)
	}
}
