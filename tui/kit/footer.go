package kit

import (
	"github.com/charmbracelet/x/ansi"

	"learnings/tui/look"
)

// Footer draws as many of the most important keys as fit. It always shows the key that
// closes a dialog, or the key of the help.
func Footer(hints []Hint, dialog bool, w int, st *look.Style) string {
	var items []string
	var last string
	for _, h := range hints {
		if h.Foot == "" || h.Off != "" {
			continue
		}
		item := " " + st.Accent.Render(h.Key) + " " + st.Dim.Render(h.Foot) + " "
		if h.Press == "?" || dialog && h.Key == "esc" {
			last = item
		} else {
			items = append(items, item)
		}
	}
	line := ""
	for _, item := range items {
		if ansi.StringWidth(line+item+last) <= w {
			line += item
		}
	}
	return Fit(line+last, w)
}
