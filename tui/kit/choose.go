package kit

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"learnings/lessons"
	"learnings/tui/look"
)

// An Option is one line of a [Chooser].
type Option struct {
	Name, Note string
	Off        string // why it cannot be chosen
	Also       string // further words that find it
	About      string // shown below the list while it is the current one
	Do         Out
	typed      bool // made from what was typed
}

// MoreMsg delivers further options to a Chooser, or the error that prevented them.
type MoreMsg struct {
	Options []Option
	Err     error
}

// A Chooser finds an option by words. With Take set, the typed text itself can be chosen.
type Chooser struct {
	title string
	all   []Option
	Take  func(typed string) (Out, error)
	Many  bool   // the text is a list of terms separated by commas, and options complete the last one
	Hint  string // says what may be typed
	More  bool   // a MoreMsg is on its way
	in    textinput.Model
	Cur   List
	err   error

	palette bool // options are commands: enter does nothing before the person types or moves
	moved   bool
}

// chooserH limits the visible options, mostTyped the length of the typed text.
const (
	chooserH  = 12
	mostTyped = 2000
)

// NewChooser returns a Chooser over all.
func NewChooser(title string, all []Option) Chooser {
	d := Chooser{title: title, all: all, in: NewField("")}
	d.in.CharLimit = mostTyped
	return d.sized(chooserH)
}

// With sets the text to begin with, which can be changed.
func (d Chooser) With(text string) Chooser {
	d.in.SetValue(text)
	d.in.CursorEnd()
	return d.sized(chooserH)
}

func (d Chooser) sized(h int) Chooser {
	d.Cur = d.Cur.Resize(len(d.some()), max(min(d.most(), h), 1))
	return d
}

// most returns how many options are visible at most.
func (d Chooser) most() int {
	if d.palette {
		return paletteH
	}
	return chooserH
}

// move moves the cursor by some options.
func (d Chooser) move(by int) (Dialog, Out) {
	d.Cur, d.moved = d.Cur.Move(by), true
	return d, Out{}
}

// some returns the options that contain all typed words. The typed text may be one of
// them.
func (d Chooser) some() []Option {
	typed := strings.TrimSpace(d.in.Value())
	_, part := TermAt(typed, d.Many)
	want := Folded(part)
	var some []Option
	same := false
	for _, o := range d.all {
		hay := strings.ToLower(o.Name + " " + o.Note + " " + o.Also)
		if !slices.ContainsFunc(want, func(w string) bool { return !strings.Contains(hay, w) }) {
			some = append(some, o)
		}
		same = same || strings.EqualFold(o.Name, typed)
	}
	switch {
	case d.Take == nil:
	case d.Many:
		some = append([]Option{{Name: typed, typed: true}}, some...)
	case typed != "" && !same:
		some = append(some, Option{Name: typed, Note: d.Hint, typed: true})
	}
	return some
}

func (d Chooser) Update(msg tea.Msg) (Dialog, Out) {
	switch m := msg.(type) {
	case MoreMsg:
		if d.More {
			d.all, d.err, d.More = append(slices.Clip(d.all), m.Options...), m.Err, false
		}
		return d.sized(d.Cur.H), Out{}
	case RoomMsg:
		return d.sized(m.H - 6), Out{}
	case WheelMsg:
		return d.move(m.By / Notch)
	case tea.KeyPressMsg:
		switch m.String() {
		case "esc":
			return nil, Out{}
		case "tab":
			if d.Many {
				return d.completed(max(d.Cur.At, 1)), Out{}
			}
			return d.move(1)
		case "down", "ctrl+n":
			return d.move(1)
		case "up", "ctrl+p", "shift+tab":
			return d.move(-1)
		case "pgdown", "pgup":
			return d.move(Scrolling(m, d.Cur.H))
		case "ctrl+d", "ctrl+u":
			if d.Take == nil || d.in.Value() == "" { // otherwise the keys edit the text
				return d.move(Scrolling(m, d.Cur.H))
			}
		case "enter", "ctrl+s":
			return d.chosen()
		}
	}
	was := d.in.Value()
	var cmd tea.Cmd
	if d.in, cmd = d.in.Update(msg); d.in.Value() != was {
		d.err = nil
		d = d.sized(d.Cur.H)
		d.Cur = d.Cur.To(0)
	}
	return d, Out{Cmd: cmd}
}

// chosen closes the dialog with the current option or the typed text.
func (d Chooser) chosen() (Dialog, Out) {
	some := d.some()
	if d.Cur.At >= len(some) || d.palette && !d.moved && d.in.Value() == "" {
		return d, Out{}
	}
	o := some[d.Cur.At]
	switch {
	case o.Off != "":
		return d, Say("%s: %s", o.Name, o.Off)
	case d.Many && !o.typed:
		return d.completed(d.Cur.At), Out{}
	case !o.typed:
		return nil, o.Do
	}
	done, err := d.Take(o.Name)
	if err != nil {
		return d, Warn("%v", err)
	}
	return nil, done
}

// completed replaces the last term with option i.
func (d Chooser) completed(i int) Chooser {
	if some := d.some(); i < len(some) {
		before, _ := TermAt(d.in.Value(), true)
		d.in.SetValue(before + some[i].Name)
		d.in.CursorEnd()
		d = d.sized(d.Cur.H)
		d.Cur = d.Cur.To(0)
	}
	return d
}

// TermAt splits text into the term being completed and what precedes it.
func TermAt(text string, many bool) (before, part string) {
	if i := strings.LastIndexByte(text, ','); many && i >= 0 {
		before, text = text[:i+1]+" ", text[i+1:]
	}
	return before, strings.TrimPrefix(strings.TrimSpace(text), "#")
}

func (d Chooser) View(w, h int, st *look.Style) string {
	w = min(w, 72)
	lines := []string{" " + st.Accent.Render("/") + " " + FieldView(d.in, w-6), ""}
	some := d.some()
	about := d.about(some, w-6, st)
	cur := d.Cur.Resize(len(some), max(min(d.most(), h-5-len(about)), 1))
	lines = append(lines, cur.Lines(w-2, st, func(i int, current bool) string {
		o := some[i]
		ink, note, left := Lit(current, st), o.Note, " "+Edge(current, st)+" "
		if o.Off != "" {
			note = o.Off
			if !current {
				ink = st.Dim
			}
		}
		l := lessons.Line(o.Name)
		switch name := min(max((w-8)*2/5, 22), w-6); {
		case d.palette:
			note = look.Sentence(lessons.Line(note), w/2)
			l = look.Sentence(l, max(w-CellsOf(note)-8, 8))
			l = Ends(left+Marked(l, Folded(d.in.Value()), ink, ink.Underline()), st.Dim.Render(note)+" ", w-2)
		case note == "":
			l = left + ink.Render(Fit(l, w-6))
		default:
			l = left + ink.Render(Fit(l, name)) + " " + st.Dim.Render(Fit(lessons.Line(note), w-name-8))
		}
		return l
	})...)
	switch {
	case d.err != nil:
		lines = append(lines, " "+st.Bad.Render(lessons.Line(d.err.Error())))
	case d.More:
		lines = append(lines, "   "+st.Dim.Render("looking…"))
	case d.Many || len(some) == 0 && d.Take != nil:
		lines = append(lines, "   "+st.Dim.Render(d.Hint))
	case len(some) == 0:
		lines = append(lines, "   "+st.Dim.Render("none like that"))
	}
	lines = append(lines, about...)
	right := ""
	if len(some) > cur.H {
		right = st.Dim.Render(fmt.Sprintf("%d", len(some)))
	}
	return Box{Title: st.Accent.Render(look.Sentence(d.title, max(w-8, 1))), Right: right}.Draw(lines, w, min(len(lines)+2, h), st)
}

// about returns the description of the current option.
func (d Chooser) about(some []Option, w int, st *look.Style) []string {
	if d.Cur.At >= len(some) || some[d.Cur.At].About == "" {
		return nil
	}
	o := some[d.Cur.At]
	if o.Off != "" {
		return []string{"", "   " + st.Warn.Render(Fit("not now: "+lessons.Line(o.Off), w)), "   " + st.Dim.Render(look.Sentence(lessons.Line(o.About), w))}
	}
	lines := []string{""}
	for _, l := range append(look.Lines(lessons.Line(o.About), w, 2), "")[:2] {
		lines = append(lines, "   "+st.Dim.Render(l))
	}
	return lines
}

func (d Chooser) Hints() []Hint {
	hints := []Hint{{Key: "type", Foot: "to find"}, {Key: "↓ ↑", Foot: "choose"}, {Key: "enter", Foot: "take it"}, {Key: "esc", Foot: "leave it"}}
	if d.Many {
		hints[0] = Hint{Key: "tab", Foot: "complete"}
	}
	return hints
}
