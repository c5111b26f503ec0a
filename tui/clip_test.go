package tui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"learnings/tui/desk"
)

// A text is copied by the terminal, and in tmux by it too; with desk.clipboard none by
// nobody, and that is said. Without a title nothing is said to the window.
func TestCopying(t *testing.T) {
	p := at(t, 120, 30, proposals())
	p.wait("Review 5")
	p.press("y")
	p.wait("copied the lesson")
	for !strings.Contains(p.sent(), "\x1b]52;c;") {
	}
	p.quit()
	if !strings.Contains(p.sent(), "\x1b]2;learnings") {
		t.Error("the window has no title")
	}

	p = at(t, 120, 30, proposals(), func(c *desk.Config) { c.Clipboard, c.NoTitle = clipNone, true })
	p.wait("Review 5")
	p.press("Y")
	p.wait("nothing was copied: desk.clipboard is none")
	p.quit()
	if got := p.sent(); strings.Contains(got, "\x1b]52") || strings.Contains(got, "\x1b]2;learnings") || strings.Contains(got, "\x1b]9;4") {
		t.Error("the terminal is told")
	}
}

func TestCopyByTmux(t *testing.T) {
	dir := t.TempDir()
	script := "#!/bin/sh\n{ echo \"$@\"; cat; } > '" + filepath.Join(dir, "said") + "'\n"
	if err := os.WriteFile(filepath.Join(dir, "tmux"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	if err := copyBy(t.Context(), func(name string) string { return map[string]string{"TMUX": "/tmp/tmux,1,0"}[name] }, "a lesson"); err != nil {
		t.Skipf("no script can stand for tmux here: %v", err)
	}
	if said, err := os.ReadFile(filepath.Join(dir, "said")); err != nil || string(said) != "load-buffer -w -\na lesson" {
		t.Errorf("tmux is told %q, %v", said, err)
	}
	if err := copyBy(t.Context(), func(name string) string { return map[string]string{"SSH_TTY": "/dev/pts/1"}[name] }, "x"); err != nil {
		t.Error(err)
	}
}
