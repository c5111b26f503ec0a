package hook

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"learnings/index"
	"learnings/lessons"
	"learnings/lessons/store"
)

// TestStarts starts sessions while lessons change: lessons not yet in the index are read
// from the files.
func TestStarts(t *testing.T) {
	c := desk(t, lesson("aaaa", "Run make generate"), lesson("bbbb", "The word is swordfish"), lesson("cccc", "New here"))
	s, err := store.Open(c.Corpus, store.Options{State: c.State})
	must := func(errs ...error) {
		t.Helper()
		for _, err := range errs {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	must(err)
	follow := func() {
		t.Helper()
		_, err := index.At(c.Index).Sync(t.Context(), s)
		must(err)
	}
	put := func(l lessons.Lesson) {
		t.Helper()
		if old, err := s.Get(l.ID); err == nil {
			l.Rev = old.Rev
		}
		_, err := s.Put(store.Write{Op: "edit", By: "test"}, l)
		must(err)
	}
	n := 0
	begin := func(what string, c Config, role string, want ...string) {
		t.Helper()
		n++
		text := call(t, c, SessionStart, strings.NewReader(fmt.Sprintf(`{"session_id":"n%d","cwd":"/src/octofs","agent_type":%q}`, n, role)))
		for _, w := range []string{"make generate", "swordfish", "New here", "go generate", "Sign each"} {
			if has := strings.Contains(text, w); has != slices.Contains(want, w) {
				t.Errorf("%s: %q is given: %v\n%s", what, w, has, text)
			}
		}
	}
	begin("at first", c, "", "make generate", "swordfish", "New here")
	gone := lesson("cccc", "New here")
	gone.Status = lessons.Rejected
	put(gone)
	begin("rejected", c, "", "make generate", "swordfish")
	limited := lesson("cccc", "New here")
	limited.Limit.Until = noon.Add(24 * time.Hour)
	put(limited)
	follow()
	begin("for a day", c, "", "make generate", "swordfish", "New here")
	later := c
	later.Now = func() time.Time { return noon.Add(72 * time.Hour) }
	begin("three days later", later, "", "make generate", "swordfish")

	path, err := s.Path("aaaa")
	must(err)
	file, err := os.ReadFile(path)
	must(err, os.WriteFile(path, bytes.ReplaceAll(file, []byte("make generate"), []byte("go generate")), 0o600))
	begin("changed by another program", c, "", "swordfish", "New here")
	must(os.WriteFile(path, file, 0o600))

	other := lesson("dddd", "Sign each review")
	other.Scope.Role = "reviewer"
	put(other)
	follow()
	begin("a reviewer", c, "reviewer", "Sign each")
	held := c
	held.Holdout = 1
	begin("held out", held, "")

	must(s.Forget("bbbb"))
	begin("forgotten", c, "", "make generate", "New here")
	follow()
	must(filepath.WalkDir(c.State, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		if bytes.Contains(b, []byte("swordfish")) {
			t.Errorf("%s has what was forgotten", path)
		}
		return err
	}))
}
