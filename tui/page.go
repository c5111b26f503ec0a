package tui

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

// A sheet is what a pane, or a dialog that fills the page, puts on it.
type sheet struct {
	head, right string // the line above the body: what this is, and where in it
	cols        []column
	stacked     bool     // the columns lie one below the other
	foot        []string // below the columns, after a hairline
	running     string
	brief       string // what of running must stay on a narrow line
}

// A column is a part of the body. Its size is that of [split].
type column struct {
	w, h         int
	title, right string // on a line of its own, or on the hairline where columns are stacked
	lines        []string
	more         int // lines below those in sight
	lit, n       int // the lines that a dialog speaks of: the first and how many
}

// room is the size of a screen and of its parts.
type room struct{ w, h int }

// lowH is the height up to which the hairline above the body is left out.
const lowH = 24

// top is how many lines are above the body.
func (r room) top() int {
	if r.h <= lowH {
		return 3
	}
	return 4
}

// body is the size of what panes fill.
func (r room) body() (w, h int) { return r.w, max(r.h-r.top()-3, 1) }

// floor is the size of what dialogs float on: all but tabs, running line and keys.
func (r room) floor() (w, h int) { return r.w, max(r.h-3, 1) }

// wide is the width from which on a list and its card lie side by side.
const wide = 84

// A split is how a list and a card share the body: side by side, with 39 % for the
// list, or stacked where it is narrow.
type split struct {
	stacked bool
	lw, lh  int // list
	cw, ch  int // card, without its title
	aw      int // the turns around the evidence, as high as the card; 0 for none
}

// stackedList is how many lines a list has above its card.
const stackedList = 5

func splitBody(w, h int) split {
	if w >= wide {
		lw := (w*39 + 50) / 100
		return split{lw: lw, lh: h, cw: w - lw - 1, ch: max(h-2, 1)}
	}
	lh := max(min(stackedList, h*2/5), 1) // a card without room is not looked at
	return split{stacked: true, lw: w, lh: lh, cw: w, ch: max(h-lh-1, 1)}
}

// draw lays a sheet out below the tabs, down to the hairline beneath the body. With
// dim, all but the lines that a dialog speaks of are in the colour of hairlines.
func (s sheet) draw(r room, dim bool, st *look.Style) []string {
	fade := func(l string) string {
		if dim {
			return st.Fade(l)
		}
		return l
	}
	lines := []string{fade(ends(" "+s.head, s.right+" ", r.w))}
	if r.h > lowH {
		lines = append(lines, s.hairline(r.w, "┬", false, st))
	}
	w, h := r.body()
	body := s.side(dim, st)
	if s.stacked {
		body = s.stack(dim, st)
	}
	if len(s.foot) > 0 {
		body = append(body, s.hairline(r.w, "┴", true, st))
		body = append(body, faded(slices.Clone(s.foot), dim, 0, 0, st)...)
		lines = append(lines, block(body, w, h)...)
		return append(lines, st.Rule.Render(strings.Repeat("─", max(r.w, 0))))
	}
	lines = append(lines, block(body, w, h)...)
	return append(lines, s.hairline(r.w, "┴", true, st))
}

// side lays columns side by side.
func (s sheet) side(dim bool, st *look.Style) []string {
	rule := st.Rule.Render("│")
	var lines []string
	for i, c := range s.cols {
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
func (c column) all(dim bool, st *look.Style) []string {
	lines, lit := c.lines, c.lit
	if c.title != "" || c.right != "" {
		title := ansi.Truncate(" "+c.title, max(c.w-ansi.StringWidth(c.right)-2, 1), "…")
		lines = append([]string{ends(title, c.right+" ", c.w), ""}, lines...)
		lit += 2
	}
	return faded(block(lines, c.w, c.h), dim, lit, c.n, st)
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
func (s sheet) stack(dim bool, st *look.Style) []string {
	var lines []string
	for i, c := range s.cols {
		if i > 0 {
			right := ""
			if c.right != "" {
				right = " " + c.right + " " + st.Rule.Render("─")
			}
			left := st.Rule.Render("─ ") + ansi.Truncate(c.title, max(c.w-ansi.StringWidth(right)-4, 0), "…") + " "
			fill := max(c.w-ansi.StringWidth(left)-ansi.StringWidth(right), 0)
			lines = append(lines, faded([]string{fit(left+st.Rule.Render(strings.Repeat("─", fill))+right, c.w)}, dim, 0, 0, st)...)
		}
		lines = append(lines, faded(block(c.lines, c.w, c.h), dim, c.lit, c.n, st)...)
	}
	return lines
}

// hairline is a line with a sign where a hairline between columns ends. The lower one
// says how much more there is of a column.
func (s sheet) hairline(w int, end string, lower bool, st *look.Style) string {
	var b strings.Builder
	x := 0
	for i, c := range s.cols {
		cw := c.w
		if s.stacked || i == len(s.cols)-1 {
			cw = w - x
			c.more = s.cols[len(s.cols)-1].more
		}
		if lower && c.more > 0 && cw > 20 {
			more := " " + st.Strong.Render(spelt("‹scroll-down J›", st)) + st.Dim.Render(" "+grouped(c.more)+" more") + " "
			b.WriteString(st.Rule.Render(strings.Repeat("─", cw-ansi.StringWidth(more)-1)) + more + st.Rule.Render("─"))
		} else {
			b.WriteString(st.Rule.Render(strings.Repeat("─", max(cw, 0))))
		}
		if x += cw + 1; s.stacked || i == len(s.cols)-1 {
			break
		}
		b.WriteString(st.Rule.Render(end))
	}
	return b.String()
}
