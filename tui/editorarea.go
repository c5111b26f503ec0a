package tui

import (
	"strings"

	"charm.land/bubbles/v2/textarea"
	tea "charm.land/bubbletea/v2"

	"learnings/lessons"
)

// This file is the fields of the editor that have several lines: the sentence, the reason
// and the example.

// mostReason is how much of a reason is taken.
const mostReason = lessons.MaxContent

// newArea is a field of several lines.
func newArea(value string, most int, breaks bool) textarea.Model {
	in := textarea.New()
	in.Prompt, in.ShowLineNumbers, in.CharLimit = "", false, most
	in.DynamicHeight, in.MinHeight, in.MaxContentHeight = true, 1, 5000
	in.KeyMap.InsertNewline.SetEnabled(breaks)
	s := in.Styles()
	s.Cursor.Blink = false
	s.Focused = textarea.StyleState{}
	in.SetStyles(s)
	in.SetWidth(60)
	in.SetValue(value)
	in.MoveToEnd()
	in.Focus() // the command that it gives only makes the cursor blink
	return in
}

// areaUpdated is a field after a key or a paste. Other than in the widget, ctrl+u takes
// out all that is before the cursor, and not of its line alone: a reason that another
// program wrote has twenty lines.
func areaUpdated(in textarea.Model, msg tea.Msg) (textarea.Model, tea.Cmd) {
	if k, ok := msg.(tea.KeyPressMsg); !ok || k.String() != "ctrl+u" || in.Line() == 0 {
		return in.Update(msg)
	}
	lines := strings.Split(in.Value(), "\n")
	rest := []rune(lines[in.Line()])
	lines = append([]string{string(rest[min(in.Column(), len(rest)):])}, lines[in.Line()+1:]...)
	in.SetValue(strings.Join(lines, "\n"))
	in.MoveToBegin()
	return in, nil
}

// atEdge reports that the cursor cannot go further up or down within an entry.
func (d editor) atEdge(by int) bool {
	if d.at > inExample {
		return true
	}
	in := &d.areas[d.at]
	if line := in.LineInfo(); by > 0 {
		return in.Line() == in.LineCount()-1 && line.RowOffset >= line.Height-1
	} else {
		return in.Line() == 0 && line.RowOffset == 0
	}
}
