package tui

import (
	"strings"
	"testing"

	"learnings/tui/desk"
)

// Text is copied by the terminal, also in tmux; with desk.clipboard none it is not
// copied, and a note says so. Without a title the window's title is not set.
func TestCopying(t *testing.T) {
	p := at(t, 120, 30, proposals())
	p.press("y").see("copied the lesson")
	for !strings.Contains(p.sent(), "\x1b]52;c;") {
	}
	p.quit()
	if !strings.Contains(p.sent(), "\x1b]2;learnings") {
		t.Error("the window has no title")
	}

	p = at(t, 120, 30, proposals(), func(c *desk.Config) { c.Clipboard, c.NoTitle = "none", true })
	p.press("Y").see("nothing was copied: desk.clipboard is none")
	p.quit()
	if got := p.sent(); strings.Contains(got, "\x1b]52") || strings.Contains(got, "\x1b]2;learnings") || strings.Contains(got, "\x1b]9;4") {
		t.Error("the terminal is told")
	}
}
