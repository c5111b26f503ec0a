package tui

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"learnings/lessons"
	"learnings/tui/desk"
	"learnings/tui/kit"
	"learnings/tui/look"
)

// This file is what the palette has beside the keys: the screens, how the desk looks,
// and what the program does outside of it.

// preferMsg asks for a setting to be another; its keys are those of config.toml.
type preferMsg struct{ key, value string }

// preferences are the settings, with what each may be.
var preferences = []struct{ key, value, name, about string }{
	{"desk.theme", look.Auto, "theme: auto", "Dark or light, by the background of the terminal."},
	{"desk.theme", look.Dark, "theme: dark", "For a dark background."},
	{"desk.theme", look.Light, "theme: light", "For a light background."},
	{"desk.theme", look.Contrast, "theme: contrast", "Strong colours on black."},
	{"desk.theme", look.None, "theme: none", "No colour: bold, faint, underline and words say it all."},
	{"desk.theme", look.Terminal, "theme: terminal", "The sixteen colours that the terminal has."},
	{"desk.glyphs", "unicode", "glyphs: unicode", "Signs such as ✓ ≈ ◆ and bars of lines."},
	{"desk.glyphs", "ascii", "glyphs: ascii", "For a terminal or a font that has no others."},
	{"desk.motion", "true", "motion: on", "What is under way turns at the top right."},
	{"desk.motion", "false", "motion: off", "Nothing moves; the word “busy” says that something is under way."},
	{"desk.mouse", "true", "mouse: on", "The wheel scrolls, a click chooses. The terminal selects text with shift."},
	{"desk.mouse", "false", "mouse: off", "The terminal selects text, and the wheel is its own."},
}

// commands are what the palette has: the keys, and what has none.
func commands(a app) []kit.Hint {
	all := a.keys()
	for s := range desk.Screens {
		k := fmt.Sprintf("alt+%d", s+1)
		h := kit.Hint{Press: k, Key: k, Desc: s.String(), Group: kit.ScreensSection}
		if s == a.on {
			h.Off = "you are there"
		}
		all = append(all, h)
	}
	kept := " It is kept in config.toml."
	if a.fx.Set == nil {
		kept = " It holds until you quit."
	}
	now := map[string]string{"desk.theme": cmp.Or(a.fx.Theme, look.Auto), "desk.glyphs": "unicode", "desk.motion": strconv.FormatBool(!a.fx.Still), "desk.mouse": strconv.FormatBool(a.mouse)}
	if a.fx.ASCII {
		now["desk.glyphs"] = "ascii"
	}
	for _, p := range preferences {
		h := kit.Hint{Desc: p.name, Group: kit.SettingsSection, Answer: preferMsg{p.key, p.value}, About: p.about + kept}
		if now[p.key] == p.value {
			h.Off = "it is so now"
		}
		all = append(all, h)
	}
	for _, x := range a.fx.Actions {
		all = append(all, kit.Hint{Desc: x.Name, About: x.About, Off: x.Off, Group: kit.SettingsSection, Answer: kit.OutMsg{Out: perform(a.fx, x)}})
	}
	return all
}

// preferred makes a setting another, and keeps it.
func preferred(a app, m preferMsg) (app, kit.Out) {
	switch m.key {
	case "desk.theme":
		a.fx.Theme = m.value
		a, _ = a.restyled(a.dark)
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
	return a, kit.Run(func(context.Context) tea.Msg {
		if err := set(m.key, m.value); err != nil {
			return kit.OutMsg{Out: kit.Warn("%s is %s until you quit; it could not be kept: %v", m.key, m.value, err)}
		}
		return kit.OutMsg{Out: kit.Say("✓ %s = %s is kept", m.key, m.value)}
	})
}

// perform does an action of the program, and has what it says on the running line, or as a
// page to read.
func perform(fx desk.Desk, x desk.Action) kit.Out {
	return kit.Say("%s…", x.Name).And(kit.Out{Writes: []kit.Job{func(ctx context.Context) tea.Msg {
		text, err := x.Do(ctx)
		text = strings.TrimSpace(text)
		o := kit.Say("✓ %s", x.Name)
		if err != nil {
			o = kit.Warn("%s: %v", x.Name, err)
		}
		if strings.Contains(text, "\n") {
			o = o.And(kit.Ask(kit.Text{Title: x.Name, Lines: kit.Plain(text)}))
		} else if text != "" && err == nil {
			o = kit.Say("✓ %s: %s", x.Name, lessons.Line(text))
		}
		return kit.OutMsg{Out: o.And(kit.Run(fx.Sync()))}
	}}})
}
