package store

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"learnings/lessons"
	"learnings/lessons/file"
)

// Any name of a project must be a place within the corpus that a scan finds
// again.
func TestAnyProject(t *testing.T) {
	s := corpus(t)
	names := []string{"", ".", "..", "../..", "/", "a/b", "_", ".pending", "nul", "x\x00y", strings.Repeat("p", 300), "...", "\u202e", "Foo", "foo"}
	for i, name := range names {
		l := approve(t, lesson("p"+string(rune('a'+i)), "In any project"))
		l.Scope = lessons.Scope{Project: name, Role: name + ":sub"}
		put(t, s, "add", l)
	}
	good, bad := all(t, s)
	if len(good) != len(names) || len(bad) != 0 {
		t.Fatalf("%d of %d found; %v\n%s", len(good), len(names), bad, files(t, s))
	}
	for i, name := range names {
		if l := get(t, again(t, s), "p"+string(rune('a'+i))); l.Scope.Project != name || l.Status != lessons.Approved {
			t.Errorf("%q comes back as %+v", name, l.Scope)
		}
	}
}

func TestSameName(t *testing.T) {
	s := corpus(t)
	put(t, s, "add", lesson("aaaa", "Same words"), lesson("bbbb", "same WORDS"), lesson("cccc", "Same words!"))
	if got, want := files(t, s), ".pending/octofs/developer/20260405120000-same-words-2.md\n.pending/octofs/developer/20260405120000-same-words-3.md\n.pending/octofs/developer/20260405120000-same-words.md"; got != want {
		t.Errorf("files are\n%s", got)
	}
	before, _ := s.Path("bbbb")
	put(t, s, "edit", func() lessons.Lesson { l := get(t, s, "bbbb"); l.Insight = "x"; return l }())
	if after, _ := s.Path("bbbb"); before != after {
		t.Errorf("an edit of the insight has renamed %s to %s", before, after)
	}
}

// Octomind finds a lesson by the name that it computes: a number in it would be the
// name of no lesson.
func TestSameNameApproved(t *testing.T) {
	s := corpus(t)
	one, two, three := approve(t, lesson("aaaa", "Same words")), approve(t, lesson("bbbb", "same WORDS")), approve(t, lesson("cccc", "Same words!"))
	out, err := s.Put(Write{Op: lessons.OpApprove, By: "Ann", Undoable: true}, one, two, three)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := files(t, s), "octofs/developer/20260405120000-same-words.md\noctofs/developer/20260405120001-same-words.md\noctofs/developer/20260405120002-same-words.md"; got != want {
		t.Errorf("files are\n%s\nwant\n%s", got, want)
	}
	for i, l := range out {
		if now := get(t, s, string(l.ID)); !now.Created.Equal(l.Created) || now.Rev != l.Rev || !now.Created.Equal(one.Created.Add(time.Duration(i)*time.Second)) {
			t.Errorf("%s was created at %v, and Put says %v", l.ID, now.Created, l.Created)
		}
		if path, _ := s.Path(l.ID); filepath.Base(path) != file.Stem(l)+".md" {
			t.Errorf("%s lies at %s", l.ID, path)
		}
	}
	// One that an earlier version numbered stays until it is written.
	was, _ := s.Path("bbbb")
	two = out[1]
	two.Created = one.Created
	text, err := file.Encode(two)
	if err != nil {
		t.Fatal(err)
	}
	numbered := filepath.Join(filepath.Dir(was), file.Stem(two)+"-2.md")
	if err := errors.Join(os.Remove(was), os.WriteFile(numbered, text, 0o600)); err != nil {
		t.Fatal(err)
	}
	s = again(t, s)
	two = get(t, s, "bbbb")
	if put(t, s, lessons.OpPut, two); !exists(numbered) {
		t.Error("a lesson in which nothing changed was renamed")
	}
	two.Insight = "x"
	if put(t, s, lessons.OpPut, two); exists(numbered) || !exists(was) {
		t.Errorf("files are\n%s", files(t, s))
	}
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// Where it cannot be seen which names are free, because a file lies in the place of a
// folder, storing fails and changes nothing.
func TestNoFolderCanBeMade(t *testing.T) {
	s := corpus(t)
	put(t, s, "add", lesson("aaaa", "Say it once"))
	if err := os.WriteFile(filepath.Join(s.tree.dir, "octofs"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Put(Write{Op: lessons.OpApprove, By: "Ann"}, approve(t, get(t, s, "aaaa"))); err == nil {
		t.Error("it is stored below a file")
	}
	if l := get(t, s, "aaaa"); l.Status != lessons.Pending {
		t.Errorf("it is %s", l.Status)
	}
}
