package reader

import (
	"slices"
	"strings"

	"learnings/lessons"
	"learnings/tui/card"
	"learnings/tui/kit"
	"learnings/tui/look"
)

// tables matches the tables of Markdown in a text.
var tables = lessons.LazyRegexp(`(?m)^[ \t]*\|.*\|[ \t]*\n[ \t]*\|(?: *:?-{2,}:? *\|)+[ \t]*$(?:\n[ \t]*\|.*\|[ \t]*$)*`)

// told draws what an agent wrote: tables in columns, the rest without signs of Markdown.
func told(text string, w int, ink look.Ink, st *look.Style) (lines []string) {
	from := 0
	for _, at := range append(tables().FindAllStringIndex(text, -1), []int{len(text), len(text)}) {
		if plain := card.Unmarked(strings.TrimSuffix(strings.TrimPrefix(text[from:at[0]], "\n"), "\n")); plain != "" {
			lines = append(lines, kit.Coded(kit.Wrap(lessons.Block(plain), w), ink, st.Code)...)
		}
		if at[0] < at[1] {
			lines = append(lines, table(text[at[0]:at[1]], w, ink, st)...)
		}
		from = at[1]
	}
	return lines
}

// narrow is the width of a column below which a table is drawn as a list.
const narrow = 12

// table draws a table in columns, the widest ones wrapped. Where they would be too narrow, it
// lists each row, a cell a line after the head of its column.
func table(text string, w int, ink look.Ink, st *look.Style) (lines []string) {
	var rows [][]string
	for line := range strings.Lines(card.Unmarked(strings.ReplaceAll(text, `\|`, "\x00"))) {
		row := strings.Split(strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(line), "|"), "|"), "|")
		for i, cell := range row {
			row[i] = lessons.Line(strings.ReplaceAll(cell, "\x00", "|"))
		}
		rows = append(rows, row)
	}
	each := make([]int, len(rows[0]))
	over := 3*(len(each)-1) - w
	for i := range each {
		for y, row := range rows {
			rows[y] = append(row, make([]string, len(each))...)[:len(each)]
			each[i] = max(each[i], min(kit.CellsOf(rows[y][i]), w))
		}
		over += each[i]
	}
	if over > 0 && w < narrow*len(each) {
		for y, row := range rows[1:] {
			if y > 0 {
				lines = append(lines, "")
			}
			for i, cell := range row {
				lines = append(lines, kit.Coded(kit.Wrap(rows[0][i]+": "+cell, w), ink, st.Code)...)
			}
		}
		return lines
	}
	rule := st.Rule.Render(strings.Repeat("─", min(w+over, w)))
	for ; over > 0; over-- {
		each[slices.Index(each, slices.Max(each))]--
	}
	for y, row := range rows {
		cells, high := make([][]string, len(each)), 1
		for i, n := range each {
			cells[i] = kit.Coded(kit.Wrap(row[i], n), ink, st.Code)
			high = max(high, len(cells[i]))
		}
		for k := range high {
			var line []string
			for i, n := range each {
				line = append(line, kit.Block(cells[i], n, high)[k])
			}
			lines = append(lines, strings.Join(line, st.Rule.Render(" │ ")))
		}
		if y == 0 {
			lines = append(lines, rule)
		}
	}
	return lines
}
