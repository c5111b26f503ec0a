package kit

import (
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"learnings/lessons"
	"learnings/tui/look"
)

// A Scroll is a position in a text longer than its window.
type Scroll struct {
	RoomMsg
	Top int // first visible line
}

// By scrolls a text of n lines in a window of h lines.
func (s Scroll) By(lines, n, h int) Scroll {
	s.Top = max(0, min(s.Top+lines, n-h))
	return s
}

// Scrolling returns how many lines msg scrolls a window of h lines, 0 if msg does not
// scroll.
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

// NewField returns a text input that holds value without control characters.
func NewField(value string) textinput.Model {
	in := textinput.New()
	in.Prompt = ""
	in.SetValue(typable(value))
	s := in.Styles()
	s.Cursor.Blink = false
	in.SetStyles(s)
	in.CursorEnd()
	in.Focus() // the returned command only makes the cursor blink
	return in
}

// typable makes text safe for a field. It keeps one trailing space, so that the person
// can type the next word.
func typable(text string) string {
	safe := lessons.Line(text)
	if strings.HasSuffix(text, " ") && safe != "" {
		safe += " "
	}
	return safe
}

// TypeInto passes msg to a text input. It returns the key "esc" or "enter" and the text
// when that key ends the input, "" otherwise.
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

// Choice draws one line of a list of choices.
func Choice(current bool, k, text string, st *look.Style) string {
	if current {
		return st.Accent.Render(" ▌ "+k) + "  " + st.Strong.Render(text)
	}
	return "   " + st.Accent.Render(k) + "  " + text
}

// MostSentence limits how many bytes of a paste are kept, so that pasting megabytes is
// cheap.
const MostSentence = 20_000

// AskW is the largest width of a question with a list, frame included.
const AskW = 84
