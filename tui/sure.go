package tui

import (
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"learnings/index/curate"
	"learnings/lessons"
	"learnings/tui/look"
)

// A typedYes asks for a word before a lesson is approved for which there are reasons to
// look twice: no key that is pressed once too often approves one.
type typedYes struct {
	chosen
	action curate.Action   // that the word makes
	typed  *lessons.Lesson // as it was typed; nil for one that is as it is stored
	in     textinput.Model
}

func (d typedYes) update(msg tea.Msg) (dialog, out) {
	if k, ok := msg.(tea.KeyPressMsg); ok {
		switch k.String() {
		case "esc":
			if d.typed != nil {
				return nil, say("not approved; your text is kept as a draft, ‹edit-line i› goes on with it")
			}
			return nil, say("not approved")
		case "enter":
			return d, say("type yes, or esc")
		}
	}
	var cmd tea.Cmd
	d.in, cmd = d.in.Update(msg)
	if strings.EqualFold(strings.TrimSpace(d.in.Value()), "yes") {
		return nil, out{answer: decideMsg{action: d.action, chosen: d.chosen, sure: true}}
	}
	return d, out{cmd: cmd}
}

func (d typedYes) view(w, h int, st *look.Style) string {
	w = min(w, confirmW)
	lines := []string{""}
	l := d.ls[0]
	if d.typed != nil {
		l = *d.typed
	}
	for _, s := range look.Lines(lessons.Line(cutTo(l.Content, shown)), w-6, max(min(3, h-6), 1)) {
		lines = append(lines, "  "+st.Strong.Render(s))
	}
	for _, f := range flags(l) {
		lines = append(lines, indented(field(look.Flagged+" flag", lessons.Line(f), w-4, st.Warn, st))...)
	}
	if room := max(h-5, 2); len(lines) > room {
		lines = append(lines[:room-1], "  "+st.Dim.Render("…"))
	}
	lines = append(lines, "", "  "+st.Accent.Render("type yes to approve it")+"  "+fieldView(d.in, 8))
	return box{title: st.Warn.Render("approve what is flagged?"), on: true}.draw(lines, w, min(len(lines)+2, h), st)
}

func (d typedYes) hints() []hint {
	return []hint{{key: "yes", foot: "approves it"}, {key: "esc", foot: "leave it"}}
}
