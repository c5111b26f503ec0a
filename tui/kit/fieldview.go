package kit

import (
	"strings"

	"charm.land/bubbles/v2/textinput"
	"github.com/charmbracelet/x/ansi"

	"learnings/lessons"
	"learnings/tui/look"
)

// A character is one grapheme cluster, such as a letter with a combining mark or an emoji
// of several runes.
type character struct {
	Shown string
	W     int // cells
	Runes int // number of runes in the text
}

// Characters splits text into grapheme clusters. Invisible ones have width 0.
func Characters(text string) []character {
	var all []character
	for text != "" {
		c, _ := ansi.FirstGraphemeCluster(text, ansi.GraphemeWidth)
		text = text[len(c):]
		next := character{Shown: look.Bare(c), Runes: len([]rune(c))}
		if c != " " {
			next.Shown = lessons.Line(next.Shown)
		}
		if next.W = CellsOf(next.Shown); next.W == 0 && len(all) > 0 {
			all[len(all)-1].Shown += next.Shown
			all[len(all)-1].Runes += next.Runes
			continue
		}
		all = append(all, next)
	}
	return all
}

// FieldView draws a text input in w cells and keeps the cursor visible.
func FieldView(in textinput.Model, w int) string {
	all := Characters(in.Value())
	at, n := len(all), 0
	for i, c := range all {
		if n += c.Runes; n > in.Position() {
			at = i
			break
		}
	}
	all = append(all, character{Shown: " ", W: 1}) // the cursor at the end of the text
	from, used := at, max(all[at].W, 1)
	for ahead := at + 1; ahead < len(all)-1 && used+all[ahead].W <= max(w/4, 1); ahead++ {
		used += all[ahead].W // keeps some of the following text visible
	}
	for from > 0 && used+all[from-1].W <= w {
		from--
		used += all[from].W
	}
	var b strings.Builder
	room := w
	for i := from; i < len(all) && all[i].W <= room; i++ {
		room -= max(all[i].W, 0)
		if i == at {
			b.WriteString("\x1b[7m" + all[i].Shown + "\x1b[m") // the cursor
		} else {
			b.WriteString(all[i].Shown)
		}
	}
	return Fit(b.String(), w)
}
