package look

import (
	"math"
	"strings"
)

// Signs that stand for a state. Each is one cell wide, and has a sign of ASCII for
// terminals without it: see [ASCII].
const (
	Cursor   = "▌" // the one place that has the keys
	Approved = "✓"
	Rejected = "✗"
	Merged   = "⊕"
	Alike    = "≈"
	Against  = "≠"
	Flagged  = "!"
	Marked   = "●" // or new
	Pinned   = "◆" // or evidence
	Other    = "◇" // evidence of another one
	Again    = "↻" // to be looked at again
	Asleep   = "z"
	Archived = "▽"
	Edited   = "✎"
	Said     = "▎" // stands before the words of a person
)

// Spinner has the pictures of what is under way, one after the other.
var Spinner = []string{"⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"}

var ascii = strings.NewReplacer(pairs...)

// pairs are the signs, each with what stands for it.
var pairs = []string{
	"▌", ">", "▎", "|", "▏", "|", "│", "|", "─", "-", "━", "=", "╸", "=", "╺", "=", "┬", "-", "┴", "-", "┼", "+", "├", "|", "┤", "|",
	"╭", "+", "╮", "+", "╰", "+", "╯", "+", "┌", "+", "┐", "+", "└", "+", "┘", "+",
	"✓", "v", "✗", "x", "⊕", "&", "✎", "e", "≈", "~", "≠", "#", "●", "*", "○", "o", "◆", "*", "◇", "o", "↻", "@", "⟳", "@", "▽", "-",
	"▸", ">", "◂", "<", "‑", "-", "▾", "v", "▲", "^", "▼", "v", "≡", "=", "−", "-", "◀", "<", "→", ">", "←", "<", "↑", "^", "↓", "v", "⇅", "^", "·", ".", "…", "~", "×", "x", "‹", "<", "›", ">", "•", "*",
	"“", `"`, "”", `"`, "‘", "'", "’", "'", "–", "-", "—", "-",
	"▁", "_", "▂", "_", "▃", ".", "▄", "-", "▅", "-", "▆", "=", "▇", "#", "█", "#", "░", ".", "▒", ":", "▓", "+", "■", "#",
	"⠋", "-", "⠙", `\`, "⠹", "|", "⠸", "/", "⠼", "-", "⠴", `\`, "⠦", "|", "⠧", "/", "⠇", "-", "⠏", `\`,
}

// ASCII returns a frame with a sign of ASCII, as wide, for each sign of this package. Letters
// that are not ASCII stay.
func ASCII(frame string) string { return ascii.Replace(frame) }

// Bar is a horizontal amount of w cells: the part that is full heavy, half a cell told
// apart, in ink.
func (s *Style) Bar(share float64, w int, ink Ink) string {
	if w <= 0 {
		return ""
	}
	if math.IsNaN(share) {
		share = 0
	}
	halves := int(math.Round(max(0, min(share, 1)) * float64(2*w)))
	full := strings.Repeat("━", halves/2)
	if halves%2 == 1 {
		full += "╸"
	}
	return ink.Render(full) + s.Rule.Render(strings.Repeat("─", w-halves/2-halves%2))
}

// Grade is the ink for a share of which 0.8 and more is good.
func (s *Style) Grade(share float64) Ink {
	switch {
	case share >= 0.8:
		return s.OK
	case share >= 0.5:
		return s.Text
	}
	return s.Dim
}
