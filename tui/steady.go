package tui

import (
	"regexp"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// keycap matches a letter or digit that invisible characters make an emoji, two cells
// wide.
var keycap = regexp.MustCompile("([ -~])\ufe0f\u20e3?")

// steady makes a line as wide on every terminal as it was measured. Terminals
// disagree about emoji that are made of several characters: some give a family of
// four two cells, others eight, which would break the frame around it. The layout
// counts two, so only the first of the family is shown.
func steady(line string) string {
	if ansi.StringWidth(line) == ansi.StringWidthWc(line) {
		return line
	}
	line = keycap.ReplaceAllString(line, "$1 ")
	var b strings.Builder
	var state byte
	for rest := line; len(rest) > 0; {
		seq, width, n, next := ansi.DecodeSequence(rest, state, nil)
		rest, state = rest[n:], next
		if width == 0 || ansi.StringWidthWc(seq) == width {
			b.WriteString(seq)
			continue
		}
		first := string([]rune(seq)[:1])
		if w := ansi.StringWidthWc(first); w > width || w != ansi.StringWidth(first) {
			first = "·"
		}
		b.WriteString(first + strings.Repeat(" ", max(width-ansi.StringWidthWc(first), 0)))
	}
	return b.String()
}
