package kit

import (
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"learnings/lessons"
	"learnings/tui/look"
)

// A Filter is a query that limits a list, and its text input.
type Filter struct {
	Query  string
	Typing bool
	In     *textinput.Model // while Typing; it is large, and panes are copied often
	Err    error            // why the query cannot be read
}

// Open opens the text input.
func (f Filter) Open() Filter {
	f.Typing, f.In = true, new(NewField(f.Query))
	return f
}

// Typed handles a key or a paste while the filter is open. Enter keeps the query, esc
// clears it.
func (f Filter) Typed(msg tea.Msg) (Filter, Out) {
	if k, ok := msg.(tea.KeyPressMsg); ok {
		switch k.String() {
		case "enter":
			f.Typing = false
			return f, Out{}
		case "esc":
			return Filter{}, Out{}
		}
	}
	in, cmd := f.In.Update(msg)
	f.In, f.Query = &in, in.Value()
	return f, Out{Cmd: cmd}
}

// Head returns the filter for the line above a list, in at most w cells: the text input
// or the query in force, "" without one.
func (f Filter) Head(w int, st *look.Style) string {
	switch {
	case f.Typing:
		return st.Accent.Render("/") + " " + FieldView(*f.In, max(min(w-4, 60), 16))
	case f.Query != "":
		return st.Accent.Render("/ "+look.Sentence(lessons.Line(f.Query), max(w-14, 8))) + st.Dim.Render("  esc: all")
	}
	return ""
}

// Problem returns the parse error of the filter as lines of w cells.
func (f Filter) Problem(w int, st *look.Style) []string {
	if f.Err == nil {
		return nil
	}
	var lines []string
	for _, l := range Wrap(lessons.Line(f.Err.Error()), w-4) {
		lines = append(lines, "  "+st.Warn.Render(l))
	}
	return lines
}
