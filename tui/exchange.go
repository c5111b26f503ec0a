package tui

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"learnings/lessons"
	"learnings/tui/desk"
	"learnings/tui/kit"
	"learnings/tui/look"
)

// This file is about taking lessons in from other programs and giving them back. What
// would change is shown first, and nothing is written before the person says so.

// A way is a direction in which lessons go.
type way string

const (
	importing way = "import"
	exporting way = "export"
)

// storesMsg is what is at the usual places of other programs.
type storesMsg struct {
	way    way
	stores []desk.Store
}

// previewedMsg is what an import or export would do.
type previewedMsg struct {
	way  way
	what string // as it was asked for
	plan desk.Preview
	err  error
}

// exchangeMsg is a person's word to do what was shown.
type exchangeMsg struct {
	way  way
	plan desk.Preview
}

// exchangedMsg is what was done.
type exchangedMsg struct {
	way  way
	said string
	err  error
}

// stores looks for the stores of other programs.
func findStores(fx desk.Desk, w way) kit.Job {
	return func(context.Context) tea.Msg { return storesMsg{w, fx.Exchange.Stores(w == exporting)} }
}

// previewed finds what would be done.
func previewExchange(fx desk.Desk, w way, what string) kit.Job {
	return func(ctx context.Context) tea.Msg {
		look := fx.Exchange.Import
		if w == exporting {
			look = fx.Exchange.Export
		}
		plan, err := look(ctx, what)
		return previewedMsg{way: w, what: what, plan: plan, err: err}
	}
}

// exchange does what was shown. It may be asked for while decisions are stored, and goes
// in its turn with them.
func runExchange(fx desk.Desk, m exchangeMsg) kit.Job {
	return func(ctx context.Context) tea.Msg {
		said, err := m.plan.Do(ctx)
		return exchangedMsg{way: m.way, said: said, err: err}
	}
}

// note is what the status line says of an exchange.
func (m exchangedMsg) note() kit.Note {
	switch {
	case m.err != nil && m.said != "":
		return kit.Note{Bad: true, Text: lessons.Line(fmt.Sprintf("%s stopped: %v · %s by then", m.way, m.err, m.said))}
	case m.err != nil:
		return kit.Note{Bad: true, Text: lessons.Line(fmt.Sprintf("%s stopped: %v", m.way, m.err))}
	}
	return kit.Note{Text: "✓ " + lessons.Line(m.said)}
}

// An exchange asks where lessons are to come from or go, shows what would change, and
// asks whether to.
type exchange struct {
	fx     desk.Desk
	way    way
	stores []desk.Store
	found  bool // stores are known
	at     int  // len(stores) is the line to type in
	in     textinput.Model
	typing bool

	back  kit.Dialog // of lessons that were chosen: where the form and the path are asked for
	what  string     // that is previewed; "" while the person chooses
	plan  desk.Preview
	done  bool // plan or err is there
	err   error
	lines []planLine // of the plan
	of    int        // the width for which they are
	kit.Scroll
}

// A planLine is a line of a plan, or what of one did not fit before it.
type planLine struct {
	text string
	of   byte // what the line begins with
}

// openExchange opens the question where from or where to.
func openExchange(fx desk.Desk, w way) kit.Out {
	return kit.Ask(exchange{fx: fx, way: w, in: kit.NewField("")}).And(kit.Run(findStores(fx, w)))
}

func (d exchange) Update(msg tea.Msg) (kit.Dialog, kit.Out) {
	switch m := msg.(type) {
	case kit.RoomMsg:
		d.RoomMsg = m
		return d.wrapped(), kit.Out{}
	case storesMsg:
		if m.way == d.way && !d.found {
			d.stores, d.found = m.stores, true
			d.typing = d.what == "" && len(m.stores) == 0
		}
		return d, kit.Out{}
	case previewedMsg:
		if m.way == d.way && m.what == d.what {
			d.plan, d.err, d.done, d.Top, d.of = m.plan, m.err, true, 0, 0
		}
		return d.wrapped(), kit.Out{}
	}
	switch {
	case d.what != "":
		return d.shown(msg)
	case d.typing:
		key, text, cmd := kit.TypeInto(&d.in, msg)
		switch {
		case key == "esc" && len(d.stores) > 0:
			d.typing = false
		case key == "esc":
			return nil, kit.Say("nothing was changed")
		case text != "":
			return d.look(text)
		}
		return d, kit.Out{Cmd: cmd}
	}
	return d.chosen(msg)
}

// chosen takes a key while the person chooses.
func (d exchange) chosen(msg tea.Msg) (kit.Dialog, kit.Out) {
	if m, ok := msg.(kit.WheelMsg); ok {
		d.at = max(0, min(d.at+m.By/kit.Notch, len(d.stores)))
	}
	k, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return d, kit.Out{}
	}
	switch s := k.String(); s {
	case "esc", "q":
		return nil, kit.Say("nothing was changed")
	case "j", "down":
		d.at = min(d.at+1, len(d.stores))
	case "k", "up":
		d.at = max(d.at-1, 0)
	case "t", "/":
		d.at, d.typing = len(d.stores), true
	case "enter":
		if d.at < len(d.stores) {
			return d.look(d.stores[d.at].Format + " " + d.stores[d.at].Path)
		}
		d.typing = true
	default:
		if n, err := strconv.Atoi(s); err == nil && n >= 1 && n <= len(d.stores) {
			d.at = n - 1
			return d.look(d.stores[d.at].Format + " " + d.stores[d.at].Path)
		}
	}
	return d, kit.Out{}
}

// look asks for what would change.
func (d exchange) look(what string) (kit.Dialog, kit.Out) {
	d.what, d.plan, d.done, d.err = what, desk.Preview{}, false, nil
	return d.wrapped(), kit.Run(previewExchange(d.fx, d.way, what))
}

// shown takes a key while the preview is shown.
func (d exchange) shown(msg tea.Msg) (kit.Dialog, kit.Out) {
	if k, ok := msg.(tea.KeyPressMsg); ok {
		switch k.String() {
		case "esc", "q", "n":
			return nil, kit.Say("nothing was changed")
		case "b", "left", "h":
			if d.back != nil {
				return d.back, kit.Out{}
			}
			d.what = ""
			return d, kit.Out{}
		case "enter", "y":
			if d.ready() && d.plan.Over != "" {
				return d, kit.Warn("%s is there: o replaces it, b names another file", d.plan.Over)
			}
			return d.sent()
		case "o":
			return d.sent()
		}
	}
	h := d.H - 2
	d.Scroll = d.By(kit.Scrolling(msg, h), len(d.lines), h)
	return d, kit.Out{}
}

// sent asks for what is shown to be done.
func (d exchange) sent() (kit.Dialog, kit.Out) {
	if !d.ready() {
		return d, kit.Out{}
	}
	return nil, kit.Out{Answer: exchangeMsg{d.way, d.plan}}
}

// ready reports that there is something to do.
func (d exchange) ready() bool { return d.done && d.err == nil && d.plan.Do != nil }

// wrapped breaks the plan into lines for the room that there is, if that has changed.
func (d exchange) wrapped() exchange {
	if !d.done || d.err != nil || d.of == d.W {
		return d
	}
	d.lines, d.of = nil, d.W
	text := d.plan.Text
	if d.plan.Over != "" {
		text = fmt.Sprintf("! %s is there and would be replaced: o does\n", d.plan.Over) + text
	}
	for line := range strings.Lines(lessons.Block(strings.TrimRight(text, "\n"))) {
		for i, text := range kit.Wrap(strings.TrimSuffix(line, "\n"), max(d.W-6, 1)) {
			if i > 0 {
				text = "  " + text
			}
			d.lines = append(d.lines, planLine{text, line[0]})
		}
	}
	d.Scroll = d.By(0, len(d.lines), d.H-2)
	return d
}

func (d exchange) Hints() []kit.Hint {
	switch {
	case d.what != "" && d.ready() && d.plan.Over != "":
		return []kit.Hint{{Key: "o", Foot: "replace the file"}, {Key: "j k", Foot: "scroll"}, {Key: "b", Foot: "choose another"}, {Key: "esc", Foot: "leave"}}
	case d.what != "" && d.ready():
		return []kit.Hint{{Key: "enter", Foot: string(d.way)}, {Key: "j k", Foot: "scroll"}, {Key: "b", Foot: "choose another"}, {Key: "esc", Foot: "leave"}}
	case d.what != "":
		return []kit.Hint{{Key: "j k", Foot: "scroll"}, {Key: "b", Foot: "choose another"}, {Key: "esc", Foot: "leave"}}
	case d.typing:
		return []kit.Hint{{Key: "enter", Foot: "see what would change"}, {Key: "esc", Foot: "back"}}
	}
	return []kit.Hint{{Key: "j k enter", Foot: "choose"}, {Key: "t", Foot: "type one"}, {Key: "esc", Foot: "leave"}}
}

func (d exchange) View(w, h int, st *look.Style) string {
	if d.what == "" {
		return d.choices(min(w, kit.AskW), h, st)
	}
	title := st.Accent.Render(lessons.Line(cmp.Or(d.plan.Title, string(d.way))))
	switch {
	case !d.done:
		return kit.Box{Title: title, On: true}.Draw(kit.Indented([]string{"", st.Dim.Render("Looking at what would change…"), ""}), min(w, kit.AskW), min(5, h), st)
	case d.err != nil:
		w = min(w, kit.AskW)
		lines := append(append([]string{""}, kit.Indented(kit.Paragraph(d.err.Error(), w-4, st.Bad))...), "")
		return kit.Box{Title: title, On: true}.Draw(lines, w, min(len(lines)+2, h), st)
	}
	right := ""
	if rest := len(d.lines) - d.Top - (h - 2); rest > 0 {
		right = st.Dim.Render(fmt.Sprintf("↓%d", rest))
	}
	if d.plan.Do == nil {
		right = st.Dim.Render("nothing to do")
	}
	var lines []string
	for _, l := range d.lines[min(d.Top, len(d.lines)):min(d.Top+max(h-2, 0), len(d.lines))] {
		lines = append(lines, l.look(st).Render(l.text))
	}
	return kit.Box{Title: title, Right: right, On: true}.Draw(kit.Indented(lines), w, min(len(d.lines)+2, h), st)
}

// look is how a line of a plan looks.
func (l planLine) look(st *look.Style) look.Ink {
	switch l.of {
	case '+':
		return st.OK
	case '-':
		return st.Bad
	case '!':
		return st.Warn
	case '=', '@':
		return st.Dim
	}
	return st.Text
}

// choices are the stores, and the line to type in.
func (d exchange) choices(w, h int, st *look.Style) string {
	says := map[way]string{
		importing: "Found at the usual places. What is new waits in Review.",
		exporting: "Found at the usual places. Approved lessons are written there.",
	}[d.way]
	switch {
	case !d.found:
		says = "Looking at the usual places…"
	case len(d.stores) == 0:
		says = "Nothing is at the usual places. Type a file, a folder or a format."
	}
	lines := []string{"", "  " + st.Dim.Render(says), ""}
	room := max(h-8, 1)
	first := max(0, min(d.at-room/2, len(d.stores)-room))
	for i := first; i < min(first+room, len(d.stores)); i++ {
		s := d.stores[i]
		number := " "
		if i < 9 {
			number = strconv.Itoa(i + 1)
		}
		lines = append(lines, kit.Choice(i == d.at, number, kit.Fit(s.Format, 13)+" "+lessons.Line(s.Shown), st))
	}
	if d.typing {
		lines = append(lines, kit.Choice(true, "›", kit.FieldView(d.in, w-10), st))
		lines = append(lines, "", "  "+st.Dim.Render("a format, a file or folder, or both: json ~/lessons.json"))
	} else {
		lines = append(lines, kit.Choice(d.at == len(d.stores), "t", "type a file, a folder or a format…", st))
	}
	lines = append(lines, "")
	title := map[way]string{importing: "import: from where?", exporting: "export: to where?"}[d.way]
	return kit.Box{Title: st.Accent.Render(title), On: true}.Draw(lines, w, min(len(lines)+2, h), st)
}
