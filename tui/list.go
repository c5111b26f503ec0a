package tui

import (
	"strings"
)

// A list is a position in a column of rows, which belong to the pane. Only rows in
// sight are drawn, so that the cost of a frame does not depend on how many there
// are.
type list struct {
	n   int // rows
	at  int // the current one
	top int // the first in sight
	h   int // rows in sight
}

// margin is how many rows stay in sight around the current one.
const margin = 2

func (l list) resize(n, h int) list {
	l.n, l.h = max(n, 0), max(h, 1)
	return l.to(l.at)
}

func (l list) move(by int) list { return l.to(l.at + by) }

func (l list) to(i int) list {
	l.at = max(0, min(i, l.n-1))
	m := min(margin, (l.h-1)/2)
	l.top = max(min(l.top, l.at-m), l.at+m-l.h+1)
	l.top = max(0, min(l.top, l.n-l.h))
	return l
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
	l.top = max(0, min(l.top+by, l.n-l.h))
	m := min(margin, (l.h-1)/2)
	lo, hi := l.top, l.top+l.h-1
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
	i := l.top + y
	return i, y >= 0 && y < l.h && i < l.n
}

// lines draws the visible rows.
func (l list) lines(row func(i int, current bool) string) []string {
	out := make([]string, 0, l.h)
	for i := l.top; i < min(l.top+l.h, l.n); i++ {
		out = append(out, row(i, i == l.at))
	}
	return out
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
		{Binding: keyed("ctrl+d", "half a page down", "ctrl+d"), group: g, do: by(func(l list) list { return l.move(max(l.h/2, 1)) })},
		{Binding: keyed("ctrl+u", "half a page up", "ctrl+u"), group: g, do: by(func(l list) list { return l.move(-max(l.h/2, 1)) })},
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
