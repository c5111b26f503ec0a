package look

import (
	"math"
	"strings"
)

// Signs for states. Each is one cell wide and has an ASCII substitute: see [ASCII].
const (
	Cursor   = "▌" // has the keyboard focus
	Approved = "✓"
	Rejected = "✗"
	Merged   = "⊕"
	Alike    = "≈"
	Against  = "≠"
	Flagged  = "!"
	Marked   = "●" // or new
	Pinned   = "◆" // or evidence
	Other    = "◇" // evidence of another lesson
	Again    = "↻" // should be reviewed again
	Asleep   = "z"
	Archived = "▽"
	Edited   = "✎"
	Said     = "▎" // stands before the words of a person
)

// Spinner has the frames of the spinner.
var Spinner = []string{"⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"}

var ascii = strings.NewReplacer(pairs...)

// pairs lists the signs, each followed by its substitute.
var pairs = []string{
	"▌", ">", "▎", "|", "▏", "|", "│", "|", "─", "-", "━", "=", "╸", "=", "╺", "=", "┬", "-", "┴", "-", "┼", "+", "├", "|", "┤", "|",
	"╭", "+", "╮", "+", "╰", "+", "╯", "+", "┌", "+", "┐", "+", "└", "+", "┘", "+",
	"✓", "v", "✗", "x", "⊕", "&", "✎", "e", "≈", "~", "≠", "#", "●", "*", "○", "o", "◆", "*", "◇", "o", "↻", "@", "⟳", "@", "▽", "-",
	"▸", ">", "◂", "<", "‑", "-", "▾", "v", "▲", "^", "▼", "v", "≡", "=", "−", "-", "◀", "<", "→", ">", "←", "<", "↑", "^", "↓", "v", "⇅", "^", "·", ".", "…", "~", "×", "x", "‹", "<", "›", ">", "•", "*",
	"“", `"`, "”", `"`, "‘", "'", "’", "'", "–", "-", "—", "-",
	"▁", "_", "▂", "_", "▃", ".", "▄", "-", "▅", "-", "▆", "=", "▇", "#", "█", "#", "░", ".", "▒", ":", "▓", "+", "■", "#",
	"⠋", "-", "⠙", `\`, "⠹", "|", "⠸", "/", "⠼", "-", "⠴", `\`, "⠦", "|", "⠧", "/", "⠇", "-", "⠏", `\`,
}

// ASCII replaces the signs of this package with ASCII ones of the same width. Other
// letters stay.
func ASCII(frame string) string { return ascii.Replace(frame) }

// Bar draws share as a bar of w cells with a resolution of half a cell, the filled part
// in ink.
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
