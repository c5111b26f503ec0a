package tui

import (
	"strings"

	"github.com/NimbleMarkets/ntcharts/v2/canvas/runes"
	"github.com/charmbracelet/x/ansi"
)

// This file draws what a picture is made of. Amounts are told by length or height, so
// that nothing is lost without colour, and every function gives exactly the cells that
// it is asked for.

// areaOf is a filled curve in braille: values from left to right, of which the last is at
// the right edge, in h lines of w cells.
func areaOf(values []int, most, w, h int) []string {
	grid := runes.NewPatternDotsGrid(2*w, 4*h)
	for x := range 2 * w {
		v := spreadAt(values, x, 2*w)
		dots := 0
		if most > 0 && v > 0 {
			dots = max(v*4*h/most, 1)
		}
		for y := range dots {
			grid.Set(x, 4*h-1-y)
		}
	}
	lines := make([]string, 0, h)
	for _, row := range grid.BraillePatterns() {
		lines = append(lines, strings.ReplaceAll(string(row), string(rune(runes.BrailleBlockOffset)), " "))
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
	switch r := runes.LowerBlockElementFromFloat64(share); {
	case share <= 0:
		return " "
	case r == runes.Null:
		return "▁"
	default:
		return string(r)
	}
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
