package tui

import (
	"context"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"learnings/lessons"
	"learnings/tui/look"
)

// This file is what the palette has beside the keys: the screens, how the desk looks,
// and what the program does outside of it.

// An Action is something that the program does, which the palette offers.
type Action struct {
	Name, About string
	Off         string // why it cannot be done; "" when it can
	// Do does it and says what came of it: one line, or a page to read.
	Do func(context.Context) (string, error)
}

// turnMsg asks for a screen.
type turnMsg struct{ to screen }

// preferMsg asks for a setting to be another; its keys are those of config.toml.
type preferMsg struct{ key, value string }

// actMsg asks for an action.
type actMsg struct{ action Action }

// actedMsg answers an action.
type actedMsg struct {
	name, said string
	err        error
}

// keptMsg answers the request to keep a setting.
type keptMsg struct {
	preferMsg
	err error
}

// commands are what the palette has: the keys, and what has none.
func commands(a app) []hint {
	all := a.keys()
	for i, s := range slots {
		h := hint{key: fmt.Sprintf("alt+%d", i+1), desc: s.name, group: screensSection, answer: turnMsg{screen(i)}}
		if screen(i) == a.on {
			h.off = "you are there"
		}
		all = append(all, h)
	}
	all = append(all, hint{desc: "tour: four steps through the desk", group: screensSection, answer: tourMsg{},
		about: "What waits, who said it, the keys, and what the next session gets. Keys work meanwhile; esc ends it."})
	return append(all, preferences(a)...)
}

// preferences are the settings, each with what it may be, and the program's actions.
func preferences(a app) []hint {
	kept := "It is kept in config.toml."
	if a.fx.Set == nil {
		kept = "It holds until you quit."
	}
	var all []hint
	one := func(key, value, desc, about string, now bool) {
		h := hint{desc: desc, group: settingsSection, answer: preferMsg{key, value}, about: about + " " + kept}
		if now {
			h.off = "it is so now"
		}
		all = append(all, h)
	}
	for _, name := range look.Themes {
		one("desk.theme", name, "theme: "+name, themes[name], a.fx.Theme == name || a.fx.Theme == "" && name == look.Auto)
	}
	one("desk.glyphs", "unicode", "glyphs: unicode", "Signs such as ✓ ≈ ◆ and bars of lines.", !a.fx.ASCII)
	one("desk.glyphs", "ascii", "glyphs: ascii", "For a terminal or a font that has no others.", a.fx.ASCII)
	one("desk.motion", "true", "motion: on", "What is under way turns at the top right.", !a.fx.Still)
	one("desk.motion", "false", "motion: off", "Nothing moves; the word “busy” says that something is under way.", a.fx.Still)
	one("desk.mouse", "true", "mouse: on", "The wheel scrolls, a click chooses. The terminal selects text with shift.", a.mouse)
	one("desk.mouse", "false", "mouse: off", "The terminal selects text, and the wheel is its own.", !a.mouse)
	for _, x := range a.fx.Actions {
		all = append(all, hint{desc: x.Name, about: x.About, off: x.Off, group: settingsSection, answer: actMsg{x}})
	}
	return all
}

// themes say what each is for.
var themes = map[string]string{
	look.Auto: "Dark or light, by the background of the terminal.", look.Dark: "For a dark background.", look.Light: "For a light background.",
	look.Contrast: "Strong colours on black.", look.None: "No colour: bold, faint, underline and words say it all.", look.Terminal: "The sixteen colours that the terminal has.",
}

// preferred makes a setting another, and keeps it.
func preferred(a app, m preferMsg) (app, out) {
	var o out
	switch m.key {
	case "desk.theme":
		a.fx.Theme = m.value
		a.st = styleOf(a.fx, a.dark)
		a.panes, o = a.themed(a.st)
	case "desk.glyphs":
		a.fx.ASCII = m.value == "ascii"
	case "desk.motion":
		a.fx.Still = m.value == "false"
	case "desk.mouse":
		a.mouse = m.value == "true"
	}
	set := a.fx.Set
	if set == nil {
		return a, o.and(say("%s is %s until you quit", m.key, m.value))
	}
	return a, o.and(run(func(context.Context) tea.Msg { return keptMsg{m, set(m.key, m.value)} }))
}

// acted does an action of the program.
func acted(a app, x Action) (app, out) {
	return a, say("%s…", x.Name).and(out{writes: []job{func(ctx context.Context) tea.Msg {
		text, err := x.Do(ctx)
		return actedMsg{x.Name, text, err}
	}}})
}

// told is what an action or a setting says of itself: on the running line, or as a page
// to read.
func (m actedMsg) told() out {
	text := strings.TrimSpace(m.said)
	switch {
	case m.err != nil:
		o := warn("%s: %v", m.name, m.err)
		if strings.Contains(text, "\n") {
			o = o.and(ask(textPage{title: m.name, text: text}))
		}
		return o
	case strings.Contains(text, "\n"):
		return say("✓ %s", m.name).and(ask(textPage{title: m.name, text: text}))
	case text == "":
		return say("✓ %s", m.name)
	}
	return say("✓ %s: %s", m.name, lessons.Line(text))
}

func (m keptMsg) told() out {
	if m.err != nil {
		return warn("%s is %s until you quit; it could not be kept: %v", m.key, m.value, m.err)
	}
	return say("✓ %s = %s is kept", m.key, m.value)
}

// A textPage is a text to read.
type textPage struct {
	title, text string
	lines       func(w int, st *look.Style) []string // in place of text
	end         bool                                 // begin at its end
	scroll
}

// pageW is how wide a page gets.
const pageW = 100

func (d textPage) all(w int, st *look.Style) []string {
	if d.lines != nil {
		return d.lines(w, st)
	}
	return wrap(lessons.Block(d.text), max(w, 1))
}

func (d textPage) update(msg tea.Msg) (dialog, out) {
	n := func() int { return len(d.all(min(d.w, pageW)-4, unseenStyle)) }
	switch m := msg.(type) {
	case roomMsg:
		d.roomMsg = m
		if d.end {
			d.top, d.end = n(), false
		}
		d.scroll = d.by(0, n(), d.h-2)
	case tea.KeyPressMsg:
		if slices.Contains([]string{"esc", "q", "enter", "@"}, m.String()) {
			return nil, out{}
		}
		d.scroll = d.by(turned(m, d.h-2), n(), d.h-2)
	case wheelMsg:
		d.scroll = d.by(m.by, n(), d.h-2)
	}
	return d, out{}
}

func (d textPage) view(w, h int, st *look.Style) string {
	w = min(w, pageW)
	all := d.all(w-4, st)
	seen := clip(all, d.top, h-2)
	right := ""
	if rest := len(all) - d.top - len(seen); rest > 0 {
		right = st.Dim.Render(fmt.Sprintf("↓%d", rest))
	}
	return box{title: st.Accent.Render(d.title), right: right, on: true}.draw(indented(seen), w, min(len(seen)+2, h), st)
}

func (d textPage) hints() []hint {
	return []hint{{key: "j k", foot: "scroll"}, {key: "esc", foot: "close"}}
}
