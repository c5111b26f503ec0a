package tui

import (
	tea "charm.land/bubbletea/v2"

	"learnings/lessons"
)

// reader shows the place in a transcript that taught a lesson.
type reader struct {
	from lessons.Evidence
	top  int
}

// openReader opens the transcript that evidence names, at its line; when the
// file is gone it shows the snapshot that the evidence holds.
func openReader(_ effects, e lessons.Evidence) out { return ask(reader{from: e}) }

func (d reader) update(msg tea.Msg) (dialog, out) {
	if k, ok := msg.(tea.KeyPressMsg); ok {
		switch k.String() {
		case "esc", "q":
			return nil, out{}
		case "j", "down":
			d.top++
		case "k", "up":
			d.top = max(d.top-1, 0)
		}
	}
	return d, out{}
}

func (d reader) view(w, h int, st style) string {
	var lines []string
	for _, s := range append(append(append([]string{}, d.from.Before...), d.from.Quote), d.from.After...) {
		lines = append(lines, wrap(lessons.Block(s), w-4)...)
	}
	return box{title: "evidence", on: true}.draw(clip(lines, d.top, h-2), w, h, st)
}

func (d reader) hints() []hint {
	return []hint{{key: "j k", foot: "scroll"}, {key: "esc", foot: "back"}}
}
