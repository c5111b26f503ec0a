package tui

import (
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"learnings/lessons"
	"learnings/tui/desk"
	"learnings/tui/kit"
	"learnings/tui/look"
)

// This file is what the palette has beside the keys: the screens, how the desk looks,
// and what the program does outside of it.

// turnMsg asks for a screen.
type turnMsg struct{ to desk.Screen }

// preferMsg asks for a setting to be another; its keys are those of config.toml.
type preferMsg struct{ key, value string }

// actMsg asks for an action.
type actMsg struct{ action desk.Action }

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
func commands(a app) []kit.Hint {
	all := a.keys()
	for i, s := range slots {
		h := kit.Hint{Key: fmt.Sprintf("alt+%d", i+1), Desc: s.name, Group: kit.ScreensSection, Answer: turnMsg{desk.Screen(i)}}
		if desk.Screen(i) == a.on {
			h.Off = "you are there"
		}
		all = append(all, h)
	}
	return append(all, preferences(a)...)
}

// preferences are the settings, each with what it may be, and the program's actions.
func preferences(a app) []kit.Hint {
	kept := "It is kept in config.toml."
	if a.fx.Set == nil {
		kept = "It holds until you quit."
	}
	var all []kit.Hint
	one := func(key, value, desc, about string, now bool) {
		h := kit.Hint{Desc: desc, Group: kit.SettingsSection, Answer: preferMsg{key, value}, About: about + " " + kept}
		if now {
			h.Off = "it is so now"
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
		all = append(all, kit.Hint{Desc: x.Name, About: x.About, Off: x.Off, Group: kit.SettingsSection, Answer: actMsg{x}})
	}
	return all
}

// themes say what each is for.
var themes = map[string]string{
	look.Auto: "Dark or light, by the background of the terminal.", look.Dark: "For a dark background.", look.Light: "For a light background.",
	look.Contrast: "Strong colours on black.", look.None: "No colour: bold, faint, underline and words say it all.", look.Terminal: "The sixteen colours that the terminal has.",
}

// preferred makes a setting another, and keeps it.
func preferred(a app, m preferMsg) (app, kit.Out) {
	switch m.key {
	case "desk.theme":
		a.fx.Theme = m.value
		a.st = look.New(a.fx.Theme, a.dark)
	case "desk.glyphs":
		a.fx.ASCII = m.value == "ascii"
	case "desk.motion":
		a.fx.Still = m.value == "false"
	case "desk.mouse":
		a.mouse = m.value == "true"
	}
	set := a.fx.Set
	if set == nil {
		return a, kit.Say("%s is %s until you quit", m.key, m.value)
	}
	return a, kit.Run(func(context.Context) tea.Msg { return keptMsg{m, set(m.key, m.value)} })
}

// acted does an action of the program.
func acted(a app, x desk.Action) (app, kit.Out) {
	return a, kit.Say("%s…", x.Name).And(kit.Out{Writes: []kit.Job{func(ctx context.Context) tea.Msg {
		text, err := x.Do(ctx)
		return actedMsg{x.Name, text, err}
	}}})
}

// told is what an action or a setting says of itself: on the running line, or as a page
// to read.
func (m actedMsg) told() kit.Out {
	text := strings.TrimSpace(m.said)
	switch {
	case m.err != nil:
		o := kit.Warn("%s: %v", m.name, m.err)
		if strings.Contains(text, "\n") {
			o = o.And(kit.Ask(kit.Text{Title: m.name, Lines: kit.Plain(text)}))
		}
		return o
	case strings.Contains(text, "\n"):
		return kit.Say("✓ %s", m.name).And(kit.Ask(kit.Text{Title: m.name, Lines: kit.Plain(text)}))
	case text == "":
		return kit.Say("✓ %s", m.name)
	}
	return kit.Say("✓ %s: %s", m.name, lessons.Line(text))
}

func (m keptMsg) told() kit.Out {
	if m.err != nil {
		return kit.Warn("%s is %s until you quit; it could not be kept: %v", m.key, m.value, m.err)
	}
	return kit.Say("✓ %s = %s is kept", m.key, m.value)
}
