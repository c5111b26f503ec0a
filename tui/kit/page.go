package kit

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"learnings/tui/look"
)

// This file lays the page out. It is one page, not boxes in boxes:
//
//	tabs, and the scope
//	hairline, heavy under the active tab
//	what this list is                      head
//	hairline                               left out on low screens
//	body                                   columns, with one hairline between two
//	hairline
//	what was done, and the last decision   running
//	keys
//
// Only what floats has a frame.

// A Sheet is what a pane, or a dialog that fills the page, puts on it.
type Sheet struct {
	Head, Right string // the line above the body: what this is, and where in it
	Cols        []Column
	Stacked     bool     // the columns lie one below the other
	Foot        []string // below the columns, after a hairline
	Running     string
	Brief       string // what of running must stay on a narrow line
}

// A Column is a part of the body. Its size is that of [split].
type Column struct {
	W, H         int
	Title, Right string // on a line of its own, or on the hairline where columns are stacked
	Lines        []string
	More         int // lines below those in sight
	Lit, N       int // the lines that a dialog speaks of: the first and how many
}

// Room is the size of a screen and of its parts.
type Room struct{ W, H int }

// LowH is the height up to which the hairline above the body is left out.
const LowH = 24

// Top is how many lines are above the body.
func (r Room) Top() int {
	if r.H <= LowH {
		return 3
	}
	return 4
}

// Body is the size of what panes fill.
func (r Room) Body() (w, h int) { return r.W, max(r.H-r.Top()-3, 1) }

// Floor is the size of what dialogs float on: all but tabs, running line and keys.
func (r Room) Floor() (w, h int) { return r.W, max(r.H-3, 1) }

// Wide is the width from which on a list and its card lie side by side.
const Wide = 84

// A Split is how a list and a card share the body: side by side, with 39 % for the
// list, or stacked where it is narrow.
type Split struct {
	Stacked bool
	Lw, Lh  int // list
	Cw, Ch  int // card, without its title
	Aw      int // the turns around the evidence, as high as the card; 0 for none
}

// stackedList is how many lines a list has above its card.
const stackedList = 5

// SplitBody divides a body of w by h cells.
func SplitBody(w, h int) Split {
	if w >= Wide {
		lw := (w*39 + 50) / 100
		return Split{Lw: lw, Lh: h, Cw: w - lw - 1, Ch: max(h-2, 1)}
	}
	lh := max(min(stackedList, h*2/5), 1) // a card without room is not looked at
	return Split{Stacked: true, Lw: w, Lh: lh, Cw: w, Ch: max(h-lh-1, 1)}
}

// Draw lays a sheet out below the tabs, down to the hairline beneath the body. With
// dim, all but the lines that a dialog speaks of are in the colour of hairlines.
func (s Sheet) Draw(r Room, dim bool, st *look.Style) []string {
	fade := func(l string) string {
		if dim {
			return st.Fade(l)
		}
		return l
	}
	lines := []string{fade(Ends(" "+s.Head, s.Right+" ", r.W))}
	if r.H > LowH {
		lines = append(lines, s.hairline(r.W, "┬", false, st))
	}
	w, h := r.Body()
	body := s.side(dim, st)
	if s.Stacked {
		body = s.stack(dim, st)
	}
	if len(s.Foot) > 0 {
		body = append(body, s.hairline(r.W, "┴", true, st))
		body = append(body, faded(slices.Clone(s.Foot), dim, 0, 0, st)...)
		lines = append(lines, Block(body, w, h)...)
		return append(lines, st.Rule.Render(strings.Repeat("─", max(r.W, 0))))
	}
	lines = append(lines, Block(body, w, h)...)
	return append(lines, s.hairline(r.W, "┴", true, st))
}

// side lays columns side by side.
func (s Sheet) side(dim bool, st *look.Style) []string {
	rule := st.Rule.Render("│")
	var lines []string
	for i, c := range s.Cols {
		for y, l := range c.all(dim, st) {
			if i == 0 {
				lines = append(lines, l)
			} else if y < len(lines) {
				lines[y] += rule + l
			}
		}
	}
	return lines
}

// all are the lines of a column that lies beside another.
func (c Column) all(dim bool, st *look.Style) []string {
	lines, lit := c.Lines, c.Lit
	if c.Title != "" || c.Right != "" {
		title := ansi.Truncate(" "+c.Title, max(c.W-ansi.StringWidth(c.Right)-2, 1), "…")
		lines = append([]string{Ends(title, c.Right+" ", c.W), ""}, lines...)
		lit += 2
	}
	return faded(Block(lines, c.W, c.H), dim, lit, c.N, st)
}

func faded(lines []string, dim bool, lit, n int, st *look.Style) []string {
	for y := range lines {
		if dim && (y < lit || y >= lit+n) {
			lines[y] = st.Fade(lines[y])
		}
	}
	return lines
}

// stack lays columns one below the other, each after the first below a hairline with
// its title.
func (s Sheet) stack(dim bool, st *look.Style) []string {
	var lines []string
	for i, c := range s.Cols {
		if i > 0 {
			right := ""
			if c.Right != "" {
				right = " " + c.Right + " " + st.Rule.Render("─")
			}
			left := st.Rule.Render("─ ") + ansi.Truncate(c.Title, max(c.W-ansi.StringWidth(right)-4, 0), "…") + " "
			fill := max(c.W-ansi.StringWidth(left)-ansi.StringWidth(right), 0)
			lines = append(lines, faded([]string{Fit(left+st.Rule.Render(strings.Repeat("─", fill))+right, c.W)}, dim, 0, 0, st)...)
		}
		lines = append(lines, faded(Block(c.Lines, c.W, c.H), dim, c.Lit, c.N, st)...)
	}
	return lines
}

// hairline is a line with a sign where a hairline between columns ends. The lower one
// says how much more there is of a column.
func (s Sheet) hairline(w int, end string, lower bool, st *look.Style) string {
	var b strings.Builder
	x := 0
	for i, c := range s.Cols {
		cw := c.W
		if s.Stacked || i == len(s.Cols)-1 {
			cw = w - x
			c.More = s.Cols[len(s.Cols)-1].More
		}
		if lower && c.More > 0 && cw > 20 {
			more := " " + st.Strong.Render("J") + st.Dim.Render(" "+Grouped(c.More)+" more") + " "
			b.WriteString(st.Rule.Render(strings.Repeat("─", cw-ansi.StringWidth(more)-1)) + more + st.Rule.Render("─"))
		} else {
			b.WriteString(st.Rule.Render(strings.Repeat("─", max(cw, 0))))
		}
		if x += cw + 1; s.Stacked || i == len(s.Cols)-1 {
			break
		}
		b.WriteString(st.Rule.Render(end))
	}
	return b.String()
}
