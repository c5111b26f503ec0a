package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"learnings/lessons"
	"learnings/tui/kit"
)

// lessonKeys show and copy the lesson under the cursor of a pane.
func lessonKeys[P interface{ current() (lessons.Lesson, bool) }](g string, off func(P) string, history func(P, lessons.Lesson) kit.Out) kit.Binds[P] {
	on := func(do func(P, lessons.Lesson) kit.Out) func(P, string) (P, kit.Out) {
		return func(p P, _ string) (P, kit.Out) {
			l, _ := p.current()
			return p, do(p, l)
		}
	}
	return kit.Binds[P]{
		{Binding: kit.Keyed("H", "history; bring an earlier version back", "H"), Group: g, Off: off, Do: on(history)},
		{Binding: kit.Keyed("y", "copy the lesson", "y"), Group: g, Off: off, Do: on(func(_ P, l lessons.Lesson) kit.Out { return copied("the lesson", strings.TrimSpace(l.Content)) })},
		{Binding: kit.Keyed("Y", "copy its handle", "Y"), Group: g, Off: off, Do: on(func(_ P, l lessons.Lesson) kit.Out { return copied(string(l.ID), string(l.ID)) })},
	}
}

// copied has the terminal put text on the clipboard.
func copied(what, text string) kit.Out {
	return kit.Say("copied %s", what).And(kit.Out{Cmd: func() tea.Msg { return copyMsg{text} }})
}
