package kit

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"learnings/lessons"
	"learnings/tui/look"
)

// GutterW is the width of the gutter of a card: words of seven letters at most, at its
// right, and two cells. Who spoke is such a word too.
const GutterW = 9

// Paragraph is text made safe, wrapped and cut to what is shown.
func Paragraph(text string, w int, ink look.Ink) []string {
	text = strings.TrimRight(text, "\n ")
	cut := len(text) > MostShown
	if cut {
		text = strings.ToValidUTF8(text[:MostShown], "")
	}
	lines := Wrap(lessons.Block(text), w)
	for i, l := range lines {
		lines[i] = ink.Render(l)
	}
	if cut {
		lines = append(lines, "…")
	}
	return lines
}

// Highlight returns lines of one look with words in another.
func Highlight(lines, words []string, ink, mark look.Ink) []string {
	for i, line := range lines {
		text := ansi.Strip(line)
		if !slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) }) {
			continue
		}
		var b strings.Builder
		for text != "" {
			at, end := len(text), len(text)
			for _, w := range words {
				if k := strings.Index(text, w); k >= 0 && k < at && w != "" {
					at, end = k, k+len(w)
				}
			}
			b.WriteString(ink.Render(text[:at]) + mark.Render(text[at:end]))
			text = text[end:]
		}
		lines[i] = b.String()
	}
	return lines
}

// Fact is a word at the left with text beside it. The caller must have made the
// text safe.
func Fact(name, text string, w int, ink look.Ink, st *look.Style) []string {
	return WideFact(name, GutterW, text, w, ink, st)
}

// WideFact is a field whose word has a column of another width.
func WideFact(name string, label int, text string, w int, ink look.Ink, st *look.Style) []string {
	lines := Wrap(text, max(w-label, 1))
	for i, l := range lines {
		if i > 0 {
			name = ""
		}
		lines[i] = Gutter(name, label, st.Dim) + ink.Render(l)
	}
	return lines
}

// InkedFact is a field whose word has a look of its own, too. The text may have looks.
func InkedFact(name, text string, w int, word, ink look.Ink) []string {
	lines := Wrap(text, max(w-GutterW, 1))
	for i, l := range lines {
		if i > 0 {
			name = ""
		}
		lines[i] = Gutter(name, GutterW, word) + ink.Render(l)
	}
	return lines
}

// Gutter is a word at the right of a gutter, with two cells behind it.
func Gutter(name string, label int, ink look.Ink) string {
	name = ansi.Truncate(name, label-2, "")
	return strings.Repeat(" ", max(label-2-CellsOf(name), 0)) + ink.Render(name) + "  "
}
