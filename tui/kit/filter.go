package kit

import (
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"learnings/lessons"
	"learnings/tui/look"
)

// A Filter is a query that limits a list, and the line to type it in.
type Filter struct {
	Query  string
	Typing bool
	In     textinput.Model
	Err    error // why the query cannot be read
}

// Open opens the line to type in.
func (f Filter) Open() Filter {
	f.Typing, f.In = true, NewField(f.Query)
	return f
}

// Typed is a key, or pasted text, while the filter is being typed. Enter keeps it
// and esc takes it away.
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
	var cmd tea.Cmd
	f.In, cmd = f.In.Update(msg)
	f.Query = f.In.Value()
	return f, Out{Cmd: cmd}
}

// Head is the filter for the line above a list, in at most w cells: what is being typed,
// or what is set; "" when there is none.
func (f Filter) Head(w int, st *look.Style) string {
	switch {
	case f.Typing:
		return st.Accent.Render("/") + " " + FieldView(f.In, max(min(w-4, 60), 16))
	case f.Query != "":
		return st.Accent.Render("/ "+look.Sentence(lessons.Line(f.Query), max(w-14, 8))) + st.Dim.Render("  esc: all")
	}
	return ""
}

// Problem says above a list of w cells why the filter cannot be read.
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
