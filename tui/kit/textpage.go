package kit

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"learnings/lessons"
	"learnings/tui/look"
)

// A TextPage is a text to read.
type TextPage struct {
	Title, Text string
	lines       func(w int, st *look.Style) []string // in place of text
	end         bool                                 // begin at its end
	Scroll
}

// pageW is how wide a page gets.
const pageW = 100

func (d TextPage) all(w int, st *look.Style) []string {
	if d.lines != nil {
		return d.lines(w, st)
	}
	return Wrap(lessons.Block(d.Text), max(w, 1))
}

func (d TextPage) Update(msg tea.Msg) (Dialog, Out) {
	n := func() int { return len(d.all(min(d.W, pageW)-4, Unseen)) }
	switch m := msg.(type) {
	case RoomMsg:
		d.RoomMsg = m
		if d.end {
			d.Top, d.end = n(), false
		}
		d.Scroll = d.By(0, n(), d.H-2)
	case tea.KeyPressMsg:
		if slices.Contains([]string{"esc", "q", "enter", "@"}, m.String()) {
			return nil, Out{}
		}
		d.Scroll = d.By(Scrolling(m, d.H-2), n(), d.H-2)
	case WheelMsg:
		d.Scroll = d.By(m.By, n(), d.H-2)
	}
	return d, Out{}
}

func (d TextPage) View(w, h int, st *look.Style) string {
	w = min(w, pageW)
	all := d.all(w-4, st)
	seen := Clip(all, d.Top, h-2)
	right := ""
	if rest := len(all) - d.Top - len(seen); rest > 0 {
		right = st.Dim.Render(fmt.Sprintf("↓%d", rest))
	}
	return Box{Title: st.Accent.Render(d.Title), Right: right, On: true}.Draw(Indented(seen), w, min(len(seen)+2, h), st)
}

func (d TextPage) Hints() []Hint {
	return []Hint{{Key: "j k", Foot: "scroll"}, {Key: "esc", Foot: "close"}}
}
