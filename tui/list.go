package tui

import (
	"slices"
	"strings"
)

// A list is a position in a column of rows, which belong to the pane. Only rows in
// sight are drawn, so that the cost of a frame does not depend on how many there
// are.
type list struct {
	n    int   // rows
	at   int   // the current one
	top  int   // the first in sight
	h    int   // lines in sight
	tall int   // lines of a row, 1 for 0
	head []int // the rows before which a group begins, in order; the first is 0. Each has a line above it, and that of the first row in sight stands on top
}

// margin is how many rows stay in sight around the current one.
const margin = 2

func (l list) resize(n, h int) list {
	l.n, l.h = max(n, 0), max(h, 1)
	return l.to(l.at)
}

// lines of a row.
func (l list) each() int { return max(l.tall, 1) }

// page is how many rows are in sight, about.
func (l list) page() int { return max(l.h/l.each(), 1) }

// span is how many lines the rows from one to another take, with those of their
// groups.
func (l list) span(from, to int) int {
	n := (to - from + 1) * l.each()
	if len(l.head) > 0 {
		a, _ := slices.BinarySearch(l.head, from+1)
		b, _ := slices.BinarySearch(l.head, to+1)
		n += 1 + b - a
	}
	return n
}

func (l list) move(by int) list { return l.to(l.at + by) }

func (l list) to(i int) list {
	l.at = max(0, min(i, l.n-1))
	m := min(margin, (l.page()-1)/2)
	l.top = max(0, min(l.top, l.at-m))
	low := min(l.at+m, l.n-1)
	l.top = max(l.top, low-l.h)
	for l.top < l.at && l.span(l.top, low) > l.h {
		l.top++
	}
	l.top = max(0, min(l.top, l.last()))
	return l
}

// last is the first row in sight when the end is.
func (l list) last() int {
	top := max(l.n-1, 0)
	for top > 0 && l.span(top-1, l.n-1) <= l.h {
		top--
	}
	return top
}

// stepped moves by a key, as in every list of a dialog. It reports false for other
// keys.
func (l list) stepped(k string) (list, bool) {
	switch k {
	case "j", "down":
		return l.move(1), true
	case "k", "up":
		return l.move(-1), true
	case "g", "home":
		return l.to(0), true
	case "G", "end":
		return l.to(l.n), true
	}
	return l, false
}

// scroll moves what is in sight, and the current row as far as it must to stay in
// sight.
func (l list) scroll(by int) list {
	l.top = max(0, min(l.top+by, l.last()))
	m := min(margin, (l.page()-1)/2)
	lo, hi := l.top, l.top
	for hi < l.n-1 && l.span(l.top, hi+1) <= l.h {
		hi++
	}
	if l.top > 0 {
		lo += m
	}
	if hi < l.n-1 {
		hi -= m
	}
	l.at = max(0, min(max(lo, min(l.at, hi)), l.n-1))
	return l
}

// hit returns the row that is shown y lines below the top of the list.
func (l list) hit(y int) (int, bool) {
	if y < 0 || y >= l.h {
		return 0, false
	}
	for i := l.top; i < l.n && l.span(l.top, i)-l.each() <= y; i++ {
		if y < l.span(l.top, i) {
			return i, true
		}
	}
	return 0, false
}

// line returns how many lines below the top of the list the current row begins.
func (l list) line() int { return l.span(l.top, l.at) - l.each() }

// lines draws the visible rows, of one line each.
func (l list) lines(row func(i int, current bool) string) []string {
	return l.rows(func(i int, current bool) []string { return []string{row(i, current)} }, nil)
}

// rows draws the visible rows, and above the first of each group what head gives for
// it.
func (l list) rows(row func(i int, current bool) []string, head func(i int) string) []string {
	out := make([]string, 0, l.h)
	for i := l.top; i < l.n && len(out) < l.h; i++ {
		if len(l.head) > 0 && head != nil {
			if _, first := slices.BinarySearch(l.head, i); first || i == l.top {
				out = append(out, head(i))
			}
		}
		out = append(out, row(i, i == l.at)...)
	}
	return out[:min(len(out), l.h)]
}

// motion are the keys that move through the list of a pane.
func motion[P any](get func(P) list, set func(P, list) (P, out)) binds[P] {
	by := func(f func(list) list) func(P, string) (P, out) {
		return func(p P, _ string) (P, out) { return set(p, f(get(p))) }
	}
	const g = "move"
	return binds[P]{
		{Binding: keyed("j ↓", "down", "j", "down"), group: g, do: by(func(l list) list { return l.move(1) })},
		{Binding: keyed("k ↑", "up", "k", "up"), group: g, do: by(func(l list) list { return l.move(-1) })},
		{Binding: keyed("g", "first", "g", "home"), group: g, do: by(func(l list) list { return l.to(0) })},
		{Binding: keyed("G", "last", "G", "end"), group: g, do: by(func(l list) list { return l.to(l.n - 1) })},
		{Binding: keyed("ctrl+d", "half a page down", "ctrl+d"), group: g, do: by(func(l list) list { return l.move(max(l.page()/2, 1)) })},
		{Binding: keyed("ctrl+u", "half a page up", "ctrl+u"), group: g, do: by(func(l list) list { return l.move(-max(l.page()/2, 1)) })},
	}
}

// clip returns the lines from top on that fit the height h.
func clip(lines []string, top, h int) []string {
	top = max(0, min(top, len(lines)-h))
	return lines[top:min(len(lines), top+h)]
}

// indented returns copies of the lines, one cell to the right.
func indented(lines []string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = " " + l
	}
	return out
}

func joined(lines []string) string { return strings.Join(lines, "\n") }
