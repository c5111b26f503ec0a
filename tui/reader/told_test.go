package reader

import (
	"strings"
	"testing"

	"learnings/tui/kit"
	"learnings/tui/look"
)

// A table of Markdown is drawn in columns that fit, and row by row where they would be too
// narrow.
func TestTable(t *testing.T) {
	const text = "Two files:\n\n| File | What |\n|:-----|-----:|\n| a.go | x \\| y and **more** |\n| b.go |\n\nThat is all."
	for w, want := range map[int]string{
		60: "Two files:\n\nFile │ What\n─────────────────────\na.go │ x | y and more\nb.go │\n\nThat is all.",
		24: "Two files:\n\nFile │ What\n─────────────────────\na.go │ x | y and more\nb.go │\n\nThat is all.",
		16: "Two files:\n\nFile: a.go\nWhat: x | y and\nmore\n\nFile: b.go\nWhat:\n\nThat is all.",
	} {
		lines := told(text, w, look.Ink{}, kit.Unseen)
		for i, l := range lines {
			lines[i] = strings.TrimRight(kit.LookOf.ReplaceAllString(l, ""), " ")
		}
		if got := strings.Join(lines, "\n"); got != want {
			t.Errorf("%d wide it is\n%s\nwant\n%s", w, got, want)
		}
	}
}
