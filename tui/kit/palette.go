package kit

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
	all    []Hint
	some   []Hint // that have all words of what was typed, by section
	in     textinput.Model
	cur    List
	chosen bool // something was typed or moved; without that, enter does nothing
}

// Everywhere is the group of keys that hold on every screen.
const Everywhere = "every screen"

// Sections of the palette that are not groups of keys.
const (
	ScreensSection  = "screens"
	SettingsSection = "settings"
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
	{"the program", []string{Everywhere, "go"}},
	{ScreensSection, []string{ScreensSection}},
	{SettingsSection, []string{SettingsSection}},
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

// NewPalette is a palette of some commands.
func NewPalette(all []Hint) palette {
	sorted := slices.Clone(all) // within a section, what can be done now comes first
	slices.SortStableFunc(sorted, func(a, b Hint) int {
		an, ar := section(a.Group)
		bn, br := section(b.Group)
		return cmp.Or(cmp.Compare(ar, br), cmp.Compare(an, bn), cmp.Compare(a.behind(), b.behind()))
	})
	d := palette{all: sorted, in: NewField("")}
	return d.sifted()
}

// behind is 1 for a key that is off. Screens and settings keep their order.
func (h Hint) behind() int {
	if h.Off != "" && h.Answer == nil {
		return 1
	}
	return 0
}

// sifted finds what has all words of what was typed, and goes to the first of it that
// can be done.
func (d palette) sifted() palette {
	d.some = matching(d.all, d.in.Value())
	d.cur.Head = nil
	was := ""
	for i, h := range d.some {
		if name, _ := section(h.Group); i == 0 || name != was {
			d.cur.Head, was = append(d.cur.Head, i), name
		}
	}
	at := slices.IndexFunc(d.some, func(h Hint) bool { return h.Off == "" })
	d.cur = d.cur.Resize(len(d.some), d.cur.H).To(0).To(max(at, 0))
	return d
}

// PressMsg is the answer of a palette. It stands for pressing the key.
type PressMsg struct{ Key string }

// paletteW and paletteH are how large the palette gets.
const (
	paletteW = 78
	paletteH = 28
)

// room are the lines for commands in a palette of h lines: its frame, the field and the
// two lines of help take the others.
func (d palette) room(h int) int { return max(min(h, paletteH)-7, 1) }

func (d palette) Update(msg tea.Msg) (Dialog, Out) {
	switch m := msg.(type) {
	case RoomMsg:
		d.cur = d.cur.Resize(len(d.some), d.room(m.H))
		return d, Out{}
	case WheelMsg:
		d.cur, d.chosen = d.cur.Move(m.By/Notch), true
		return d, Out{}
	case tea.KeyPressMsg:
		switch m.String() {
		case "esc":
			return nil, Out{}
		case "down", "ctrl+n", "tab":
			d.cur, d.chosen = d.cur.Move(1), true
			return d, Out{}
		case "up", "ctrl+p", "shift+tab":
			d.cur, d.chosen = d.cur.Move(-1), true
			return d, Out{}
		case "pgdown", "pgup", "ctrl+d", "ctrl+u":
			d.cur, d.chosen = d.cur.Move(Scrolling(m, d.cur.H)), true
			return d, Out{}
		case "enter":
			return d.taken()
		}
	}
	was := d.in.Value()
	var cmd tea.Cmd
	if d.in, cmd = d.in.Update(msg); d.in.Value() == was {
		return d, Out{Cmd: cmd} // the answer of a job, which must not move the choice
	}
	d.chosen = strings.TrimSpace(d.in.Value()) != ""
	return d.sifted(), Out{Cmd: cmd}
}

// taken does the command under the cursor, or says why not.
func (d palette) taken() (Dialog, Out) {
	if !d.chosen || d.cur.At >= len(d.some) {
		return d, Out{}
	}
	h := d.some[d.cur.At]
	switch {
	case h.Off != "":
		return d, Say("%s: %s", h.Desc, h.Off)
	case h.Answer != nil:
		return nil, Out{Answer: h.Answer}
	}
	return nil, Out{Answer: PressMsg{Key: h.Press}}
}

func (d palette) View(w, h int, st *look.Style) string {
	w = min(w, paletteW)
	lines := []string{" " + st.Accent.Render("›") + " " + FieldView(d.in, w-6), st.Rule.Render(strings.Repeat("─", w-2))}
	words := Folded(d.in.Value())
	cur := d.cur.Resize(len(d.some), d.room(h))
	rows := cur.Rows(func(i int, current bool) []string {
		return []string{commandRow(d.some[i], words, current, w-2, st)}
	}, func(i int) string {
		name, _ := section(d.some[i].Group)
		return " " + st.Strong.Render(name)
	})
	if len(d.some) == 0 {
		rows = []string{" " + st.Dim.Render("no command like that")}
	}
	for len(rows) < cur.H {
		rows = append(rows, "")
	}
	lines = append(append(lines, rows...), st.Rule.Render(strings.Repeat("─", w-2)))
	lines = append(lines, Block(d.about(w-4, st), w-2, 2)...)
	right := st.Dim.Render(fmt.Sprintf("%d of %d", len(d.some), len(d.all)))
	return Box{Title: st.Accent.Render(": do"), Right: right}.Draw(lines, w, min(len(lines)+2, h), st)
}

// about is the help of the command under the cursor.
func (d palette) about(w int, st *look.Style) []string {
	if d.cur.At >= len(d.some) {
		return nil
	}
	h := d.some[d.cur.At]
	text := h.Desc
	if h.About != "" {
		text = h.About
	} else if h.Key != "" {
		text = strings.ToUpper(text[:1]) + text[1:] + ". The key is " + h.Key + ", under “" + h.Group + "” in the help."
	}
	if h.Name != "" {
		text += " In [keys] it is " + strings.Join(strings.Fields(h.Name), " and ") + "."
	}
	if h.Off == "" {
		return Indented(look.Lines(lessons.Line(text), w, 2))
	}
	return Indented([]string{st.Warn.Render(Fit("not now: "+lessons.Line(h.Off), w)), st.Dim.Render(look.Sentence(lessons.Line(text), w))})
}

// commandRow is one command: what it does, and at the right its key, or why it cannot be
// done.
func commandRow(h Hint, words []string, current bool, w int, st *look.Style) string {
	left, ink := "   ", st.Text
	right := st.Dim.Render(h.Key)
	if current {
		left, ink, right = st.Accent.Render(" "+look.Cursor+" "), st.Strong, st.Accent.Render(h.Key)
	}
	if h.Off != "" {
		ink = st.Dim
		right = st.Warn.Render(look.Sentence(lessons.Line(h.Off), w/2))
	}
	room := w - CellsOf(left) - CellsOf(right) - 3
	line := Ends(left+Underlined(look.Sentence(lessons.Line(h.Desc), room), words, ink), right+"  ", w)
	if current {
		return st.Select(line)
	}
	return line
}

// Underlined is a text in an ink with the words that were looked for underlined.
func Underlined(text string, words []string, ink look.Ink) string {
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

func (d palette) Hints() []Hint {
	return []Hint{{Key: "type", Foot: "to find"}, {Key: "↓ ↑", Foot: "choose"}, {Key: "enter", Foot: "do it"}, {Key: "esc", Foot: "close"}}
}
