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
	stores []Store
}

// previewedMsg is what an import or export would do.
type previewedMsg struct {
	way  way
	what string // as it was asked for
	plan Preview
	err  error
}

// exchangeMsg is a person's word to do what was shown.
type exchangeMsg struct {
	way  way
	plan Preview
}

// exchangedMsg is what was done.
type exchangedMsg struct {
	way  way
	said string
	err  error
}

// stores looks for the stores of other programs.
func (fx effects) stores(w way) job {
	return func(context.Context) tea.Msg { return storesMsg{w, fx.Exchange.Stores(w == exporting)} }
}

// previewed finds what would be done.
func (fx effects) previewed(w way, what string) job {
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
func (fx effects) exchange(m exchangeMsg) job {
	return func(ctx context.Context) tea.Msg {
		said, err := m.plan.Do(ctx)
		return exchangedMsg{way: m.way, said: said, err: err}
	}
}

// note is what the status line says of an exchange.
func (m exchangedMsg) note() note {
	switch {
	case m.err != nil && m.said != "":
		return note{bad: true, text: lessons.Line(fmt.Sprintf("%s stopped: %v · %s by then", m.way, m.err, m.said))}
	case m.err != nil:
		return note{bad: true, text: lessons.Line(fmt.Sprintf("%s stopped: %v", m.way, m.err))}
	}
	return note{text: "✓ " + lessons.Line(m.said)}
}

// An exchange asks where lessons are to come from or go, shows what would change, and
// asks whether to.
type exchange struct {
	fx     effects
	way    way
	stores []Store
	found  bool // stores are known
	at     int  // len(stores) is the line to type in
	in     textinput.Model
	typing bool

	back  dialog // of lessons that were chosen: where the form and the path are asked for
	what  string // that is previewed; "" while the person chooses
	plan  Preview
	done  bool // plan or err is there
	err   error
	lines []planLine // of the plan
	of    int        // the width for which they are
	scroll
}

// A planLine is a line of a plan, or what of one did not fit before it.
type planLine struct {
	text string
	of   byte // what the line begins with
}

// openExchange opens the question where from or where to.
func openExchange(fx effects, w way) out {
	return ask(exchange{fx: fx, way: w, in: newField("")}).and(run(fx.stores(w)))
}

func (d exchange) update(msg tea.Msg) (dialog, out) {
	switch m := msg.(type) {
	case roomMsg:
		d.roomMsg = m
		return d.wrapped(), out{}
	case storesMsg:
		if m.way == d.way && !d.found {
			d.stores, d.found = m.stores, true
			d.typing = d.what == "" && len(m.stores) == 0
		}
		return d, out{}
	case previewedMsg:
		if m.way == d.way && m.what == d.what {
			d.plan, d.err, d.done, d.top, d.of = m.plan, m.err, true, 0, 0
		}
		return d.wrapped(), out{}
	}
	switch {
	case d.what != "":
		return d.shown(msg)
	case d.typing:
		key, text, cmd := typeInto(&d.in, msg)
		switch {
		case key == "esc" && len(d.stores) > 0:
			d.typing = false
		case key == "esc":
			return nil, say("nothing was changed")
		case text != "":
			return d.look(text)
		}
		return d, out{cmd: cmd}
	}
	return d.chosen(msg)
}

// chosen takes a key while the person chooses.
func (d exchange) chosen(msg tea.Msg) (dialog, out) {
	if m, ok := msg.(wheelMsg); ok {
		d.at = max(0, min(d.at+m.by/notch, len(d.stores)))
	}
	k, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return d, out{}
	}
	switch s := k.String(); s {
	case "esc", "q":
		return nil, say("nothing was changed")
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
	return d, out{}
}

// look asks for what would change.
func (d exchange) look(what string) (dialog, out) {
	d.what, d.plan, d.done, d.err = what, Preview{}, false, nil
	return d.wrapped(), run(d.fx.previewed(d.way, what))
}

// shown takes a key while the preview is shown.
func (d exchange) shown(msg tea.Msg) (dialog, out) {
	if k, ok := msg.(tea.KeyPressMsg); ok {
		switch k.String() {
		case "esc", "q", "n":
			return nil, say("nothing was changed")
		case "b", "left", "h":
			if d.back != nil {
				return d.back, out{}
			}
			d.what = ""
			return d, out{}
		case "enter", "y":
			if d.ready() && d.plan.Over != "" {
				return d, warn("%s is there: o replaces it, b names another file", d.plan.Over)
			}
			return d.sent()
		case "o":
			return d.sent()
		}
	}
	h := d.h - 2
	d.scroll = d.by(turned(msg, h), len(d.lines), h)
	return d, out{}
}

// sent asks for what is shown to be done.
func (d exchange) sent() (dialog, out) {
	if !d.ready() {
		return d, out{}
	}
	return nil, out{answer: exchangeMsg{d.way, d.plan}}
}

// ready reports that there is something to do.
func (d exchange) ready() bool { return d.done && d.err == nil && d.plan.Do != nil }

// wrapped breaks the plan into lines for the room that there is, if that has changed.
func (d exchange) wrapped() exchange {
	if !d.done || d.err != nil || d.of == d.w {
		return d
	}
	d.lines, d.of = nil, d.w
	text := d.plan.Text
	if d.plan.Over != "" {
		text = fmt.Sprintf("! %s is there and would be replaced: o does\n", d.plan.Over) + text
	}
	for line := range strings.Lines(lessons.Block(strings.TrimRight(text, "\n"))) {
		for i, text := range wrap(strings.TrimSuffix(line, "\n"), max(d.w-6, 1)) {
			if i > 0 {
				text = "  " + text
			}
			d.lines = append(d.lines, planLine{text, line[0]})
		}
	}
	d.scroll = d.by(0, len(d.lines), d.h-2)
	return d
}

func (d exchange) hints() []hint {
	switch {
	case d.what != "" && d.ready() && d.plan.Over != "":
		return []hint{{key: "o", foot: "replace the file"}, {key: "j k", foot: "scroll"}, {key: "b", foot: "choose another"}, {key: "esc", foot: "leave"}}
	case d.what != "" && d.ready():
		return []hint{{key: "enter", foot: string(d.way)}, {key: "j k", foot: "scroll"}, {key: "b", foot: "choose another"}, {key: "esc", foot: "leave"}}
	case d.what != "":
		return []hint{{key: "j k", foot: "scroll"}, {key: "b", foot: "choose another"}, {key: "esc", foot: "leave"}}
	case d.typing:
		return []hint{{key: "enter", foot: "see what would change"}, {key: "esc", foot: "back"}}
	}
	return []hint{{key: "j k enter", foot: "choose"}, {key: "t", foot: "type one"}, {key: "esc", foot: "leave"}}
}

func (d exchange) view(w, h int, st *look.Style) string {
	if d.what == "" {
		return d.choices(min(w, askW), h, st)
	}
	title := st.Accent.Render(lessons.Line(cmp.Or(d.plan.Title, string(d.way))))
	switch {
	case !d.done:
		return box{title: title, on: true}.draw(indented([]string{"", st.Dim.Render("Looking at what would change…"), ""}), min(w, askW), min(5, h), st)
	case d.err != nil:
		w = min(w, askW)
		lines := append(append([]string{""}, indented(paragraph(d.err.Error(), w-4, st.Bad))...), "")
		return box{title: title, on: true}.draw(lines, w, min(len(lines)+2, h), st)
	}
	right := ""
	if rest := len(d.lines) - d.top - (h - 2); rest > 0 {
		right = st.Dim.Render(fmt.Sprintf("↓%d", rest))
	}
	if d.plan.Do == nil {
		right = st.Dim.Render("nothing to do")
	}
	var lines []string
	for _, l := range d.lines[min(d.top, len(d.lines)):min(d.top+max(h-2, 0), len(d.lines))] {
		lines = append(lines, l.look(st).Render(l.text))
	}
	return box{title: title, right: right, on: true}.draw(indented(lines), w, min(len(d.lines)+2, h), st)
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
		lines = append(lines, choice(i == d.at, number, fit(s.Format, 13)+" "+lessons.Line(s.Shown), st))
	}
	if d.typing {
		lines = append(lines, choice(true, "›", fieldView(d.in, w-10), st))
		lines = append(lines, "", "  "+st.Dim.Render("a format, a file or folder, or both: json ~/lessons.json"))
	} else {
		lines = append(lines, choice(d.at == len(d.stores), "t", "type a file, a folder or a format…", st))
	}
	lines = append(lines, "")
	title := map[way]string{importing: "import: from where?", exporting: "export: to where?"}[d.way]
	return box{title: st.Accent.Render(title), on: true}.draw(lines, w, min(len(lines)+2, h), st)
}
