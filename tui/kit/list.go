package kit

import (
	"slices"
	"strings"

	"learnings/tui/look"
)

// A List is a position in a column of rows that belong to the pane. It draws the visible
// rows only, so that the cost of a frame does not depend on their number.
type List struct {
	N    int   // rows
	At   int   // the current one
	Top  int   // the first visible one
	H    int   // visible lines
	Tall int   // lines of a row, 1 for 0
	Head []int // the first rows of groups, ascending, beginning with 0. A heading precedes each; the one of the top row stays visible
	Airy bool  // a blank line parts the groups if all rows fit
}

// margin is how many rows stay visible around the current one.
const margin = 2

// Resize sets the number of rows and visible lines.
func (l List) Resize(n, h int) List {
	l.N, l.H = max(n, 0), max(h, 1)
	return l.To(l.At)
}

// Each returns the lines of a row.
func (l List) Each() int { return max(l.Tall, 1) }

// page returns about how many rows are visible.
func (l List) page() int { return max(l.H/l.Each(), 1) }

// Span returns how many lines the rows from one to another take, headings included.
func (l List) Span(from, to int) int {
	n := (to - from + 1) * l.Each()
	if len(l.Head) > 0 {
		a, _ := slices.BinarySearch(l.Head, from+1)
		b, _ := slices.BinarySearch(l.Head, to+1)
		n += 1 + b - a
		if l.parted() {
			n += b - a
		}
	}
	return n
}

// parted reports whether a blank line parts the groups.
func (l List) parted() bool { return l.Airy && l.N*l.Each()+2*len(l.Head)-1 <= l.H }

// Move moves by some rows.
func (l List) Move(by int) List { return l.To(l.At + by) }

// To makes row i the current one, scrolling as little as possible.
func (l List) To(i int) List {
	l.At = max(0, min(i, l.N-1))
	m := min(margin, (l.page()-1)/2)
	l.Top = max(0, min(l.Top, l.At-m))
	low := min(l.At+m, l.N-1)
	l.Top = max(l.Top, low-l.H)
	for l.Top < l.At && l.Span(l.Top, low) > l.H {
		l.Top++
	}
	l.Top = max(0, min(l.Top, l.last()))
	return l
}

// last returns the top row when the list is scrolled to its end.
func (l List) last() int {
	top := max(l.N-1, 0)
	for top > 0 && l.Span(top-1, l.N-1) <= l.H {
		top--
	}
	return top
}

// Stepped moves by a key that all lists of dialogs share. It reports false for other
// keys.
func (l List) Stepped(k string) (List, bool) {
	switch k {
	case "j", "down":
		return l.Move(1), true
	case "k", "up":
		return l.Move(-1), true
	case "g", "home":
		return l.To(0), true
	case "G", "end":
		return l.To(l.N), true
	}
	return l, false
}

// Scroll scrolls the list. The current row moves only as far as it must to stay visible.
func (l List) Scroll(by int) List {
	l.Top = max(0, min(l.Top+by, l.last()))
	m := min(margin, (l.page()-1)/2)
	lo, hi := l.Top, l.Top
	for hi < l.N-1 && l.Span(l.Top, hi+1) <= l.H {
		hi++
	}
	if l.Top > 0 {
		lo += m
	}
	if hi < l.N-1 {
		hi -= m
	}
	l.At = max(0, min(max(lo, min(l.At, hi)), l.N-1))
	return l
}

// Hit returns the row drawn y lines below the top of the list.
func (l List) Hit(y int) (int, bool) {
	if y < 0 || y >= l.H {
		return 0, false
	}
	for i := l.Top; i < l.N && l.Span(l.Top, i)-l.Each() <= y; i++ {
		if y < l.Span(l.Top, i) {
			return i, true
		}
	}
	return 0, false
}

// Line returns how far below the top of the list the current row begins, in lines.
func (l List) Line() int { return l.Span(l.Top, l.At) - l.Each() }

// Lines draws the visible rows of w cells, one line each.
func (l List) Lines(w int, st *look.Style, row func(i int, current bool) string) []string {
	return l.Rows(w, st, func(i int, current bool) []string { return []string{row(i, current)} }, nil)
}

// Rows draws the visible rows of w cells, the current one on its ground, with head above the
// first row of each group.
func (l List) Rows(w int, st *look.Style, row func(i int, current bool) []string, head func(i int) string) []string {
	out := make([]string, 0, l.H)
	for i := l.Top; i < l.N && len(out) < l.H; i++ {
		if len(l.Head) > 0 && head != nil {
			if _, first := slices.BinarySearch(l.Head, i); first || i == l.Top {
				if i > 0 && l.parted() {
					out = append(out, "")
				}
				out = append(out, head(i))
			}
		}
		for _, line := range row(i, i == l.At) {
			if i == l.At {
				line = st.Select(Fit(line, w))
			}
			out = append(out, line)
		}
	}
	return out[:min(len(out), l.H)]
}

// Motion returns the keys that move through the list of a pane.
func Motion[P any](get func(P) List, set func(P, List) (P, Out)) Binds[P] {
	by := func(f func(List) List) func(P, string) (P, Out) {
		return func(p P, _ string) (P, Out) { return set(p, f(get(p))) }
	}
	const g = "move"
	return Binds[P]{
		{Key: Keyed("down", "j ↓", "down", "j", "down"), Group: g, Do: by(func(l List) List { return l.Move(1) })},
		{Key: Keyed("up", "k ↑", "up", "k", "up"), Group: g, Do: by(func(l List) List { return l.Move(-1) })},
		{Key: Keyed("first", "g", "first", "g", "home"), Group: g, Do: by(func(l List) List { return l.To(0) })},
		{Key: Keyed("last", "G", "last", "G", "end"), Group: g, Do: by(func(l List) List { return l.To(l.N - 1) })},
		{Key: Keyed("half-down", "ctrl+d", "half a page down", "ctrl+d"), Group: g, Do: by(func(l List) List { return l.Move(max(l.page()/2, 1)) })},
		{Key: Keyed("half-up", "ctrl+u", "half a page up", "ctrl+u"), Group: g, Do: by(func(l List) List { return l.Move(-max(l.page()/2, 1)) })},
	}
}

// Clip returns the lines from top on that fit in h lines.
func Clip(lines []string, top, h int) []string {
	top = max(0, min(top, len(lines)-h))
	return lines[top:min(len(lines), top+h)]
}

// Indented returns copies of lines, indented by one cell.
func Indented(lines []string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = " " + l
	}
	return out
}

// Joined joins lines into one text.
func Joined(lines []string) string { return strings.Join(lines, "\n") }
