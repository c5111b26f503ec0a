package kit

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"learnings/lessons"
	"learnings/lessons/guard"
	"learnings/tui/look"
)

// GutterW is the width of the gutter of a card: labels and speakers of up to seven
// letters, right-aligned, and two blanks.
const GutterW = 9

// Paragraph returns text made safe, wrapped, and cut to MostShown.
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

// Coded renders the lines of a wrapped text in ink, and its code in code. The lines must
// have no styles.
func Coded(lines []string, ink, code look.Ink) []string {
	spans, from := guard.Code(strings.Join(lines, " ")), 0
	for i, line := range lines {
		var b strings.Builder
		at := 0
		for ; len(spans) > 0 && spans[0][0] < from+len(line); spans = spans[1:] {
			start, end := max(spans[0][0]-from, at), min(spans[0][1]-from, len(line))
			b.WriteString(ink.Render(line[at:start]) + code.Render(line[start:end]))
			if at = end; spans[0][1] > from+len(line) {
				break // it goes on in the next line
			}
		}
		from += len(line) + 1
		lines[i] = b.String() + ink.Render(line[at:])
	}
	return lines
}

// Highlight renders lines in ink, and words in mark.
func Highlight(lines, words []string, ink, mark look.Ink) []string {
	for i, line := range lines {
		if text := ansi.Strip(line); slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) }) {
			lines[i] = Marked(text, words, ink, mark)
		}
	}
	return lines
}

// Marked renders text in ink, and words in mark, ignoring case.
func Marked(text string, words []string, ink, mark look.Ink) string {
	low := strings.ToLower(text)
	if len(low) != len(text) {
		return ink.Render(text) // lower case has another length
	}
	hit := make([]bool, len(text)+1)
	for _, w := range words {
		w = strings.ToLower(w)
		for from := 0; w != ""; {
			i := strings.Index(low[from:], w)
			if i < 0 {
				break
			}
			for j := range len(w) {
				hit[from+i+j] = true
			}
			from += i + len(w)
		}
	}
	var b strings.Builder
	for from, to := 0, 0; from < len(text); from = to {
		for to = from + 1; to < len(text) && hit[to] == hit[from]; to++ {
		}
		if hit[from] {
			b.WriteString(mark.Render(text[from:to]))
		} else {
			b.WriteString(ink.Render(text[from:to]))
		}
	}
	return b.String()
}

// Inked renders text in ink, and the words that is selects in mark. Adjacent ones are
// joined.
func Inked(text string, ink, mark look.Ink, is func(word string) bool) string {
	var b strings.Builder
	run := ""
	flush := func() {
		trimmed := strings.TrimRight(run, " ")
		b.WriteString(mark.Render(trimmed) + run[len(trimmed):])
		run = ""
	}
	for _, word := range strings.SplitAfter(text, " ") {
		if is(strings.TrimSpace(word)) {
			run += word
			continue
		}
		flush()
		b.WriteString(ink.Render(word))
	}
	flush()
	return b.String()
}

// Fact draws a label with text beside it. The caller must have made the text safe.
func Fact(name, text string, w int, ink look.Ink, st *look.Style) []string {
	return fact(name, text, GutterW, w, st.Dim, ink)
}

// WideFact is Fact with a label column of another width.
func WideFact(name string, label int, text string, w int, ink look.Ink, st *look.Style) []string {
	return fact(name, text, label, w, st.Dim, ink)
}

// InkedFact is Fact with a style for the label. The text may be styled.
func InkedFact(name, text string, w int, word, ink look.Ink) []string {
	return fact(name, text, GutterW, w, word, ink)
}

func fact(name, text string, label, w int, word, ink look.Ink) []string {
	lines := Wrap(text, max(w-label, 1))
	for i, l := range lines {
		lines[i] = Gutter(name, label, word) + ink.Render(l)
		name = ""
	}
	return lines
}

// Gutter right-aligns a label in a gutter, with two blanks after it.
func Gutter(name string, label int, ink look.Ink) string {
	name = ansi.Truncate(name, label-2, "")
	return strings.Repeat(" ", max(label-2-CellsOf(name), 0)) + ink.Render(name) + "  "
}
