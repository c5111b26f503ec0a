package kit

import (
	"fmt"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"learnings/lessons"
	"learnings/tui/look"
)

// An Option is one of several to choose from.
type Option struct {
	Name, Note string
	off        string // why it cannot be chosen
	Answer     tea.Msg
}

// A Chooser finds one of several by words. With other it takes what was typed and is
// none of them.
type Chooser struct {
	title string
	all   []Option
	Other func(typed string) tea.Msg
	Hint  string // what may be typed
	More  bool   // a moreMsg is on its way
	in    textinput.Model
	Cur   List
	err   error
}

// MoreMsg has further options of a chooser, or why there are none.
type MoreMsg struct {
	Options []Option
	Err     error
}

// chooserH is how many options are in sight at most.
const chooserH = 12

func NewChooser(title string, all []Option) Chooser {
	d := Chooser{title: title, all: all, in: NewField("")}
	d.Cur = d.Cur.Resize(len(all), chooserH)
	return d
}

// some are the options that have all words of what was typed.
func (d Chooser) some() []Option {
	want := Folded(d.in.Value())
	var some []Option
	for _, o := range d.all {
		hay := strings.ToLower(o.Name + " " + o.Note)
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

func (d Chooser) Update(msg tea.Msg) (Dialog, Out) {
	switch m := msg.(type) {
	case MoreMsg:
		d.all, d.err, d.More = append(d.all, m.Options...), m.Err, false
		d.Cur = d.Cur.Resize(len(d.some()), chooserH)
		return d, Out{}
	case RoomMsg:
		d.Cur = d.Cur.Resize(len(d.some()), max(min(chooserH, m.H-6), 1))
		return d, Out{}
	case WheelMsg:
		d.Cur = d.Cur.Move(m.By / Notch)
		return d, Out{}
	case tea.KeyPressMsg:
		switch m.String() {
		case "esc":
			return nil, Out{}
		case "down", "ctrl+n", "tab":
			d.Cur = d.Cur.Move(1)
			return d, Out{}
		case "up", "ctrl+p", "shift+tab":
			d.Cur = d.Cur.Move(-1)
			return d, Out{}
		case "enter":
			return d.chosen()
		}
	}
	was := d.in.Value()
	var cmd tea.Cmd
	if d.in, cmd = d.in.Update(msg); d.in.Value() != was {
		d.Cur = d.Cur.Resize(len(d.some()), d.Cur.H).To(0)
	}
	return d, Out{Cmd: cmd}
}

// chosen ends the dialog with the option under the cursor, or with what was typed.
func (d Chooser) chosen() (Dialog, Out) {
	some := d.some()
	if d.Cur.At < len(some) {
		o := some[d.Cur.At]
		if o.off != "" {
			return d, Say("%s: %s", o.Name, o.off)
		}
		return nil, Out{Answer: o.Answer}
	}
	if text := strings.TrimSpace(d.in.Value()); text != "" && d.Other != nil {
		return nil, Out{Answer: d.Other(text)}
	}
	return d, Out{}
}

func (d Chooser) View(w, h int, st *look.Style) string {
	w = min(w, 72)
	lines := []string{" " + st.Accent.Render("/") + " " + FieldView(d.in, w-6), ""}
	some := d.some()
	cur := d.Cur.Resize(len(some), max(min(chooserH, h-5), 1))
	lines = append(lines, cur.Lines(func(i int, current bool) string {
		o := some[i]
		ink := st.Text
		note := o.Note
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
		l := left + ink.Render(Fit(lessons.Line(o.Name), name)) + " " + st.Dim.Render(Fit(lessons.Line(note), w-name-8))
		if current {
			return st.Select(Fit(l, w-2))
		}
		return l
	})...)
	switch {
	case d.err != nil:
		lines = append(lines, " "+st.Bad.Render(lessons.Line(d.err.Error())))
	case d.More:
		lines = append(lines, "   "+st.Dim.Render("looking…"))
	case len(some) == 0 && d.Other != nil:
		lines = append(lines, "   "+st.Dim.Render(d.Hint))
	case len(some) == 0:
		lines = append(lines, "   "+st.Dim.Render("none like that"))
	}
	right := ""
	if len(some) > cur.H {
		right = st.Dim.Render(fmt.Sprintf("%d", len(some)))
	}
	return Box{Title: st.Accent.Render(d.title), Right: right, On: true}.Draw(lines, w, min(len(lines)+2, h), st)
}

func (d Chooser) Hints() []Hint {
	return []Hint{{Key: "type", Foot: "to find"}, {Key: "↓ ↑", Foot: "choose"}, {Key: "enter", Foot: "take it"}, {Key: "esc", Foot: "leave it"}}
}
