package tui

import (
	"fmt"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"learnings/lessons"
	"learnings/tui/look"
)

// A help lists the keys by what they are for, in up to three columns, those that are
// off apart with the reason, and narrows the list as the person types.
type help struct {
	pane  string // whose keys these are
	all   []hint
	in    textinput.Model
	named bool // the names that [keys] has stand in place of what keys do
	scroll
}

// helpW is how wide the help gets.
const helpW = 112

func newHelp(pane string, all []hint) help { return help{pane: pane, all: all, in: newField("")} }

func (d help) update(msg tea.Msg) (dialog, out) {
	if m, ok := msg.(roomMsg); ok {
		d.roomMsg = m
	}
	n, h := len(d.lines(min(d.w, helpW), unseenStyle)), d.h-3
	switch m := msg.(type) {
	case roomMsg:
		d.scroll = d.by(0, n, h)
		return d, out{}
	case wheelMsg:
		d.scroll = d.by(m.by, n, h)
		return d, out{}
	case tea.KeyPressMsg:
		switch m.String() {
		case "esc", "?", "enter":
			return nil, out{}
		case "tab":
			d.named, d.top = !d.named, 0
			return d, out{}
		case "down", "up", "pgdown", "pgup", "ctrl+d", "ctrl+u":
			d.scroll = d.by(turned(m, h), n, h)
			return d, out{}
		}
	}
	was := d.in.Value()
	var cmd tea.Cmd
	if d.in, cmd = d.in.Update(msg); d.in.Value() != was {
		d.top = 0
	}
	return d, out{cmd: cmd}
}

// lines are the keys under their headings, for a frame of w cells.
func (d help) lines(w int, st *look.Style) []string {
	var on, off []hint
	for _, k := range matching(d.all, d.in.Value()) {
		if d.named {
			if k.name == "" {
				k.name = "fixed"
			}
			k.desc, k.off = k.name, ""
		}
		if k.off == "" {
			on = append(on, k)
		} else {
			off = append(off, k)
		}
	}
	if len(on)+len(off) == 0 {
		return []string{"", " " + st.Dim.Render("no key for that")}
	}
	n := max(1, min((w-4)/31, 3))
	lines := keyColumns(on, n, (w-3)/n, st)
	if len(off) > 0 {
		lines = append(lines, "", " "+st.Strong.Render("not now"))
	}
	for _, k := range off {
		room := w - 13
		desc := look.Sentence(lessons.Line(k.desc), room/2)
		lines = append(lines, "  "+st.Dim.Render(fit(k.key, helpKeyW)+fit(desc, room/2)+" ")+st.Warn.Render(look.Sentence(lessons.Line(k.off), room/2-3)))
	}
	if d.in.Value() == "" && !d.named {
		lines = append(append(lines, ""), signLegend(w-4, st)...)
	}
	return lines
}

// helpKeyW is the room for keys.
const helpKeyW = 10

// keyColumns lays keys out in n columns of w cells, groups one below the other and none
// of them in two columns.
func keyColumns(keys []hint, n, w int, st *look.Style) []string {
	var groups [][]string
	total := 0
	for i, k := range keys {
		if i == 0 || k.group != keys[i-1].group {
			groups = append(groups, []string{"", " " + st.Strong.Render(k.group)})
			total += 2
		}
		g := &groups[len(groups)-1]
		for y, l := range wrap(lessons.Line(k.desc), max(w-helpKeyW-4, 8)) {
			left := st.Accent.Render(fit(k.key, helpKeyW))
			if y > 0 {
				left = fit("", helpKeyW)
			}
			*g = append(*g, "  "+left+l)
			total++
		}
	}
	columns := make([][]string, n)
	at := 0
	for _, g := range groups {
		if have := len(columns[at]); at < n-1 && have > 0 && have+len(g)/2 > (total+n-1)/n {
			at++
		}
		columns[at] = append(columns[at], g...)
	}
	var lines []string
	for y := 0; ; y++ {
		line, any := "", false
		for i, c := range columns {
			cell := ""
			if y < len(c) {
				cell, any = c[y], true
			}
			if i == n-1 {
				line += cell
			} else {
				line += fit(cell, w)
			}
		}
		if !any {
			return lines
		}
		lines = append(lines, line)
	}
}

// signLegend says what signs and colours mean.
func signLegend(w int, st *look.Style) []string {
	lines := look.Lines("glyphs  ✓ approved  ✗ rejected  ⊕ merged  ≈ alike  ≠ against  ! flagged  2× said twice  ● marked or new  ◆ pinned or evidence  ↻ look again  z snoozed  ▽ archived", w, 3)
	colours := []string{st.Person.Render("person"), st.Agent.Render("agent"), st.Tool.Render("tool"), st.Bar(0.9, 5, st.Grade(0.9)) + " 0.8 and more",
		st.Bar(0.6, 5, st.Grade(0.6)) + " 0.5 and more", st.Bar(0.3, 5, st.Grade(0.3)) + " less"}
	line := "colour"
	for _, c := range colours {
		if cellsOf(line)+cellsOf(c)+2 > w {
			lines = append(lines, line)
			line = "      "
		}
		line += "  " + c
	}
	for i, l := range lines {
		lines[i] = st.Dim.Render(l)
	}
	return indented(append(lines, line))
}

func (d help) view(w, h int, st *look.Style) string {
	w = min(w, helpW)
	all := d.lines(w, st)
	seen := clip(all, d.top, h-3)
	right := ""
	if rest := len(all) - d.top - len(seen); rest > 0 {
		right = st.Dim.Render(fmt.Sprintf("↓%d", rest))
	}
	lines := append([]string{" " + st.Accent.Render("/") + " " + fieldView(d.in, w-6)}, seen...)
	return box{title: st.Accent.Render("keys of " + d.pane), right: right, on: true}.draw(lines, w, min(len(lines)+2, h), st)
}

func (d help) hints() []hint {
	return []hint{{key: "type", foot: "to narrow"}, {key: "tab", foot: "names for [keys]"}, {key: "↓ ↑", foot: "scroll"}, {key: "esc", foot: "close"}}
}

// matching are the hints that have all words of a text.
func matching(all []hint, text string) []hint {
	var some []hint
	for _, h := range all {
		name, _ := section(h.group)
		hay := strings.ToLower(name + " " + h.group + " " + h.key + " " + h.desc + " " + h.name)
		ok := true
		for _, w := range strings.Fields(strings.ToLower(text)) {
			ok = ok && strings.Contains(hay, w)
		}
		if ok {
			some = append(some, h)
		}
	}
	return some
}
