package kit

import (
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"learnings/tui/look"
)

// Widths in this file are in terminal cells: a wide character takes two, a combining mark
// none.

// Fit returns s exactly w cells wide, cut with an ellipsis or padded.
func Fit(s string, w int) string {
	if w <= 0 {
		return ""
	}
	s = look.Bare(s)
	n := ansi.StringWidth(s)
	if n > w {
		s = ansi.Truncate(s, w, "…")
		n = ansi.StringWidth(s)
	}
	return s + strings.Repeat(" ", max(w-n, 0))
}

// Ends puts left and right at the ends of w cells. It cuts left first, and right only if
// right does not fit by itself.
func Ends(left, right string, w int) string {
	r := ansi.StringWidth(right)
	if r >= w {
		return Fit(right, w)
	}
	return Fit(left, w-r) + right
}

// Rightly right-aligns s in w cells, after at least one blank.
func Rightly(s string, w int) string { return strings.Repeat(" ", max(w-CellsOf(s), 1)) + s }

// CellsOf returns the width of s in cells.
func CellsOf(s string) int { return ansi.StringWidth(s) }

// Wrap breaks s into lines of at most w cells. Each line repeats the style that a break
// cuts.
func Wrap(s string, w int) []string {
	s = look.Bare(s)
	if strings.Contains(s, "\x1b") {
		return strings.Split(lipgloss.Wrap(s, max(w, 1), ""), "\n")
	}
	return strings.Split(ansi.Wrap(s, max(w, 1), ""), "\n")
}

// A Box is a frame around the lines of a dialog.
type Box struct {
	Title string // may be styled
	Right string // at the right end of the upper edge
}

// Draw draws lines in the frame, w by h cells with the frame, and cuts what does not fit.
func (b Box) Draw(lines []string, w, h int, st *look.Style) string {
	edge := st.Accent
	if w < 4 || h < 2 {
		return Joined(Block(lines, w, h))
	}
	in := w - 2
	var s strings.Builder
	s.WriteString(st.Dialog(edge.Render("╭") + b.top(in, edge) + edge.Render("╮")))
	bar := edge.Render("│")
	for _, l := range Block(lines, in, h-2) {
		s.WriteString("\n" + st.Dialog(bar+l+bar))
	}
	s.WriteString("\n" + st.Dialog(edge.Render("╰"+strings.Repeat("─", in)+"╯")))
	return s.String()
}

// top draws the upper edge between the corners: title, line, right.
func (b Box) top(w int, edge look.Ink) string {
	right := ""
	if b.Right != "" {
		right = edge.Render(" ") + b.Right + edge.Render(" ─")
	}
	if ansi.StringWidth(right) > w/2 {
		right = ""
	}
	room := w - ansi.StringWidth(right) - 3
	if room < 1 {
		return edge.Render(strings.Repeat("─", w))
	}
	title := ansi.Truncate(b.Title, room, "…")
	left := edge.Render("─ ") + title + edge.Render(" ")
	if b.Title == "" {
		left = ""
	}
	fill := max(w-ansi.StringWidth(left)-ansi.StringWidth(right), 0)
	return left + edge.Render(strings.Repeat("─", fill)) + right
}

// Block returns exactly h lines of exactly w cells.
func Block(lines []string, w, h int) []string {
	out := make([]string, max(h, 0))
	for i := range out {
		if i < len(lines) {
			out[i] = Fit(lines[i], w)
		} else {
			out[i] = strings.Repeat(" ", max(w, 0))
		}
	}
	return out
}

// Over lays front over back, whose lines are w wide, centered and a third of the way
// down.
func Over(back []string, front string, w int) []string {
	top := strings.Split(front, "\n")
	fw := 0
	for _, l := range top {
		fw = max(fw, ansi.StringWidth(l))
	}
	return Laid(back, top, max((w-fw)/2, 0), max((len(back)-len(top))/3, 0), w)
}

// Laid lays top over back, whose lines are w wide, with its upper left corner at x, y.
func Laid(back, top []string, x, y, w int) []string {
	fw := 0
	for _, l := range top {
		fw = max(fw, ansi.StringWidth(l))
	}
	for i, l := range top {
		if y+i >= len(back) {
			break
		}
		behind := back[y+i]
		right := ansi.Cut(behind, x+fw, w)
		if ansi.StringWidth(right) > w-x-fw {
			right = ansi.Cut(behind, x+fw+1, w)
		}
		pad := strings.Repeat(" ", max(w-x-fw-ansi.StringWidth(right), 0)) // replaces the half of a cut wide character
		back[y+i] = Fit(ansi.Truncate(behind, x, ""), x) + Fit(l, fw) + pad + right
	}
	return back
}

// Unseen is the style of text that is measured and not shown.
var Unseen = look.New(look.None, true, look.TrueColour)
