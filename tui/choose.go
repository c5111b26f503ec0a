package tui

import (
	"fmt"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"learnings/lessons"
	"learnings/tui/look"
)

// An option is one of several to choose from.
type option struct {
	name, note string
	off        string // why it cannot be chosen
	answer     tea.Msg
}

// A chooser finds one of several by words. With other it takes what was typed and is
// none of them.
type chooser struct {
	title string
	all   []option
	other func(typed string) tea.Msg
	hint  string // what may be typed
	load  func(projectsMsg) []option
	in    textinput.Model
	cur   list
	err   error
}

// chooserH is how many options are in sight at most.
const chooserH = 12

func newChooser(title string, all []option) chooser {
	d := chooser{title: title, all: all, in: newField("")}
	d.cur = d.cur.resize(len(all), chooserH)
	return d
}

// some are the options that have all words of what was typed.
func (d chooser) some() []option {
	want := fold(d.in.Value())
	var some []option
	for _, o := range d.all {
		hay := strings.ToLower(o.name + " " + o.note)
		ok := true
		for _, w := range want {
			ok = ok && strings.Contains(hay, w)
		}
		if ok {
			some = append(some, o)
		}
	}
	return some
}

func (d chooser) update(msg tea.Msg) (dialog, out) {
	switch m := msg.(type) {
	case projectsMsg:
		if d.load != nil {
			d.all, d.err, d.load = append(d.all, d.load(m)...), m.err, nil
			d.cur = d.cur.resize(len(d.some()), chooserH)
		}
		return d, out{}
	case roomMsg:
		d.cur = d.cur.resize(len(d.some()), max(min(chooserH, m.h-6), 1))
		return d, out{}
	case wheelMsg:
		d.cur = d.cur.move(m.by / notch)
		return d, out{}
	case tea.KeyPressMsg:
		switch m.String() {
		case "esc":
			return nil, out{}
		case "down", "ctrl+n", "tab":
			d.cur = d.cur.move(1)
			return d, out{}
		case "up", "ctrl+p", "shift+tab":
			d.cur = d.cur.move(-1)
			return d, out{}
		case "enter":
			return d.chosen()
		}
	}
	was := d.in.Value()
	var cmd tea.Cmd
	if d.in, cmd = d.in.Update(msg); d.in.Value() != was {
		d.cur = d.cur.resize(len(d.some()), d.cur.h).to(0)
	}
	return d, out{cmd: cmd}
}

// chosen ends the dialog with the option under the cursor, or with what was typed.
func (d chooser) chosen() (dialog, out) {
	some := d.some()
	if d.cur.at < len(some) {
		o := some[d.cur.at]
		if o.off != "" {
			return d, say("%s: %s", o.name, o.off)
		}
		return nil, out{answer: o.answer}
	}
	if text := strings.TrimSpace(d.in.Value()); text != "" && d.other != nil {
		return nil, out{answer: d.other(text)}
	}
	return d, out{}
}

func (d chooser) view(w, h int, st *look.Style) string {
	w = min(w, 72)
	lines := []string{" " + st.Accent.Render("/") + " " + fieldView(d.in, w-6), ""}
	some := d.some()
	cur := d.cur.resize(len(some), max(min(chooserH, h-5), 1))
	lines = append(lines, cur.lines(func(i int, current bool) string {
		o := some[i]
		ink := st.Text
		note := o.note
		if o.off != "" {
			ink, note = st.Dim, o.off
		}
		left := "   "
		if current {
			left, ink = st.Accent.Render(" "+look.Cursor+" "), st.Strong
		}
		name := min(max((w-8)*2/5, 22), w-6)
		if note == "" {
			name = w - 6
		}
		l := left + ink.Render(fit(lessons.Line(o.name), name)) + " " + st.Dim.Render(fit(lessons.Line(note), w-name-8))
		if current {
			return st.Select(fit(l, w-2))
		}
		return l
	})...)
	switch {
	case d.err != nil:
		lines = append(lines, " "+st.Bad.Render(lessons.Line(d.err.Error())))
	case d.load != nil:
		lines = append(lines, "   "+st.Dim.Render("looking…"))
	case len(some) == 0 && d.other != nil:
		lines = append(lines, "   "+st.Dim.Render(d.hint))
	case len(some) == 0:
		lines = append(lines, "   "+st.Dim.Render("none like that"))
	}
	right := ""
	if len(some) > cur.h {
		right = st.Dim.Render(fmt.Sprintf("%d", len(some)))
	}
	return box{title: st.Accent.Render(d.title), right: right, on: true}.draw(lines, w, min(len(lines)+2, h), st)
}

func (d chooser) hints() []hint {
	return []hint{{key: "type", foot: "to find"}, {key: "↓ ↑", foot: "choose"}, {key: "enter", foot: "take it"}, {key: "esc", foot: "leave it"}}
}
