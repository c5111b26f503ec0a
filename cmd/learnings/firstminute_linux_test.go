package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// On a machine where nothing was read, three keys lead from the first screen to a lesson
// that the next session starts with. X pressed before the sessions are found is no lost key,
// what the project at hand taught comes first, and nothing is read before.
func TestFirstMinute(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	if err := os.CopyFS(filepath.Join(m.home, "claude", "projects"), os.DirFS(filepath.Join("..", "internal", "settings", "sample", "claude-code"))); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(m.home, "ledger")
	if err := os.MkdirAll(filepath.Join(dir, ".git"), 0o700); err != nil {
		t.Fatal(err)
	}
	w := openWindow(t, m, func(w *window) { w.cmd.Dir = dir })
	w.wait("Nothing has been read yet", "X extract new")
	w.until("no keys that do nothing here", func(screen, _ string) bool {
		return !strings.Contains(screen, "/ filter") && !strings.Contains(screen, "u undo")
	})
	if n := len(m.all()); n > 0 {
		t.Errorf("%d lessons were proposed before a key was pressed", n)
	}
	w.keys("X")
	w.wait("3 files read", "idle")
	w.until("the proposals of the project at hand first", func(screen, _ string) bool {
		head := regexp.MustCompile(`(?m)^ (\w+) ─+ \d+ `).FindStringSubmatch(screen)
		return head != nil && head[1] == "ledger"
	})
	w.keys("a")
	w.wait("✓ approved", "idle")
	w.keys("q")
	if code := w.end(); code != 0 {
		t.Fatalf("code %d: %q", code, w.all())
	}
	var approved string
	for _, l := range m.all() {
		if l.Status == "approved" {
			approved = l.Content
		}
	}
	if told := m.must("inject", "--project", "ledger"); approved == "" || !strings.Contains(told, approved) {
		t.Errorf("the next session is told\n%s\nand not %q", told, approved)
	}
}
