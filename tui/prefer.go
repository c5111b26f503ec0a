package tui

import (
	"strconv"

	"learnings/tui/desk"
	"learnings/tui/kit"
)

// commands returns the palette: keys, screens, settings of the look, and actions of the
// program.
func commands(a app) []kit.Hint {
	all := a.keys()
	for s := range desk.Screens {
		k := strconv.Itoa(int(s) + 1)
		h := kit.Hint{Press: k, Key: k, Desc: s.String(), Group: kit.ScreensSection}
		if s == a.on {
			h.Off = "you are there"
		}
		all = append(all, h)
	}
	all = append(all, a.fx.Settings(a.mouse)...)
	for _, x := range a.fx.Actions {
		all = append(all, kit.Hint{Desc: x.Name, About: x.About, Off: x.Off, Group: kit.SettingsSection, Answer: kit.OutMsg{Out: a.fx.Perform(x)}})
	}
	return all
}

// preferred changes a setting and keeps it.
func preferred(a app, m desk.SettingMsg) (app, kit.Out) {
	switch m.Key {
	case "desk.theme":
		a.fx.Theme = m.Value
		a, _ = a.restyled(a.dark)
	case "desk.glyphs":
		a.fx.ASCII = m.Value == "ascii"
	case "desk.motion":
		a.fx.Still = m.Value == "false"
	case "desk.mouse":
		a.mouse = m.Value == "true"
	}
	return a, a.fx.Keep(m)
}
