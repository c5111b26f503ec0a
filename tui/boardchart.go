package tui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// This file draws what a picture is made of. Amounts are told by length or height, so
// that nothing is lost without colour, and every function gives exactly the cells that
// it is asked for.

// braille has the dots that fill the left and the right half of a cell from below.
var braille = [2][5]rune{{0, 0x40, 0x44, 0x46, 0x47}, {0, 0x80, 0xa0, 0xb0, 0xb8}}

// areaOf is a filled curve in braille: values from left to right, of which the last is at
// the right edge, in h lines of w cells.
func areaOf(values []int, most, w, h int) []string {
	dots := make([]int, 2*w)
	for x := range dots {
		if v := spreadAt(values, x, 2*w); most > 0 && v > 0 {
			dots[x] = max(v*4*h/most, 1)
		}
	}
	lines := make([]string, h)
	for y := range lines {
		row, below := make([]rune, w), 4*(h-1-y)
		for x := range row {
			left, right := dots[2*x]-below, dots[2*x+1]-below
			if row[x] = ' '; max(left, right) > 0 {
				row[x] = 0x2800 | braille[0][min(max(left, 0), 4)] | braille[1][min(max(right, 0), 4)]
			}
		}
		lines[y] = string(row)
	}
	return lines
}

// spreadAt is the value at one of n places over which values are spread.
func spreadAt(values []int, i, n int) int {
	if len(values) == 0 {
		return 0
	}
	if len(values) == 1 || n < 2 {
		return values[len(values)-1]
	}
	return values[min((i*(len(values)-1)+(n-1)/2)/(n-1), len(values)-1)]
}

// eighth is an eighth of a cell for a share of it, with a cell of its own for the least.
func eighth(share float64) string {
	if share <= 0 {
		return " "
	}
	return string('▁' + rune(min(max(int(share*8+.5), 1), 8)-1))
}

// sparkOf is values over time on one line: at most w of them, the last ones.
func sparkOf(values []int, w int) string {
	values = values[max(len(values)-w, 0):]
	most := 0
	for _, v := range values {
		most = max(most, v)
	}
	var b strings.Builder
	for _, v := range values {
		b.WriteString(eighth(float64(v) / float64(max(most, 1))))
	}
	return strings.Repeat(" ", max(w-len(values), 0)) + b.String()
}

// columnOf is an amount as a column of h cells, the highest first.
func columnOf(share float64, h int) []string {
	out := make([]string, h)
	for i := range out {
		out[i] = eighth(share*float64(h) - float64(h-1-i))
	}
	return out
}

// rightly makes a text exactly w cells wide, with the blanks before it.
func rightly(s string, w int) string {
	if n := ansi.StringWidth(s); n < w {
		return strings.Repeat(" ", w-n) + s
	}
	return fit(s, w)
}
