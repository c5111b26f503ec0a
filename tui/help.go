package tui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"learnings/tui/look"
)

// A help lists the keys, those that are off with the reason, and narrows the list
// as the person types.
type help struct {
	all []hint
	in  textinput.Model
	scroll
}

// helpW is how wide the help gets.
const helpW = 88

func newHelp(all []hint) help { return help{all: all, in: newField("")} }

func (d help) update(msg tea.Msg) (dialog, out) {
	if m, ok := msg.(roomMsg); ok {
		d.roomMsg = m
	}
	n, h := len(d.lines(min(d.w, helpW), unseenStyle)), d.h-4
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
	group := ""
	var lines []string
	for _, k := range matching(d.all, d.in.Value()) {
		if k.group != group {
			group = k.group
			lines = append(lines, "", " "+st.Strong.Render(group))
		}
		text, look, press := k.desc, st.Text, st.Accent
		if k.off != "" {
			text, look, press = k.desc+" (not now: "+k.off+")", st.Dim, st.Dim
		}
		for i, l := range wrap(text, w-16) {
			left := press.Render(fit(k.key, 10))
			if i > 0 {
				left = fit("", 10)
			}
			lines = append(lines, "   "+left+look.Render(l))
		}
	}
	if len(lines) == 0 {
		lines = []string{"", " " + st.Dim.Render("no key for that")}
	}
	return lines
}

func (d help) view(w, h int, st *look.Style) string {
	w = min(w, helpW)
	all := d.lines(w, st)
	seen := clip(all, d.top, h-4)
	right := ""
	if rest := len(all) - d.top - len(seen); rest > 0 {
		right = st.Dim.Render(fmt.Sprintf("↓%d", rest))
	}
	lines := append([]string{" " + st.Accent.Render("/") + " " + fieldView(d.in, w-6)}, seen...)
	return box{title: st.Accent.Render("keys"), right: right, on: true}.draw(lines, w, min(len(lines)+2, h), st)
}

func (d help) hints() []hint {
	return []hint{{key: "type", foot: "to narrow"}, {key: "↓ ↑", foot: "scroll"}, {key: "esc", foot: "close"}}
}

// matching are the hints that have all words of a text.
func matching(all []hint, text string) []hint {
	var some []hint
	for _, h := range all {
		hay := strings.ToLower(h.group + " " + h.key + " " + h.desc)
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

// A palette finds a command by words and does it.
type palette struct {
	all    []hint
	in     textinput.Model
	cur    list
	chosen bool // something was typed or moved; without that, enter does nothing
}

func newPalette(all []hint) palette {
	sorted := slices.Clone(all) // what can be done now comes first
	slices.SortStableFunc(sorted, func(a, b hint) int { return cmp.Compare(min(len(a.off), 1), min(len(b.off), 1)) })
	p := palette{all: sorted, in: newField("")}
	p.cur = p.cur.resize(len(sorted), 12)
	return p
}

// pressMsg is the answer of a palette. It stands for pressing the key.
type pressMsg struct{ key string }

func (d palette) update(msg tea.Msg) (dialog, out) {
	if k, ok := msg.(tea.KeyPressMsg); ok {
		switch k.String() {
		case "esc":
			return nil, out{}
		case "down", "ctrl+n":
			d.cur, d.chosen = d.cur.move(1), true
			return d, out{}
		case "up", "ctrl+p":
			d.cur, d.chosen = d.cur.move(-1), true
			return d, out{}
		case "enter":
			some := matching(d.all, d.in.Value())
			if !d.chosen || d.cur.at >= len(some) {
				return d, out{}
			}
			h := some[d.cur.at]
			if h.off != "" {
				return d, say("%s: %s", h.desc, h.off)
			}
			return nil, out{answer: pressMsg{key: h.press}}
		}
	}
	if m, ok := msg.(wheelMsg); ok {
		d.cur, d.chosen = d.cur.move(m.by), true
		return d, out{}
	}
	was := d.in.Value()
	var cmd tea.Cmd
	if d.in, cmd = d.in.Update(msg); d.in.Value() == was {
		return d, out{cmd: cmd} // the answer of a job, which must not move the choice
	}
	d.chosen = strings.TrimSpace(d.in.Value()) != ""
	d.cur = d.cur.resize(len(matching(d.all, d.in.Value())), 12).to(0)
	return d, out{cmd: cmd}
}

func (d palette) view(w, h int, st *look.Style) string {
	w = min(w, 64)
	lines := []string{" " + st.Accent.Render(":") + " " + fieldView(d.in, w-6), ""}
	some := matching(d.all, d.in.Value())
	cur := d.cur.resize(len(some), min(12, h-5))
	lines = append(lines, cur.lines(func(i int, current bool) string {
		text, look := some[i].desc, st.Text
		if some[i].off != "" {
			text, look = text+" (not now: "+some[i].off+")", st.Dim
		}
		if current {
			return st.Accent.Render(" ▌ ") + look.Bold().Render(fit(text, w-18)) + st.Accent.Render(some[i].key)
		}
		return "   " + look.Render(fit(text, w-18)) + st.Dim.Render(some[i].key)
	})...)
	if len(some) == 0 {
		lines = append(lines, " "+st.Dim.Render("no command like that"))
	}
	return box{title: st.Accent.Render("do"), on: true}.draw(lines, w, min(len(lines)+2, h), st)
}

func (d palette) hints() []hint {
	return []hint{{key: "type", foot: "to find"}, {key: "↓ ↑", foot: "choose"}, {key: "enter", foot: "do it"}, {key: "esc", foot: "close"}}
}
