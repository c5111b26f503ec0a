package kit

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
	all   []Hint
	in    textinput.Model
	named bool // the names that [keys] has stand in place of what keys do
	Scroll
}

// helpW is how wide the help gets.
const helpW = 112

// NewHelp is the help of a pane.
func NewHelp(pane string, all []Hint) help { return help{pane: pane, all: all, in: NewField("")} }

func (d help) Update(msg tea.Msg) (Dialog, Out) {
	if m, ok := msg.(RoomMsg); ok {
		d.RoomMsg = m
	}
	n, h := len(d.lines(min(d.W, helpW), Unseen)), d.H-3
	switch m := msg.(type) {
	case RoomMsg:
		d.Scroll = d.By(0, n, h)
		return d, Out{}
	case WheelMsg:
		d.Scroll = d.By(m.By, n, h)
		return d, Out{}
	case tea.KeyPressMsg:
		switch m.String() {
		case "esc", "?", "enter":
			return nil, Out{}
		case "tab":
			d.named, d.Top = !d.named, 0
			return d, Out{}
		case "down", "up", "pgdown", "pgup", "ctrl+d", "ctrl+u":
			d.Scroll = d.By(Scrolling(m, h), n, h)
			return d, Out{}
		}
	}
	was := d.in.Value()
	var cmd tea.Cmd
	if d.in, cmd = d.in.Update(msg); d.in.Value() != was {
		d.Top = 0
	}
	return d, Out{Cmd: cmd}
}

// lines are the keys under their headings, for a frame of w cells.
func (d help) lines(w int, st *look.Style) []string {
	var on, off []Hint
	for _, k := range matching(d.all, d.in.Value()) {
		if d.named {
			if k.Name == "" {
				k.Name = "fixed"
			}
			k.Desc, k.Off = k.Name, ""
		}
		if k.Off == "" {
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
		desc := look.Sentence(lessons.Line(k.Desc), room/2)
		lines = append(lines, "  "+st.Dim.Render(Fit(k.Key, helpKeyW)+Fit(desc, room/2)+" ")+st.Warn.Render(look.Sentence(lessons.Line(k.Off), room/2-3)))
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
				line += Fit(cell, w)
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

func (d help) View(w, h int, st *look.Style) string {
	w = min(w, helpW)
	all := d.lines(w, st)
	seen := Clip(all, d.Top, h-3)
	right := ""
	if rest := len(all) - d.Top - len(seen); rest > 0 {
		right = st.Dim.Render(fmt.Sprintf("↓%d", rest))
	}
	lines := append([]string{" " + st.Accent.Render("/") + " " + FieldView(d.in, w-6)}, seen...)
	return Box{Title: st.Accent.Render("keys of " + d.pane), Right: right}.Draw(lines, w, min(len(lines)+2, h), st)
}

func (d help) Hints() []Hint {
	return []Hint{{Key: "type", Foot: "to narrow"}, {Key: "tab", Foot: "names for [keys]"}, {Key: "↓ ↑", Foot: "scroll"}, {Key: "esc", Foot: "close"}}
}

// matching are the hints that have all words of a text.
func matching(all []Hint, text string) []Hint {
	var some []Hint
	for _, h := range all {
		name, _ := section(h.Group)
		hay := strings.ToLower(name + " " + h.Group + " " + h.Key + " " + h.Desc + " " + h.Name)
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
