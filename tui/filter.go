package tui

import (
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"learnings/lessons"
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

// height is how many lines a list has less for the filter, its error aside.
func (f filter) height() int {
	if f.typing || f.query != "" {
		return 1
	}
	return 0
}

// lines show the filter above a list in a frame of w cells: what is being typed,
// or what is set, and why it cannot be read.
func (f filter) lines(w int, st style) []string {
	var lines []string
	switch {
	case f.typing:
		lines = append(lines, " "+st.accent.Render("/")+" "+fieldView(f.in, w-6))
	case f.query != "":
		lines = append(lines, " "+st.accent.Render("/ "+lessons.Line(f.query))+st.faint.Render("  esc: all"))
	}
	if f.err != nil {
		for _, l := range wrap(lessons.Line(f.err.Error()), w-6) {
			lines = append(lines, "   "+st.warn.Render(l))
		}
	}
	return lines
}
