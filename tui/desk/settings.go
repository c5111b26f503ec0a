package desk

import (
	"cmp"
	"context"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"learnings/lessons"
	"learnings/tui/kit"
	"learnings/tui/look"
)

// A SettingMsg asks to change a setting. Key is its name in config.toml.
type SettingMsg struct{ Key, Value string }

// preferences are the settings and their possible values.
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

// Settings returns the palette's commands for the look of the desk.
func (d Desk) Settings(mouse bool) []kit.Hint {
	kept := " It is kept in config.toml."
	if d.Set == nil {
		kept = " It holds until you quit."
	}
	now := map[string]string{"desk.theme": cmp.Or(d.Theme, look.Auto), "desk.glyphs": "unicode", "desk.motion": strconv.FormatBool(!d.Still), "desk.mouse": strconv.FormatBool(mouse)}
	if d.ASCII {
		now["desk.glyphs"] = "ascii"
	}
	var all []kit.Hint
	for _, p := range preferences {
		h := kit.Hint{Desc: p.name, Group: kit.SettingsSection, Answer: SettingMsg{p.key, p.value}, About: p.about + kept}
		if now[p.key] == p.value {
			h.Off = "it is so now"
		}
		all = append(all, h)
	}
	return all
}

// Keep writes a setting that is already in force to config.toml, if it can.
func (d Desk) Keep(m SettingMsg) kit.Out {
	set := d.Set
	if set == nil {
		return kit.Say("%s is %s until you quit", m.Key, m.Value)
	}
	return kit.Run(func(context.Context) tea.Msg {
		if err := set(m.Key, m.Value); err != nil {
			return kit.OutMsg{Out: kit.Warn("%s is %s until you quit; it could not be kept: %v", m.Key, m.Value, err)}
		}
		return kit.OutMsg{Out: kit.Say("✓ %s = %s is kept", m.Key, m.Value)}
	})
}

// Perform runs an action and shows its result on the status line or as a page.
func (d Desk) Perform(x Action) kit.Out {
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
		return kit.OutMsg{Out: o.And(kit.Run(d.Sync()))}
	}}})
}
