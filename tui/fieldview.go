package tui

import (
	"strings"

	"charm.land/bubbles/v2/textinput"
	"github.com/charmbracelet/x/ansi"

	"learnings/lessons"
	"learnings/tui/look"
)

// A character is what a person sees as one, which may be of several: a mark on a letter,
// an emoji of a family.
type character struct {
	shown string
	w     int // cells
	runes int // of the text
}

// characters are those of a text. What is not seen takes no room.
func characters(text string) []character {
	var all []character
	for text != "" {
		c, _ := ansi.FirstGraphemeCluster(text, ansi.GraphemeWidth)
		text = text[len(c):]
		next := character{shown: look.Bare(c), runes: len([]rune(c))}
		if c != " " {
			next.shown = lessons.Line(next.shown)
		}
		if next.w = cellsOf(next.shown); next.w == 0 && len(all) > 0 {
			all[len(all)-1].shown += next.shown
			all[len(all)-1].runes += next.runes
			continue
		}
		all = append(all, next)
	}
	return all
}

// fieldView draws a field in w cells, with the cursor in sight.
func fieldView(in textinput.Model, w int) string {
	all := characters(in.Value())
	at, n := len(all), 0
	for i, c := range all {
		if n += c.runes; n > in.Position() {
			at = i
			break
		}
	}
	all = append(all, character{shown: " ", w: 1}) // behind the end
	from, used := at, max(all[at].w, 1)
	for ahead := at + 1; ahead < len(all)-1 && used+all[ahead].w <= max(w/4, 1); ahead++ {
		used += all[ahead].w // some of what comes stays in sight
	}
	for from > 0 && used+all[from-1].w <= w {
		from--
		used += all[from].w
	}
	var b strings.Builder
	room := w
	for i := from; i < len(all) && all[i].w <= room; i++ {
		room -= max(all[i].w, 0)
		if i == at {
			b.WriteString("\x1b[7m" + all[i].shown + "\x1b[m") // the cursor
		} else {
			b.WriteString(all[i].shown)
		}
	}
	return fit(b.String(), w)
}
