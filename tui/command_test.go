package tui

import (
	"os"
	"path/filepath"
	"testing"

	"learnings/tui/desk"
)

// A person's command gets the words of the lesson under the cursor, and no shell reads
// these as a command.
func TestCommandOnTheLesson(t *testing.T) {
	dir := t.TempDir()
	out, bad := filepath.Join(dir, "out"), filepath.Join(dir, "bad")
	ls := proposals()[:1]
	ls[0].Content = `It's "here": $(touch ` + bad + `) ` + "`touch " + bad + "`" + ` \ {id}; touch ` + bad
	p := at(t, 120, 40, ls, func(c *desk.Config) {
		c.Commands = map[string]string{"ctrl+g": "printf '%s|' {sentence} {id} {nothing} >" + out, "ctrl+o": "printf '%s|' {sentence} {id} >" + out, "ctrl+t": "exit 3"}
	})
	p.wait("Review", "1/1")
	p.press("ctrl+g").see("there is no placeholder {nothing}")
	p.press("ctrl+o").see("✓ printf")
	want := ls[0].Content + "|" + string(ls[0].ID) + "|"
	if got, err := os.ReadFile(out); string(got) != want {
		t.Errorf("the command got %q, want %q (%v)", got, want, err)
	}
	if _, err := os.Stat(bad); err == nil {
		t.Error("a lesson ran a command")
	}
	p.press("ctrl+t").see("exit 3 ended with exit status 3")
	p.press("alt+4", "ctrl+o").see("there is no lesson under the cursor")
	p.quit()
}
