package tui

import (
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
)

// help lists the keys that live now, those that are off with the reason, and
// narrows as one types.
type help struct {
	all []hint
	in  textinput.Model
	top int
}

func newHelp(all []hint) help { return help{all: all, in: newField("")} }

func (d help) update(msg tea.Msg) (dialog, out) {
	if k, ok := msg.(tea.KeyPressMsg); ok {
		switch k.String() {
		case "esc", "?", "enter":
			return nil, out{}
		case "down", "ctrl+d", "pgdown":
			d.top++
			return d, out{}
		case "up", "ctrl+u", "pgup":
			d.top = max(d.top-1, 0)
			return d, out{}
		}
	}
	var cmd tea.Cmd
	d.in, cmd = d.in.Update(msg)
	d.top = 0
	return d, out{cmd: cmd}
}

func (d help) view(w, h int, st style) string {
	w = min(w, 88)
	lines := []string{" " + st.accent.Render("/") + " " + fieldView(d.in, w-6)}
	group := ""
	var rest []string
	for _, k := range matching(d.all, d.in.Value()) {
		if k.group != group {
			group = k.group
			rest = append(rest, "", " "+st.strong.Render(group))
		}
		l := "   " + st.accent.Render(fit(k.key, 9)) + " " + k.desc
		if k.off != "" {
			l = "   " + st.faint.Render(fit(k.key, 9)+" "+k.desc+" (not now: "+k.off+")")
		}
		rest = append(rest, l)
	}
	if len(rest) == 0 {
		rest = []string{"", " " + st.faint.Render("no key for that")}
	}
	lines = append(lines, clip(rest, d.top, h-4)...)
	return box{title: st.accent.Render("keys"), on: true}.draw(lines, w, min(len(lines)+2, h), st)
}

func (d help) hints() []hint {
	return []hint{{key: "type", foot: "to narrow"}, {key: "↓ ↑", foot: "scroll"}, {key: "esc", foot: "close"}}
}

// matching are the hints with all the words of a text.
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

// palette finds a command by words and does it.
type palette struct {
	all    []hint
	in     textinput.Model
	cur    list
	chosen bool // something was typed or moved: enter alone must do nothing
}

func newPalette(all []hint) palette {
	var live []hint
	for _, h := range all {
		if h.off == "" {
			live = append(live, h)
		}
	}
	p := palette{all: live, in: newField("")}
	p.cur = p.cur.resize(len(live), 12)
	return p
}

// pressMsg is the answer of a palette: as if the key had been pressed.
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
			if d.chosen && d.cur.at < len(some) {
				return nil, out{answer: pressMsg{key: some[d.cur.at].press}}
			}
			return d, out{}
		}
	}
	var cmd tea.Cmd
	d.in, cmd = d.in.Update(msg)
	d.chosen = strings.TrimSpace(d.in.Value()) != ""
	d.cur = d.cur.resize(len(matching(d.all, d.in.Value())), 12).to(0)
	return d, out{cmd: cmd}
}

func (d palette) view(w, h int, st style) string {
	w = min(w, 64)
	lines := []string{" " + st.accent.Render(":") + " " + fieldView(d.in, w-6), ""}
	some := matching(d.all, d.in.Value())
	cur := d.cur.resize(len(some), min(12, h-5))
	lines = append(lines, cur.lines(func(i int, current bool) string {
		if current {
			return st.accent.Render(" ▌ ") + st.strong.Render(fit(some[i].desc, w-18)) + st.accent.Render(some[i].key)
		}
		return "   " + fit(some[i].desc, w-18) + st.faint.Render(some[i].key)
	})...)
	if len(some) == 0 {
		lines = append(lines, " "+st.faint.Render("no command like that"))
	}
	return box{title: st.accent.Render("do"), on: true}.draw(lines, w, min(len(lines)+2, h), st)
}

func (d palette) hints() []hint {
	return []hint{{key: "type", foot: "to find"}, {key: "↓ ↑", foot: "choose"}, {key: "enter", foot: "do it"}, {key: "esc", foot: "close"}}
}
