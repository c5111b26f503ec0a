package store

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"learnings/lessons"
	"learnings/lessons/file"
)

// write puts a file into the corpus as another program does.
func writeFile(t testing.TB, s *Store, path, text string) {
	t.Helper()
	full := s.tree.full(path)
	if err := os.MkdirAll(filepath.Dir(full), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func all(t testing.TB, s *Store) (good []lessons.Lesson, bad []*file.Error) {
	t.Helper()
	for l, err := range s.All() {
		broken := (*file.Error)(nil)
		switch {
		case errors.As(err, &broken):
			bad = append(bad, broken)
		case err != nil:
			t.Fatal(err)
		default:
			good = append(good, l)
		}
	}
	return good, bad
}

const handmade = "---\ncontent: \"Run gofmt\"\nid: hand\ncreated: \"2026-04-05T12:00:00+00:00\"\n---\n"

func TestOthersWrite(t *testing.T) {
	s := corpus(t)
	put(t, s, "add", lesson("aaaa", "one"))
	_, c := since(t, s, "")
	next := func() lessons.Change {
		t.Helper()
		var got []lessons.Change
		if got, c = since(t, s, c); len(got) != 1 {
			t.Fatalf("%d changes, want one: %+v", len(got), got)
		}
		return got[0]
	}

	writeFile(t, s, "octofs/developer/mine.md", handmade)
	if ch := next(); ch.Op != "external" || ch.ID != "hand" || ch.Before != nil || ch.After.Status != lessons.Approved || ch.After.Scope.Project != "octofs" || ch.After.Scope.Role != "developer" {
		t.Errorf("a new file: %+v", ch)
	}
	// The same size and, as far as many file systems tell, the same time.
	path := s.tree.full("octofs/developer/mine.md")
	info, _ := os.Stat(path)
	writeFile(t, s, "octofs/developer/mine.md", strings.Replace(handmade, "gofmt", "GOFMT", 1))
	if err := os.Chtimes(path, info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
	if ch := next(); ch.After.Content != "Run GOFMT" {
		t.Errorf("an edit that size and time do not show: %+v", ch)
	}
	if err := os.Rename(path, s.tree.full("octofs/developer/renamed.md")); err != nil {
		t.Fatal(err)
	}
	if ch := next(); ch.ID != "hand" || ch.After == nil {
		t.Errorf("a renamed file: %+v", ch)
	}
	writeFile(t, s, "octofs/developer/renamed.md", "---\ncontent: \"Run\n")
	if ch := next(); ch.ID != "hand" || ch.After != nil {
		t.Errorf("a broken file: %+v", ch)
	}
	broken := (*file.Error)(nil)
	if _, err := s.Get("hand"); !errors.As(err, &broken) {
		t.Errorf("Get of a broken file: %v", err)
	}
	if p, err := s.Path("hand"); err != nil || filepath.Base(p) != "renamed.md" {
		t.Errorf("an editor must find the broken file: %v, %v", p, err)
	}
	if _, err := s.Put(Write{Op: "add"}, lesson("hand", "Over it")); !errors.As(err, &broken) {
		t.Errorf("Put over a broken file: %v", err)
	}
	if _, bad := all(t, s); len(bad) != 1 || bad[0].Path != "octofs/developer/renamed.md" || bad[0].Line == 0 {
		t.Errorf("All shows %v", bad)
	}
	writeFile(t, s, "octofs/developer/renamed.md", handmade)
	if ch := next(); ch.After == nil || ch.After.Content != "Run gofmt" {
		t.Errorf("mended: %+v", ch)
	}
	if err := os.Remove(s.tree.full("octofs/developer/renamed.md")); err != nil {
		t.Fatal(err)
	}
	if ch := next(); ch.ID != "hand" || ch.After != nil {
		t.Errorf("a deleted file: %+v", ch)
	}
}

// An Octomind that rewrites a file drops the keys it does not know.
func TestFileWithoutID(t *testing.T) {
	s := corpus(t)
	put(t, s, "add", approve(t, lesson("aaaa", "one")))
	_, c := since(t, s, "")
	path, _ := s.Path("aaaa")
	if err := os.WriteFile(path, []byte("---\ncontent: \"one\"\nimportance: 0.7\nconfidence: high\nproject: \"octofs\"\ncreated: \"2026-04-05T12:00:00+00:00\"\n---\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	got, _ := since(t, s, c)
	if len(got) != 1 || got[0].ID != "aaaa" || got[0].After.Confidence != 0.7 {
		t.Fatalf("the id is lost: %+v", got)
	}
	l := get(t, again(t, s), "aaaa")
	l.Insight = "kept"
	put(t, s, "edit", l)

	writeFile(t, s, "octofs/developer/new.md", "---\ncontent: \"no id\"\n---\n")
	good, _ := all(t, s)
	before := good[len(good)-1].ID
	writeFile(t, s, "octofs/developer/new.md", "---\ncontent: \"no id, edited\"\n---\n")
	l = get(t, s, string(before))
	if l.Content != "no id, edited" {
		t.Errorf("the derived id has changed with the content: %+v", l)
	}
	if l = put(t, s, "edit", approve(t, l))[0]; l.ID != before || l.Created.IsZero() {
		t.Errorf("stored as %+v", l)
	}
}

func TestDoubles(t *testing.T) {
	s := corpus(t)
	writeFile(t, s, "octofs/developer/a.md", handmade)
	_, c := since(t, s, "")
	writeFile(t, s, "octofs/developer/0.md", strings.Replace(handmade, "gofmt", "twice", 1))
	if got, _ := since(t, s, c); len(got) != 0 {
		t.Errorf("a second file of an id is no change: %+v", got)
	}
	good, bad := all(t, s)
	if len(good) != 1 || good[0].Content != "Run gofmt" || len(bad) != 1 || !strings.Contains(bad[0].Error(), "octofs/developer/0.md") || !strings.Contains(bad[0].Error(), "octofs/developer/a.md") {
		t.Errorf("good %v, bad %v", good, bad)
	}
	if err := os.Remove(s.tree.full("octofs/developer/a.md")); err != nil {
		t.Fatal(err)
	}
	if got, _ := since(t, s, c); len(got) != 1 || got[0].After == nil || got[0].After.Content != "Run twice" {
		t.Errorf("the second is now the one: %+v", got)
	}
}

// TestMuchFromOutside brings in megabytes.
func TestMuchFromOutside(t *testing.T) {
	s := corpus(t)
	put(t, s, "add", lesson("aaaa", "one"))
	_, c := since(t, s, "")
	body := strings.Repeat("A line of an example.\n", 2_500)
	n := 16<<20/len(body) + 1
	for i := range n {
		text := strings.Replace(handmade, "hand", fmt.Sprintf("hand%03d", i), 1)
		writeFile(t, s, fmt.Sprintf("octofs/developer/%03d.md", i), text+body+fmt.Sprint(i)+"\n")
	}
	if got, _ := since(t, s, c); len(got) != n {
		t.Fatalf("%d changes, want %d", len(got), n)
	}
	for i := n - 1; i >= 0; i -= 40 {
		id := lessons.ID(fmt.Sprintf("hand%03d", i))
		h, err := s.History(id)
		if err != nil || len(h) != 1 || h[0].After == nil || !strings.HasSuffix(strings.TrimSpace(h[0].After.Insight+h[0].After.Example), fmt.Sprint("example.\n", i)) {
			t.Errorf("%s: %d entries in the journal, %v", id, len(h), err)
		}
	}
}

func TestOddFiles(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("symlinks need rights on Windows")
	}
	s := corpus(t)
	put(t, s, "add", lesson("aaaa", "one"))
	outside := t.TempDir()
	if err := os.Symlink(outside, s.tree.full("evil")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(outside, "x.md"), []byte(handmade), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(outside, "x.md"), s.tree.full(".pending/octofs/developer/link.md")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(s.tree.full(".pending/octofs/developer/folder.md"), 0o700); err != nil {
		t.Fatal(err)
	}
	good, bad := all(t, s)
	if len(good) != 1 || len(bad) != 2 {
		t.Errorf("good %v, bad %v", good, bad)
	}
	l := approve(t, lesson("bbbb", "Escape"))
	l.Scope.Project = "evil"
	if _, err := s.Put(Write{Op: "add"}, l); err == nil {
		t.Error("wrote through a symlink")
	}
	if left, _ := os.ReadDir(outside); len(left) != 1 {
		t.Errorf("outside of the corpus: %v", left)
	}
	if _, err := s.Get("bbbb"); !errors.Is(err, lessons.ErrNotFound) {
		t.Errorf("the refused lesson: %v", err)
	}
	put(t, s, "add", lesson("cccc", "The store still works"))
}

func TestMissingFolderIsNoDecision(t *testing.T) {
	s := corpus(t)
	put(t, s, "add", lesson("aaaa", "one"))
	_, c := since(t, s, "")
	if err := os.Rename(s.tree.dir, s.tree.dir+".away"); err != nil {
		t.Fatal(err)
	}
	failed := false
	for _, err := range s.Since(c) {
		failed = err != nil
	}
	if !failed {
		t.Error("a disk that is not mounted looks like an empty corpus")
	}
	if err := os.Rename(s.tree.dir+".away", s.tree.dir); err != nil {
		t.Fatal(err)
	}
	if got, _ := since(t, s, c); len(got) != 0 {
		t.Errorf("mounted again: %+v", got)
	}
}

// TestLostState has a state that is gone or cannot be read: the lessons are as before, and
// the next write begins a new journal.
func TestLostState(t *testing.T) {
	s := corpus(t)
	ls := put(t, s, "add", lesson("aaaa", "one"), lesson("bbbb", "two"))
	put(t, s, "approve", approve(t, ls[0]))
	change(t, s, "DELETE FROM kept")
	if got, _ := since(t, s, ""); len(got) != 2 {
		t.Errorf("with a new table: %+v", got)
	}
	if _, err := s.Undo(1, "Ann"); err != nil || get(t, s, "aaaa").Status != lessons.Pending {
		t.Errorf("undo with a new table: %v", err)
	}
	if l := get(t, s, "bbbb"); l.Outside {
		t.Error("what the journal vouches for came from outside")
	}
	_, c := since(t, s, "")
	if err := os.RemoveAll(s.state); err != nil {
		t.Fatal(err)
	}
	put(t, again(t, s), "add", lesson("dddd", "four"))
	if good, bad := all(t, s); len(good) != 3 || len(bad) != 0 {
		t.Errorf("good %v, bad %v", good, bad)
	}
	for _, err := range s.Since(c) {
		if !errors.Is(err, lessons.ErrCursor) {
			t.Errorf("the cursor of a journal that is no more: %v", err)
		}
	}
}

func TestForget(t *testing.T) {
	s := corpus(t)
	const secret = "sk-secret-0123456789"
	ls := put(t, s, "add", lesson("aaaa", "The key is "+secret), lesson("bbbb", "It is also "+secret), lesson("cccc", "harmless"))
	merged, err := lessons.Merge(lessons.Decision{By: "Ann", At: noon}, ls[0], ls[1])
	if err != nil {
		t.Fatal(err)
	}
	put(t, s, "merge", merged...)
	put(t, s, "approve", approve(t, ls[2]))
	if _, err := s.Put(Write{Op: "edit", By: "Ann", Why: "because of " + secret}, func() lessons.Lesson { l := get(t, s, "aaaa"); l.Insight = "x"; return l }()); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{damagedName + "1"} { // what a damaged disk leaves
		if err := os.WriteFile(filepath.Join(s.state, name), []byte(secret), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	writeFile(t, s, "octofs/developer/copy.md", strings.Replace(handmade, "id: hand", "id: aaaa\nreason: "+secret, 1))
	_, c := since(t, s, "")

	if err := s.Forget("bbbb"); !errors.Is(err, lessons.ErrInvalid) || !strings.Contains(err.Error(), "aaaa") {
		t.Errorf("forgetting what lives on in another: %v", err)
	}
	if err := s.Forget("zzzz"); !errors.Is(err, lessons.ErrNotFound) {
		t.Errorf("forgetting what never was: %v", err)
	}
	if err := s.Forget("aaaa"); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{s.tree.dir, s.state} {
		err := filepath.WalkDir(dir, func(p string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			text, err := os.ReadFile(p)
			if bytes.Contains(text, []byte("secret")) || strings.Contains(p, "secret") {
				t.Errorf("%s still knows:\n%s", p, text)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	got, _ := since(t, s, c)
	if len(got) != 2 || got[0].Op != "forget" || got[0].After != nil || got[1].ID != "bbbb" {
		t.Errorf("followers see %+v", got)
	}
	if done, err := s.Undo(5, "Ann"); err != nil || len(done) != 1 || done[0].ID != "cccc" {
		t.Errorf("undo of what is left: %+v, %v", done, err)
	}
	if h, err := s.History("aaaa"); err != nil || len(h) != 1 || h[0].Op != "forget" {
		t.Errorf("history: %+v, %v", h, err)
	}
}

func TestResolve(t *testing.T) {
	s := corpus(t)
	put(t, s, "add", lesson("abcd", "one"), lesson("abef", "two"), lesson("ab", "three"))
	for prefix, want := range map[string]lessons.ID{"abc": "abcd", "abef": "abef", "ab": "ab"} {
		if got, err := s.Resolve(prefix); got != want || err != nil {
			t.Errorf("Resolve(%q) = %q, %v", prefix, got, err)
		}
	}
	if _, err := s.Resolve("a"); err == nil || errors.Is(err, lessons.ErrNotFound) || !strings.Contains(err.Error(), "abcd, abef") {
		t.Errorf("ambiguous: %v", err)
	}
	for _, none := range []string{"", "x"} {
		if _, err := s.Resolve(none); !errors.Is(err, lessons.ErrNotFound) {
			t.Errorf("Resolve(%q): %v", none, err)
		}
	}
}

func TestSettledFilesAreNotReadAgain(t *testing.T) {
	s := corpus(t)
	put(t, s, "add", lesson("aaaa", "one"))
	path, _ := s.Path("aaaa")
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(path, old, old); err != nil {
		t.Fatal(err)
	}
	since(t, s, "")
	tab, err := s.known()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range tab.entries("") {
		if e.fresh || e.mtime != old.UnixNano() {
			t.Errorf("still read each time: %+v", e)
		}
	}
}

// TestBroken names what no index knows of: files that are no lessons.
func TestBroken(t *testing.T) {
	s := corpus(t)
	put(t, s, "add", lesson("aaaa", "one"))
	if bad := s.Broken(); len(bad) != 0 {
		t.Errorf("a whole corpus: %v", bad)
	}
	writeFile(t, s, "octofs/developer/copy.md", strings.Replace(handmade, "id: hand", "id: aaaa", 1))
	writeFile(t, s, "octofs/developer/torn.md", "---\n<<<<<<< HEAD\n")
	since(t, s, "")
	_, all := all(t, s)
	if bad := s.Broken(); len(bad) != 2 || fmt.Sprint(bad) != fmt.Sprint(all) {
		t.Errorf("broken are %v, want %v", bad, all)
	}
}
