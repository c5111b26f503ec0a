package decide

import (
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"learnings/index/curate"
	"learnings/lessons"
	"learnings/tui/card"
	"learnings/tui/desk"
	"learnings/tui/kit"
	"learnings/tui/look"
)

// A TypedYes requires a typed word before a lesson with reasons to look twice is
// approved, so that no accidental key press approves it.
type TypedYes struct {
	desk.Chosen
	Action curate.Action   // the action of the word
	Typed  *lessons.Lesson // the lesson as typed; nil if it is as stored
	In     textinput.Model
}

func (d TypedYes) Update(msg tea.Msg) (kit.Dialog, kit.Out) {
	if k, ok := msg.(tea.KeyPressMsg); ok {
		switch k.String() {
		case "esc":
			if d.Typed != nil {
				return nil, kit.Say("not approved; your text is kept as a draft, i goes on with it")
			}
			return nil, kit.Say("not approved")
		case "enter":
			return d, kit.Say("type yes, or esc")
		}
	}
	var cmd tea.Cmd
	d.In, cmd = d.In.Update(msg)
	if strings.EqualFold(strings.TrimSpace(d.In.Value()), "yes") {
		return nil, kit.Out{Answer: desk.DecideMsg{Action: d.Action, Chosen: d.Chosen, Sure: true}}
	}
	return d, kit.Out{Cmd: cmd}
}

func (d TypedYes) View(w, h int, st *look.Style) string {
	w = min(w, desk.ConfirmW)
	lines := []string{""}
	l := d.Ls[0]
	if d.Typed != nil {
		l = *d.Typed
	}
	for _, s := range look.Lines(lessons.Line(kit.CutTo(l.Content, kit.MostShown)), w-6, max(min(3, h-6), 1)) {
		lines = append(lines, "  "+st.Strong.Render(s))
	}
	for _, f := range card.Flags(l) {
		lines = append(lines, kit.Indented(kit.Fact(look.Flagged+" flag", lessons.Line(f), w-4, st.Warn, st))...)
	}
	if room := max(h-5, 2); len(lines) > room {
		lines = append(lines[:room-1], "  "+st.Dim.Render("…"))
	}
	lines = append(lines, "", "  "+st.Accent.Render("type yes to approve it")+"  "+kit.FieldView(d.In, 8))
	return kit.Box{Title: st.Warn.Render("approve what is flagged?")}.Draw(lines, w, min(len(lines)+2, h), st)
}

func (d TypedYes) Hints() []kit.Hint {
	return []kit.Hint{{Key: "yes", Foot: "approves it"}, {Key: "esc", Foot: "leave it"}}
}
