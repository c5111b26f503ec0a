package render

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"learnings/cmd/internal/term"
	"learnings/lessons"
	"learnings/tui/card"
	"learnings/tui/kit"
	"learnings/tui/look"
)

// This file draws lessons on a terminal as the desk does.

// LookOf returns how lessons look on a terminal: in the theme of the desk, unless that goes
// by the background and the terminal does not say it in COLORFGBG. Then it is the terminal's
// own colours: asking would wait for an answer and could take what is typed ahead.
func LookOf(theme string, colour bool, getenv func(string) string) *look.Style {
	ground := getenv("COLORFGBG")
	ground = ground[strings.LastIndexByte(ground, ';')+1:]
	light := ground == "7" || ground == "15"
	switch {
	case !colour:
		theme = look.None
	case theme == look.Auto && ground == "":
		theme, light = look.Terminal, true // whose plain colours are legible on most grounds
	}
	depth := look.Colours16
	if strings.Contains(getenv("TERM"), "256color") {
		depth = look.Colours256
	}
	if c := getenv("COLORTERM"); c == "truecolor" || c == "24bit" {
		depth = look.TrueColour
	}
	return look.New(theme, !light, depth)
}

// mostWide is the greatest width of a lesson, for the eyes.
const mostWide = 110

// write prints drawn lines, without styles where the terminal has none.
func write(p *term.Page, lines ...string) {
	for _, l := range lines {
		if !p.Colour {
			l = ansi.Strip(l)
		}
		fmt.Fprintln(p.W, strings.TrimRight(l, " "))
	}
}

// heading prints the title of a list and its size.
func heading(p *term.Page, title, size string, st *look.Style) {
	write(p, kit.Ends(" "+st.Strong.Render(lessons.Line(title)), st.Dim.Render(size), min(p.Width, mostWide)), "")
}

// row prints a lesson of a list in two lines, its project and id at the right, and below it
// what else there is to say.
func row(p *term.Page, l lessons.Lesson, hits []string, now time.Time, st *look.Style, notes ...string) {
	w := min(p.Width, mostWide)
	side := max(kit.CellsOf(string(l.ID)), min(w/5, 16))
	text := append(card.Row{Lesson: l, Hits: hits}.Sentence(max(w-card.RowText-side-2, 8), 2, st), "")
	where := cmp.Or(lessons.Line(l.Scope.Project), "every project")
	if l.Scope.Global {
		where = "every project"
	}
	right := func(s string) string { return kit.Rightly(s, side+1) }
	write(p, kit.Ends(" "+card.Standing(l, now, st)+" "+st.Dim.Render(kit.Fit(look.Tag(lessons.Line(string(l.Category))), card.RowBar))+" "+text[0], right(st.Place.Render(look.Sentence(where, side))), w),
		kit.Ends("   "+card.TrustBar(l, card.RowBar, st)+" "+text[1], right(st.Dim.Render(string(l.ID))), w))
	for _, note := range notes {
		if note == "" {
			continue
		}
		for _, line := range look.Lines(lessons.Line(note), w-card.RowText, 2) {
			write(p, kit.Fit("", card.RowText)+st.Dim.Render(line))
		}
	}
}
