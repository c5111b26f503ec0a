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

// A Sheet is the content of a page, drawn by a pane or a dialog.
type Sheet struct {
	Head, Right string // the line above the body: what is shown, and the position in it
	Cols        []Column
	Stacked     bool     // the columns lie one below the other
	Foot        []string // below the columns, after a hairline
	Running     string
	Brief       string // the part of running that a narrow line keeps
}

// A Column is a part of the body. [SplitBody] gives its size.
type Column struct {
	W, H         int
	Title, Right string // on a line of its own, or on the hairline where columns are stacked
	Lines        []string
	More         int // lines below the visible ones
	Lit, N       int // the lines that a dialog is about: the first and their number
}

// Room is the size of the screen.
type Room struct{ W, H int }

// LowH is the greatest height at which the hairline above the body is left out.
const LowH = 24

// Top returns the number of lines above the body.
func (r Room) Top() int {
	if r.H <= LowH {
		return 3
	}
	return 4
}

// Body returns the size of the area of panes.
func (r Room) Body() (w, h int) { return r.W, max(r.H-r.Top()-3, 1) }

// Floor returns the size of the area of floating dialogs: all but tabs, status line and
// keys.
func (r Room) Floor() (w, h int) { return r.W, max(r.H-3, 1) }

// Wide is the least width at which a list and its card are side by side.
const Wide = 84

// A Split divides the body between a list and a card: side by side with 39 % for the
// list, or stacked on a narrow screen.
type Split struct {
	Stacked bool
	Lw, Lh  int // list
	Cw, Ch  int // card, without its title
	Aw      int // the turns around the evidence, as high as the card; 0 for none
}

// stackedList is the height of a list above its card.
const stackedList = 5

// SplitBody divides a body of w by h cells.
func SplitBody(w, h int) Split {
	if w >= Wide {
		lw := (w*39 + 50) / 100
		return Split{Lw: lw, Lh: h, Cw: w - lw - 1, Ch: max(h-2, 1)}
	}
	lh := max(min(stackedList, h*2/5), 1) // a card without room is useless
	return Split{Stacked: true, Lw: w, Lh: lh, Cw: w, Ch: max(h-lh-1, 1)}
}

// Draw draws the sheet from below the tabs to the hairline beneath the body. With dim,
// only the lines that a dialog is about keep their colours.
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

// side draws columns side by side.
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

// all returns the lines of a column beside another.
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

// stack draws columns one below the other, separated by hairlines with their titles.
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

// hairline draws a line with a sign where columns meet. The lower hairline also says how
// many lines of a column are hidden.
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
