package desk

import (
	"strings"

	"learnings/lessons"
	"learnings/tui/kit"
)

// OnLesson is what a key does with the lesson under the cursor that leaves its pane as it is.
func OnLesson[P interface{ Current() (lessons.Lesson, bool) }](do func(P, lessons.Lesson) kit.Out) func(P, string) (P, kit.Out) {
	return kit.Asks(func(p P) kit.Out {
		l, _ := p.Current()
		return do(p, l)
	})
}

// LessonKeys show and copy the lesson under the cursor of a pane.
func LessonKeys[P interface{ Current() (lessons.Lesson, bool) }](g string, off func(P) string) kit.Binds[P] {
	return kit.Binds[P]{
		{Binding: kit.Keyed("H", "history; bring an earlier version back", "H"), Group: g, Off: off, Do: OnLesson(func(_ P, l lessons.Lesson) kit.Out { return kit.Out{To: HistoryMsg{l}} })},
		{Binding: kit.Keyed("y", "copy the lesson", "y"), Group: g, Off: off, Do: OnLesson(func(_ P, l lessons.Lesson) kit.Out { return Copied("the lesson", strings.TrimSpace(l.Content)) })},
		{Binding: kit.Keyed("Y", "copy its handle", "Y"), Group: g, Off: off, Do: OnLesson(func(_ P, l lessons.Lesson) kit.Out { return Copied(string(l.ID), string(l.ID)) })},
	}
}

// Copied has the terminal put text on the clipboard.
func Copied(what, text string) kit.Out {
	return kit.Out{To: CopyMsg{what, text}}
}

// OneOf says why several that are marked are not edited together.
func OneOf(marked []lessons.Lesson) string {
	if len(marked) < 2 {
		return ""
	}
	return "i edits one lesson; K P t , change a field of all that are marked"
}
