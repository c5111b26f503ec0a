package tui

import (
	tea "charm.land/bubbletea/v2"

	"learnings/lessons"
)

// typed is a key while the filter is being typed: the queue follows each one.
func (p review) typed(msg tea.Msg) (review, out) {
	if k, ok := msg.(tea.KeyPressMsg); ok {
		switch k.String() {
		case "enter":
			p.filter.typing = false
			return p.resize(p.w, p.h), out{}
		case "esc":
			return p.all()
		}
	}
	var cmd tea.Cmd
	p.filter.in, cmd = p.filter.in.Update(msg)
	if p.filter.in.Value() == p.filter.query {
		return p, out{cmd: cmd}
	}
	p.filter.query = p.filter.in.Value()
	p.queue = p.unmarked()
	p, o := p.start()
	return p, o.and(out{cmd: cmd})
}

// limit opens the line to type a filter in.
func (p review) limit() review {
	p.filter.typing = true
	p.filter.in = newField(p.filter.query)
	return p.resize(p.w, p.h)
}

// all takes the filter away.
func (p review) all() (review, out) {
	had := p.filter.query != ""
	p.filter = filter{}
	p = p.resize(p.w, p.h)
	if !had {
		return p, out{}
	}
	return p.start()
}

// lines show the filter above a list in a frame of w cells: what is being
// typed, or what is set, and why it cannot be read.
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
