package tui

import (
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"learnings/lessons"
	"learnings/tui/look"
)

// A filter is a query that limits a list, and the line to type it in.
type filter struct {
	query  string
	typing bool
	in     textinput.Model
	err    error // why the query cannot be read
}

// open opens the line to type in.
func (f filter) open() filter {
	f.typing, f.in = true, newField(f.query)
	return f
}

// typed is a key, or pasted text, while the filter is being typed. Enter keeps it
// and esc takes it away.
func (f filter) typed(msg tea.Msg) (filter, out) {
	if k, ok := msg.(tea.KeyPressMsg); ok {
		switch k.String() {
		case "enter":
			f.typing = false
			return f, out{}
		case "esc":
			return filter{}, out{}
		}
	}
	var cmd tea.Cmd
	f.in, cmd = f.in.Update(msg)
	f.query = f.in.Value()
	return f, out{cmd: cmd}
}

// head is the filter for the line above a list, in at most w cells: what is being typed,
// or what is set; "" when there is none.
func (f filter) head(w int, st *look.Style) string {
	switch {
	case f.typing:
		return st.Accent.Render("/") + " " + fieldView(f.in, max(min(w-4, 60), 16))
	case f.query != "":
		return st.Accent.Render("/ "+look.Sentence(lessons.Line(f.query), max(w-14, 8))) + st.Dim.Render("  esc: all")
	}
	return ""
}

// problem says above a list of w cells why the filter cannot be read.
func (f filter) problem(w int, st *look.Style) []string {
	if f.err == nil {
		return nil
	}
	var lines []string
	for _, l := range wrap(lessons.Line(f.err.Error()), w-4) {
		lines = append(lines, "  "+st.Warn.Render(l))
	}
	return lines
}
