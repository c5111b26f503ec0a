package store

import (
	"strings"
	"testing"

	"learnings/lessons"
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
