package tui

import (
	"maps"
	"slices"
	"strconv"

	"learnings/lessons"
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
	for _, k := range slices.Sorted(maps.Keys(a.fx.Commands)) {
		all = append(all, kit.Hint{Key: k, Desc: a.fx.Commands[k], Group: kit.SettingsSection, About: "A command of yours, from [commands] in config.toml.", Answer: kit.OutMsg{Out: a.command(a.fx.Commands[k])}})
	}
	for _, x := range a.fx.Actions {
		all = append(all, kit.Hint{Desc: x.Name, About: x.About, Off: x.Off, Group: kit.SettingsSection, Answer: kit.OutMsg{Out: a.fx.Perform(x)}})
	}
	return all
}

// command runs a command of the person on the current lesson.
func (a app) command(line string) kit.Out {
	current := map[desk.Screen]func() (lessons.Lesson, bool){desk.OnReview: a.review.Current, desk.OnBrowse: a.browse.Current, desk.OnNext: a.next.Current}[a.on]
	if current != nil {
		if l, ok := current(); ok {
			return a.fx.Command(line, l)
		}
	}
	return kit.Warn("the command was not run: there is no lesson under the cursor")
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
