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

// TestStartsAgain begins one session after the other, as what they are given changes.
func TestStartsAgain(t *testing.T) {
	c := desk(t, lesson("aaaa", "Run make generate"), lesson("bbbb", "Sign each commit"))
	s, err := store.Open(c.Corpus, store.Options{State: c.State})
	if err != nil {
		t.Fatal(err)
	}
	follow := func() {
		t.Helper()
		if _, err := index.At(c.Index).Sync(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
	put := func(l lessons.Lesson) {
		t.Helper()
		if old, err := s.Get(l.ID); err == nil {
			l.Rev = old.Rev
		}
		if _, err := s.Put(store.Write{Op: "edit", By: "test"}, l); err != nil {
			t.Fatal(err)
		}
	}
	n := 0
	begin := func(c Config, role string) string {
		t.Helper()
		n++
		return call(t, c, SessionStart, strings.NewReader(fmt.Sprintf(`{"session_id":"n%d","cwd":"/src/octofs","agent_type":%q}`, n, role)))
	}
	given := func(what, text string, want ...string) {
		t.Helper()
		for _, w := range []string{"make generate", "Sign each", "New here", "go generate"} {
			if has := strings.Contains(text, w); has != slices.Contains(want, w) {
				t.Errorf("%s: %q is given: %v\n%s", what, w, has, text)
			}
		}
	}
	for range 3 {
		given("unchanged", begin(c, ""), "make generate", "Sign each")
	}

	put(lesson("cccc", "New here"))
	follow()
	given("one more", begin(c, ""), "make generate", "Sign each", "New here")
	given("again", begin(c, ""), "make generate", "Sign each", "New here")

	gone := lesson("bbbb", "Sign each commit")
	gone.Status = lessons.Rejected
	put(gone) // the index does not know it yet
	given("rejected", begin(c, ""), "make generate", "New here")
	given("and again", begin(c, ""), "make generate", "New here")
	follow()
	given("and then", begin(c, ""), "make generate", "New here")

	proposed := lesson("eeee", "Not judged")
	proposed.Status = lessons.Pending
	put(proposed)
	follow()
	given("a proposal", begin(c, ""), "make generate", "New here")
	proposed.Status, proposed.Content = lessons.Approved, "Sign each tag"
	put(proposed)
	follow()
	given("approved", begin(c, ""), "make generate", "New here", "Sign each")
	proposed.Status = lessons.Pending
	put(proposed)
	follow()
	given("undone", begin(c, ""), "make generate", "New here")

	path, err := s.Path("aaaa")
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, bytes.ReplaceAll(file, []byte("make generate"), []byte("go generate")), 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		given("changed by another program", begin(c, ""), "New here")
	}
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	given("as it was", begin(c, ""), "make generate", "New here")

	limited := lesson("cccc", "New here")
	limited.Limit.Until = noon.Add(24 * time.Hour)
	put(limited)
	follow()
	given("for a day", begin(c, ""), "make generate", "New here")
	later := c
	later.Now = func() time.Time { return noon.Add(72 * time.Hour) }
	given("three days later", begin(later, ""), "make generate")

	other := lesson("dddd", "Sign each review")
	other.Scope.Role = "reviewer"
	put(other)
	follow()
	given("a reviewer", begin(c, "reviewer"), "Sign each")
	given("a developer", begin(c, ""), "make generate", "New here")

	held := c
	held.Holdout = 1
	if text := begin(held, ""); text != "" {
		t.Errorf("held out, and given:\n%s", text)
	}
	given("the next", begin(c, ""), "make generate", "New here")
}

// TestStartsAgainForgotten checks that a lesson that was forgotten is in no file of the
// state.
func TestStartsAgainForgotten(t *testing.T) {
	c := desk(t, lesson("aaaa", "Run make generate"), lesson("bbbb", "The word is swordfish"))
	const session = `{"session_id":"m%d","cwd":"/src/octofs"}`
	n := 0
	begin := func() string {
		n++
		return call(t, c, SessionStart, strings.NewReader(fmt.Sprintf(session, n)))
	}
	begin()
	s, err := store.Open(c.Corpus, store.Options{State: c.State})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Forget("bbbb"); err != nil {
		t.Fatal(err)
	}
	if got := begin(); !strings.Contains(got, "make generate") || strings.Contains(got, "swordfish") {
		t.Errorf("forgotten: %s", got)
	}
	if _, err := index.At(c.Index).Sync(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	begin()
	err = filepath.WalkDir(c.State, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		if bytes.Contains(b, []byte("swordfish")) {
			t.Errorf("%s has it", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
