package tui

import (
	"strings"

	"learnings/tui/look"
)

// A picturePlace is where a picture is on the page, in lines and cells of it.
type picturePlace struct{ X, Y, W, H int }

// A boardPage is all pictures in their places, at a width. It may be higher than the screen.
type boardPage struct {
	Places [pictures]picturePlace
	H      int
	tiers  []boardTier
	w      int
}

// A boardTier is pictures that are beside each other.
type boardTier struct {
	of []picture
	h  int
}

// narrowBoard is the width below which each picture has a line of its own.
const narrowBoard = 100

// pictureHeights are those that pictures need, title and all, and of those that grow with the screen how
// much.
var pictureHeights = [pictures]int{picGrowth: 8, picDays: 9, picMistakes: 6, picLanes: 6, picConfidence: 8, picGiven: 7, picUse: 8, picMinutes: 4}

// lay lays the pictures out for w cells, and spreads them over h lines where they are
// lower together.
func (b board) lay(w, h int) boardPage {
	p := boardPage{w: w}
	groups := [][]picture{{picGrowth, picDays}, {picMistakes, picLanes}, {picConfidence, picGiven, picUse}, {picMinutes}}
	if w < narrowBoard {
		groups = nil
		for i := range pictures {
			groups = append(groups, []picture{i})
		}
	}
	sum := 0
	for _, g := range groups {
		t := boardTier{of: g}
		for _, i := range g {
			t.h = max(t.h, b.needs(i, w))
		}
		p.tiers = append(p.tiers, t)
		sum += t.h + 1
	}
	grow := sum-1 < h && w >= narrowBoard
	for i := 0; grow && sum-1 < h; i = (i + 1) % 3 { // the last one needs no more
		p.tiers[i].h++
		sum++
	}
	for _, t := range p.tiers {
		x, n := 1, len(t.of)
		for i, pic := range t.of {
			cw := (w - 2 - 4*(n-1)) / n
			if i == n-1 {
				cw = w - 1 - x
			}
			p.Places[pic] = picturePlace{X: x, Y: p.H, W: cw, H: t.h}
			x += cw + 4
		}
		p.H += t.h + 1
	}
	p.H--
	return p
}

// needs is on a page of w cells how high a picture is where there is room, title and all: without anything
// to show, two lines.
func (b board) needs(p picture, w int) int {
	if b.figures == nil {
		return pictureHeights[p]
	}
	switch p {
	case picGrowth, picDays:
		if len(b.figures.Timeline.Days) == 0 {
			return 3
		}
	case picConfidence:
		if b.figures.Counts.Active+b.figures.Counts.Waiting() == 0 {
			return 3
		}
	case picMinutes:
		n := len(b.minuteRows())
		if w < 2*minuteW+2 {
			return 1 + max(n, 1)
		}
		return 2 + max((n+1)/2, 1)
	case picGiven:
		if _, none := b.unknown(); none {
			return 4
		}
	case picMistakes, picUse, picLanes:
		return min(max(len(b.rowsOf(p))+1, 3), pictureHeights[p])
	}
	return pictureHeights[p]
}

// lines draws the page, each picture in its place and a hairline between tiers. row is
// the one gone to in the picture in focus, or -1.
func (b board) lines(p boardPage, focus picture, row int, st *look.Style) []string {
	var lines []string
	for i, t := range p.tiers {
		if i > 0 {
			lines = append(lines, st.Rule.Render(strings.Repeat("─", p.w)))
		}
		parts := make([][]string, len(t.of))
		for j, pic := range t.of {
			at := p.Places[pic]
			parts[j] = b.draw(pic, at.W, at.H, pic == focus, row, st)
		}
		for y := range t.h {
			line := " "
			for j := range parts {
				if j > 0 {
					line += "    "
				}
				line += parts[j][y]
			}
			lines = append(lines, fit(line, p.w))
		}
	}
	return lines
}

// beside is the picture that lies in a direction of one, as far as there is one.
func (p boardPage) beside(from picture, dx, dy int) picture {
	for i, t := range p.tiers {
		for j, pic := range t.of {
			if pic != from {
				continue
			}
			i += dy
			if i < 0 || i >= len(p.tiers) {
				return from
			}
			of := p.tiers[i].of
			if dy != 0 {
				j = min(j*len(of)/len(t.of), len(of)-1)
			}
			j += dx
			if j < 0 || j >= len(of) {
				return from
			}
			return of[j]
		}
	}
	return from
}
