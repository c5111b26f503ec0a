package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"learnings/tui/desk"
	"learnings/tui/kit"
	"learnings/tui/look"
)

// askTrusts asks whether what the settings trust is the person's word. Until then it has no
// effect: an agent may have written it.
func askTrusts(fx desk.Desk) kit.Out {
	d := kit.Text{Title: "what is trusted", W: kit.AskW, Roomy: true, Leave: "not now"}
	d.Lines = func(w int, st *look.Style) []string {
		lines := kit.Paragraph("The settings trust more than you have confirmed. It has no effect before you do: an agent can write into that file, too.", w, st.Text)
		lines = append(append(lines, ""), kit.Paragraph(fx.Trusts, w, st.Strong)...)
		return append(append(lines, ""), kit.Paragraph("Is that yours?", w, st.Strong)...)
	}
	d.Keys = []kit.TextKey{{Keys: []string{"y"}, Foot: "it is mine", Do: func(kit.Text) (kit.Dialog, kit.Out) {
		return nil, kit.Run(func(context.Context) tea.Msg {
			if err := fx.ConfirmTrusts(); err != nil {
				return kit.OutMsg{Out: kit.Warn("it could not be confirmed: %v", err)}
			}
			return kit.OutMsg{Out: kit.Say("confirmed: hooks and commands go by it from now on, the desk when it is opened again")}
		})
	}}, {Keys: []string{"n"}}}
	return kit.Ask(d)
}
