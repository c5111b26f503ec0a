package desk

import (
	"fmt"

	"learnings/lessons"
	"learnings/tui/kit"
)

// RelatedMsg tells that other lessons may contradict the one that is shown by now, or be
// like it.
type RelatedMsg struct{}

// What a screen or a dialog asks for of another one, by [kit.Out.To].
type (
	// JudgeMsg asks for what a key of the lists does to a lesson that is read in its session.
	// Back is the reader to come back to.
	JudgeMsg struct {
		Key    string
		Lesson lessons.Lesson
		Back   kit.Dialog
	}
	// ReadMsg asks for the evidence of a lesson in its session, or for places in sessions.
	// Back is the dialog to come back to; nil is the screen.
	ReadMsg struct {
		Lesson lessons.Lesson
		Places []lessons.Evidence // in place of a lesson
		Back   kit.Dialog
	}
	// BrowseMsg asks for Browse with what a query finds; "" leaves it as it is.
	BrowseMsg struct{ Query string }
)

// Evidence asks for the evidence of a lesson.
func Evidence(l lessons.Lesson) kit.Out { return kit.Out{To: ReadMsg{Lesson: l}} }

// ReadAt asks for places in sessions.
func ReadAt(places ...lessons.Evidence) kit.Out { return kit.Out{To: ReadMsg{Places: places}} }

// Browse asks for Browse with what a query finds.
func Browse(query string) kit.Out { return kit.Out{To: BrowseMsg{query}} }

// Copied has the terminal put text on the clipboard.
func Copied(what, text string) kit.Out { return kit.Out{To: CopyMsg{what, text}} }

// ApprovedMsg says how many lessons are approved.
type ApprovedMsg struct {
	N   int
	Err error
}

// CopyMsg asks for a text on the clipboard.
type CopyMsg struct{ What, Text string }

// EditedMsg is a lesson as the person wants it.
type EditedMsg struct {
	On Screen
	DecideMsg
}

// ReadOnMsg is the answer of a reader: a key of the queue, for the lesson that is read.
type ReadOnMsg struct {
	Key string
	ID  lessons.ID
}

// A Stock says how much there is to take lessons from.
type Stock struct {
	All, Fresh int
	Known      bool   // the search for it has ended
	Model      string // that is at hand; "" for none
	Asks       string // how it is asked
	Agents     string // of how many sessions each is
}

// Sent shows what a model would be sent; esc goes back.
func Sent(model, text string, tokens int) func(kit.Text) (kit.Dialog, kit.Out) {
	return func(d kit.Text) (kit.Dialog, kit.Out) {
		return kit.Text{Title: "what is sent to " + lessons.Line(model), Right: fmt.Sprintf("about %s tokens", kit.Grouped(tokens)), W: 1 << 10,
			Lines: kit.Plain(text), Keys: []kit.TextKey{{Keys: []string{"v"}}}, Back: d, Leave: "back"}, kit.Out{}
	}
}

// OnLesson is what a key does with the lesson under the cursor that leaves its pane as it is.
func OnLesson[P interface{ Current() (lessons.Lesson, bool) }](do func(P, lessons.Lesson) kit.Out) func(P, string) (P, kit.Out) {
	return kit.Asks(func(p P) kit.Out {
		l, _ := p.Current()
		return do(p, l)
	})
}

// UnlessLesson says why a key is off when something is so of the lesson under the cursor, and
// else what then says.
func UnlessLesson[P interface{ Current() (lessons.Lesson, bool) }](is func(P, lessons.Lesson) bool, why string, then func(P) string) func(P) string {
	return kit.Unless(func(p P) bool {
		l, ok := p.Current()
		return ok && is(p, l)
	}, why, then)
}
