package kit

import (
	"slices"
	"strings"
)

// A List is a position in a column of rows, which belong to the pane. Only rows in
// sight are drawn, so that the cost of a frame does not depend on how many there
// are.
type List struct {
	N    int   // rows
	At   int   // the current one
	Top  int   // the first in sight
	H    int   // lines in sight
	Tall int   // lines of a row, 1 for 0
	Head []int // the rows before which a group begins, in order; the first is 0. Each has a line above it, and that of the first row in sight stands on top
}

// margin is how many rows stay in sight around the current one.
const margin = 2

// Resize gives the list n rows and h lines.
func (l List) Resize(n, h int) List {
	l.N, l.H = max(n, 0), max(h, 1)
	return l.To(l.At)
}

// lines of a row.
func (l List) Each() int { return max(l.Tall, 1) }

// page is how many rows are in sight, about.
func (l List) page() int { return max(l.H/l.Each(), 1) }

// Span is how many lines the rows from one to another take, with those of their
// groups.
func (l List) Span(from, to int) int {
	n := (to - from + 1) * l.Each()
	if len(l.Head) > 0 {
		a, _ := slices.BinarySearch(l.Head, from+1)
		b, _ := slices.BinarySearch(l.Head, to+1)
		n += 1 + b - a
	}
	return n
}

// Move goes some rows on.
func (l List) Move(by int) List { return l.To(l.At + by) }

// To goes to a row, and scrolls as far as it must.
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

// last is the first row in sight when the end is.
func (l List) last() int {
	top := max(l.N-1, 0)
	for top > 0 && l.Span(top-1, l.N-1) <= l.H {
		top--
	}
	return top
}

// Stepped moves by a key, as in every list of a dialog. It reports false for other
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

// Scroll moves what is in sight, and the current row as far as it must to stay in
// sight.
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

// Hit returns the row that is shown y lines below the top of the list.
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

// Line returns how many lines below the top of the list the current row begins.
func (l List) Line() int { return l.Span(l.Top, l.At) - l.Each() }

// Lines draws the visible rows, of one line each.
func (l List) Lines(row func(i int, current bool) string) []string {
	return l.Rows(func(i int, current bool) []string { return []string{row(i, current)} }, nil)
}

// Rows draws the visible rows, and above the first of each group what head gives for
// it.
func (l List) Rows(row func(i int, current bool) []string, head func(i int) string) []string {
	out := make([]string, 0, l.H)
	for i := l.Top; i < l.N && len(out) < l.H; i++ {
		if len(l.Head) > 0 && head != nil {
			if _, first := slices.BinarySearch(l.Head, i); first || i == l.Top {
				out = append(out, head(i))
			}
		}
		out = append(out, row(i, i == l.At)...)
	}
	return out[:min(len(out), l.H)]
}

// Motion are the keys that move through the list of a pane.
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

// Clip returns the lines from top on that fit the height h.
func Clip(lines []string, top, h int) []string {
	top = max(0, min(top, len(lines)-h))
	return lines[top:min(len(lines), top+h)]
}

// Indented returns copies of the lines, one cell to the right.
func Indented(lines []string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = " " + l
	}
	return out
}

// Joined is lines as one text.
func Joined(lines []string) string { return strings.Join(lines, "\n") }
