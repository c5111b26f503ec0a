package kit

import (
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"learnings/lessons"
	"learnings/tui/look"
)

// A Scroll is a place in a text that is longer than the room for it.
type Scroll struct {
	RoomMsg
	Top int // first line in sight
}

// By scrolls some lines further in a text of n lines, of which h are in sight.
func (s Scroll) By(lines, n, h int) Scroll {
	s.Top = max(0, min(s.Top+lines, n-h))
	return s
}

// Scrolling is by how many lines a key or the wheel scrolls a text of which h lines
// are in sight; 0 for any other message.
func Scrolling(msg tea.Msg, h int) int {
	switch m := msg.(type) {
	case WheelMsg:
		return m.By
	case tea.KeyPressMsg:
		switch m.String() {
		case "j", "down":
			return 1
		case "k", "up":
			return -1
		case "J", "pgdown", "ctrl+d":
			return max(h/2, 1)
		case "K", "pgup", "ctrl+u":
			return -max(h/2, 1)
		case "G", "end":
			return 1 << 20
		case "g", "home":
			return -1 << 20
		}
	}
	return 0
}

// NewField is a line to type in. What it begins with is shown as every text is: without
// what a terminal would obey.
func NewField(value string) textinput.Model {
	in := textinput.New()
	in.Prompt = ""
	in.SetValue(typable(value))
	s := in.Styles()
	s.Cursor.Blink = false
	in.SetStyles(s)
	in.CursorEnd()
	in.Focus() // the command that it gives only makes the cursor blink
	return in
}

// typable is a text as a field may show it, with the space at its end that the next word
// needs.
func typable(text string) string {
	safe := lessons.Line(text)
	if strings.HasSuffix(text, " ") && safe != "" {
		safe += " "
	}
	return safe
}

// TypeInto passes a message to a line that a person types. The key is "esc" or "enter"
// when they leave it, with the text as it is then, or else "".
func TypeInto(in *textinput.Model, msg tea.Msg) (key, text string, cmd tea.Cmd) {
	if k, ok := msg.(tea.KeyPressMsg); ok && (k.String() == "esc" || k.String() == "enter") {
		return k.String(), strings.TrimSpace(in.Value()), nil
	}
	if m, ok := msg.(tea.PasteMsg); ok {
		msg = tea.PasteMsg{Content: typable(m.Content)}
	}
	*in, cmd = in.Update(msg)
	return "", "", cmd
}

// Choice is one line of several to choose from.
func Choice(current bool, k, text string, st *look.Style) string {
	if current {
		return st.Accent.Render(" ▌ "+k) + "  " + st.Strong.Render(text)
	}
	return "   " + st.Accent.Render(k) + "  " + text
}

// MostSentence is how much of a paste is taken: more than any sentence, and little enough
// that megabytes cost nothing.
const MostSentence = 20_000

// AskW is how wide a question about much is at most, with its frame.
const AskW = 84
