package kit

import (
	"github.com/charmbracelet/x/ansi"

	"learnings/tui/look"
)

// Footer shows the keys that matter most now, as many as fit. The way out of a dialog,
// or to all the keys, is always there.
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
