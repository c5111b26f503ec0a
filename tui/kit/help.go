package kit

import (
	"strings"

	"charm.land/lipgloss/v2"

	"learnings/lessons"
	"learnings/tui/look"
)

// NewHelp returns the help of a pane: its keys by group in up to three columns, then the
// keys that are off with their reasons.
func NewHelp(pane string, all []Hint) Text {
	return Text{Title: "keys of " + pane, W: helpW, Keys: []TextKey{{Keys: []string{"?", "enter"}}}, Lines: func(w int, st *look.Style) []string { return helpLines(all, w, st) }}
}

// helpW is the width of the help.
const helpW = 112

// helpLines returns the keys under their headings and the legend of signs, w cells wide.
func helpLines(all []Hint, w int, st *look.Style) []string {
	var on, off []Hint
	for _, k := range all {
		if k.Off == "" {
			on = append(on, k)
		} else {
			off = append(off, k)
		}
	}
	n := max(1, min((w-4)/31, 3))
	lines := keyColumns(on, n, (w-3)/n, st)
	if len(off) > 0 {
		lines = append(lines, "", " "+st.Strong.Render("not now"))
	}
	for _, k := range off {
		room := w - 13
		desc := look.Sentence(lessons.Line(k.Desc), room/2)
		lines = append(lines, "  "+st.Dim.Render(Fit(k.Key, helpKeyW)+Fit(desc, room/2)+" ")+st.Warn.Render(look.Sentence(lessons.Line(k.Off), room/2-3)))
	}
	return append(append(lines, ""), signLegend(w, st)...)
}

// helpKeyW is the width of the column of keys.
const helpKeyW = 10

// keyColumns lays keys out in n columns of w cells. It never splits a group between
// columns.
func keyColumns(keys []Hint, n, w int, st *look.Style) []string {
	var groups [][]string
	total := 0
	for i, k := range keys {
		if i == 0 || k.Group != keys[i-1].Group {
			groups = append(groups, []string{"", " " + st.Strong.Render(k.Group)})
			total += 2
		}
		g := &groups[len(groups)-1]
		for y, l := range Wrap(lessons.Line(k.Desc), max(w-helpKeyW-4, 8)) {
			left := st.Accent.Render(Fit(k.Key, helpKeyW))
			if y > 0 {
				left = Fit("", helpKeyW)
			}
			*g = append(*g, "  "+left+l)
			total++
		}
	}
	columns := make([]string, n)
	at, have := 0, 0
	for _, g := range groups {
		if at < n-1 && have > 0 && have+len(g)/2 > (total+n-1)/n {
			at, have = at+1, 0
		}
		for _, l := range g {
			columns[at] += Fit(l, w) + "\n"
		}
		have += len(g)
	}
	return strings.Split(strings.TrimRight(lipgloss.JoinHorizontal(lipgloss.Top, columns...), "\n "), "\n")
}

// signLegend explains the signs and colours.
func signLegend(w int, st *look.Style) []string {
	lines := look.Lines("glyphs  ✓ approved  ✗ rejected  ⊕ merged  ≈ alike  ≠ against  ! flagged  2× said twice  ● marked or new  ◆ pinned or evidence  ↻ look again  z snoozed  ▽ archived", w, 3)
	colours := []string{st.Person.Render("person"), st.Agent.Render("agent"), st.Tool.Render("tool")}
	line := "colour"
	for _, c := range colours {
		if CellsOf(line)+CellsOf(c)+2 > w {
			lines = append(lines, line)
			line = "      "
		}
		line += "  " + c
	}
	for i, l := range lines {
		lines[i] = st.Dim.Render(l)
	}
	return Indented(append(lines, line))
}
