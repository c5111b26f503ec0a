package kit

import (
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"learnings/tui/look"
)

// This file draws frames and fits text to them. Widths are in cells, measured as a
// terminal does: a wide character takes two, a combining mark none.

// Fit makes s exactly w cells wide: cut with an ellipsis, or filled up.
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

// Ends puts left and right at the two ends of w cells. What does not fit is cut
// from left, and from right only when that alone is too wide.
func Ends(left, right string, w int) string {
	r := ansi.StringWidth(right)
	if r >= w {
		return Fit(right, w)
	}
	return Fit(left, w-r) + right
}

// Rightly is a text at the right of w cells, with one blank before it at least.
func Rightly(s string, w int) string { return strings.Repeat(" ", max(w-CellsOf(s), 1)) + s }

// CellsOf is how many cells a text takes.
func CellsOf(s string) int { return ansi.StringWidth(s) }

// Wrap breaks text into lines of at most w cells. A look that a break cuts goes on in
// the next line.
func Wrap(s string, w int) []string {
	s = look.Bare(s)
	if strings.Contains(s, "\x1b") {
		return strings.Split(lipgloss.Wrap(s, max(w, 1), ""), "\n")
	}
	return strings.Split(ansi.Wrap(s, max(w, 1), ""), "\n")
}

// A Box is a frame around lines. Only dialogs have one: what is on the page has not.
type Box struct {
	Title string // styled or not
	Right string // at the right end of the upper edge
}

// Draw puts lines into the frame; w and h include the frame. What does not fit is
// cut.
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

// top is the upper edge between the corners: title, line, right.
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

// Block makes exactly h lines of exactly w cells.
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

// Over puts a block in the middle of lines that are w wide, a third of the way down.
func Over(back []string, front string, w int) []string {
	top := strings.Split(front, "\n")
	fw := 0
	for _, l := range top {
		fw = max(fw, ansi.StringWidth(l))
	}
	return Laid(back, top, max((w-fw)/2, 0), max((len(back)-len(top))/3, 0), w)
}

// Laid puts a block over lines that are w wide, with its corner at x and y.
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
		pad := strings.Repeat(" ", max(w-x-fw-ansi.StringWidth(right), 0)) // of a wide character that was cut
		back[y+i] = Fit(ansi.Truncate(behind, x, ""), x) + Fit(l, fw) + pad + right
	}
	return back
}

// Unseen is for texts that are measured, and not shown.
var Unseen = look.New(look.None, true)
