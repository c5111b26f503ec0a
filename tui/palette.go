package tui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"learnings/lessons"
	"learnings/tui/look"
)

// A palette finds a command by words and does it. What cannot be done now stays in it,
// with the reason.
type palette struct {
	all    []hint
	some   []hint // that have all words of what was typed, by section
	in     textinput.Model
	cur    list
	chosen bool // something was typed or moved; without that, enter does nothing
}

// Sections of the palette that are not groups of keys.
const (
	screensSection  = "screens"
	settingsSection = "settings"
)

// sections are where the palette shows a group of keys, in its order. Any other group is
// one of its own, after the list.
var sections = []struct {
	name   string
	groups []string
}{
	{"this lesson", []string{"decide", "change", "look", "the lesson"}},
	{"the list", []string{"mark", "several", "find", "choose", "move"}},
	{"", nil},
	{"the program", []string{everywhere, "go"}},
	{screensSection, []string{screensSection}},
	{settingsSection, []string{settingsSection}},
}

// section is the name of the section of a group, and its rank.
func section(group string) (name string, rank int) {
	other := 0
	for i, s := range sections {
		if slices.Contains(s.groups, group) {
			return s.name, i
		}
		if s.name == "" {
			other = i
		}
	}
	return group, other
}

func newPalette(all []hint) palette {
	sorted := slices.Clone(all) // within a section, what can be done now comes first
	slices.SortStableFunc(sorted, func(a, b hint) int {
		an, ar := section(a.group)
		bn, br := section(b.group)
		return cmp.Or(cmp.Compare(ar, br), cmp.Compare(an, bn), cmp.Compare(a.behind(), b.behind()))
	})
	d := palette{all: sorted, in: newField("")}
	return d.sifted()
}

// behind is 1 for a key that is off. Screens and settings keep their order.
func (h hint) behind() int {
	if h.off != "" && h.answer == nil {
		return 1
	}
	return 0
}

// sifted finds what has all words of what was typed, and goes to the first of it that
// can be done.
func (d palette) sifted() palette {
	d.some = matching(d.all, d.in.Value())
	d.cur.head = nil
	was := ""
	for i, h := range d.some {
		if name, _ := section(h.group); i == 0 || name != was {
			d.cur.head, was = append(d.cur.head, i), name
		}
	}
	at := slices.IndexFunc(d.some, func(h hint) bool { return h.off == "" })
	d.cur = d.cur.resize(len(d.some), d.cur.h).to(0).to(max(at, 0))
	return d
}

// pressMsg is the answer of a palette. It stands for pressing the key.
type pressMsg struct{ key string }

// paletteW and paletteH are how large the palette gets.
const (
	paletteW = 78
	paletteH = 28
)

// room are the lines for commands in a palette of h lines: its frame, the field and the
// two lines of help take the others.
func (d palette) room(h int) int { return max(min(h, paletteH)-7, 1) }

func (d palette) update(msg tea.Msg) (dialog, out) {
	switch m := msg.(type) {
	case roomMsg:
		d.cur = d.cur.resize(len(d.some), d.room(m.h))
		return d, out{}
	case wheelMsg:
		d.cur, d.chosen = d.cur.move(m.by/notch), true
		return d, out{}
	case tea.KeyPressMsg:
		switch m.String() {
		case "esc":
			return nil, out{}
		case "down", "ctrl+n", "tab":
			d.cur, d.chosen = d.cur.move(1), true
			return d, out{}
		case "up", "ctrl+p", "shift+tab":
			d.cur, d.chosen = d.cur.move(-1), true
			return d, out{}
		case "pgdown", "pgup", "ctrl+d", "ctrl+u":
			d.cur, d.chosen = d.cur.move(turned(m, d.cur.h)), true
			return d, out{}
		case "enter":
			return d.taken()
		}
	}
	was := d.in.Value()
	var cmd tea.Cmd
	if d.in, cmd = d.in.Update(msg); d.in.Value() == was {
		return d, out{cmd: cmd} // the answer of a job, which must not move the choice
	}
	d.chosen = strings.TrimSpace(d.in.Value()) != ""
	return d.sifted(), out{cmd: cmd}
}

// taken does the command under the cursor, or says why not.
func (d palette) taken() (dialog, out) {
	if !d.chosen || d.cur.at >= len(d.some) {
		return d, out{}
	}
	h := d.some[d.cur.at]
	switch {
	case h.off != "":
		return d, say("%s: %s", h.desc, h.off)
	case h.answer != nil:
		return nil, out{answer: h.answer}
	}
	return nil, out{answer: pressMsg{key: h.press}}
}

func (d palette) view(w, h int, st *look.Style) string {
	w = min(w, paletteW)
	lines := []string{" " + st.Accent.Render("›") + " " + fieldView(d.in, w-6), st.Rule.Render(strings.Repeat("─", w-2))}
	words := fold(d.in.Value())
	cur := d.cur.resize(len(d.some), d.room(h))
	rows := cur.rows(func(i int, current bool) []string {
		return []string{commandRow(d.some[i], words, current, w-2, st)}
	}, func(i int) string {
		name, _ := section(d.some[i].group)
		return " " + st.Strong.Render(name)
	})
	if len(d.some) == 0 {
		rows = []string{" " + st.Dim.Render("no command like that")}
	}
	for len(rows) < cur.h {
		rows = append(rows, "")
	}
	lines = append(append(lines, rows...), st.Rule.Render(strings.Repeat("─", w-2)))
	lines = append(lines, block(d.about(w-4, st), w-2, 2)...)
	right := st.Dim.Render(fmt.Sprintf("%d of %d", len(d.some), len(d.all)))
	return box{title: st.Accent.Render(spelt("‹palette :› do", st)), right: right, on: true}.draw(lines, w, min(len(lines)+2, h), st)
}

// about is the help of the command under the cursor.
func (d palette) about(w int, st *look.Style) []string {
	if d.cur.at >= len(d.some) {
		return nil
	}
	h := d.some[d.cur.at]
	text := h.desc
	if h.about != "" {
		text = h.about
	} else if h.key != "" {
		text = strings.ToUpper(text[:1]) + text[1:] + ". The key is " + h.key + ", under “" + h.group + "” in the help."
	}
	if h.name != "" {
		text += " In [keys] it is " + strings.Join(strings.Fields(h.name), " and ") + "."
	}
	if h.off == "" {
		return indented(look.Lines(lessons.Line(text), w, 2))
	}
	return indented([]string{st.Warn.Render(fit("not now: "+lessons.Line(h.off), w)), st.Dim.Render(look.Sentence(lessons.Line(text), w))})
}

// commandRow is one command: what it does, and at the right its key, or why it cannot be
// done.
func commandRow(h hint, words []string, current bool, w int, st *look.Style) string {
	left, ink := "   ", st.Text
	right := st.Dim.Render(h.key)
	if current {
		left, ink, right = st.Accent.Render(" "+look.Cursor+" "), st.Strong, st.Accent.Render(h.key)
	}
	if h.off != "" {
		ink = st.Dim
		right = st.Warn.Render(look.Sentence(lessons.Line(h.off), w/2))
	}
	room := w - cellsOf(left) - cellsOf(right) - 3
	line := ends(left+underlined(look.Sentence(lessons.Line(h.desc), room), words, ink), right+"  ", w)
	if current {
		return st.Select(line)
	}
	return line
}

// underlined is a text in an ink with the words that were looked for underlined.
func underlined(text string, words []string, ink look.Ink) string {
	low := strings.ToLower(text)
	if len(low) != len(text) {
		return ink.Render(text) // letters that have another length small
	}
	hit := make([]bool, len(text))
	for _, w := range words {
		for from := 0; w != ""; {
			i := strings.Index(low[from:], w)
			if i < 0 {
				break
			}
			for j := from + i; j < from+i+len(w); j++ {
				hit[j] = true
			}
			from += i + len(w)
		}
	}
	var b strings.Builder
	for from := 0; from < len(text); {
		to := from + 1
		for to < len(text) && hit[to] == hit[from] {
			to++
		}
		if hit[from] {
			b.WriteString(ink.Underline().Render(text[from:to]))
		} else {
			b.WriteString(ink.Render(text[from:to]))
		}
		from = to
	}
	return b.String()
}

func (d palette) hints() []hint {
	return []hint{{key: "type", foot: "to find"}, {key: "↓ ↑", foot: "choose"}, {key: "enter", foot: "do it"}, {key: "esc", foot: "close"}}
}
