package desk

import (
	"fmt"
	"strings"

	"learnings/lessons"
	"learnings/tui/kit"
)

// RelatedMsg says that the lessons like the current one, or contradicting it, may have
// changed.
type RelatedMsg struct{}

// Requests of a screen or dialog to another, sent in [kit.Out.To].
type (
	// JudgeMsg asks to apply a key of the lists to a lesson open in a reader. Back is
	// that reader.
	JudgeMsg struct {
		Key    string
		Lesson lessons.Lesson
		Back   kit.Dialog
	}
	// ReadMsg asks to open the evidence of a lesson, or places in sessions. Back is the
	// dialog to return to, nil for the screen.
	ReadMsg struct {
		Lesson lessons.Lesson
		Places []lessons.Evidence // instead of a lesson
		Back   kit.Dialog
	}
	// BrowseMsg asks for Browse with a query; "" keeps the present one.
	BrowseMsg struct{ Query string }
)

// Evidence asks to open the evidence of l.
func Evidence(l lessons.Lesson) kit.Out { return kit.Out{To: ReadMsg{Lesson: l}} }

// ReadAt asks to open places in sessions.
func ReadAt(places ...lessons.Evidence) kit.Out { return kit.Out{To: ReadMsg{Places: places}} }

// Browse asks for Browse with a query.
func Browse(query string) kit.Out { return kit.Out{To: BrowseMsg{query}} }

// Copied asks to copy text of some lessons to the clipboard. What names it in the note.
func Copied(what, text string, of ...lessons.Lesson) kit.Out {
	return kit.Out{To: CopyMsg{what, text, of}}
}

// ApprovedMsg reports the number of approved lessons.
type ApprovedMsg struct {
	N   int
	Err error
}

// CopyMsg asks to copy Text to the clipboard.
type CopyMsg struct {
	What, Text string
	Of         []lessons.Lesson
}

// Leave calls do, which lets lessons leave this machine. If words of them look like secrets,
// it shows these and asks first.
func (fx Desk) Leave(ls []lessons.Lesson, do func() kit.Out) kit.Out {
	if fx.Suspects == nil {
		return do()
	}
	lines, let := fx.Suspects(ls)
	if len(lines) == 0 {
		return do()
	}
	yes := kit.TextKey{Keys: []string{"y"}, Foot: "let them leave", Do: func(d kit.Text) (kit.Dialog, kit.Out) {
		if err := let(); err != nil {
			return d, kit.Warn("%v", err)
		}
		return nil, do()
	}}
	return kit.Ask(kit.Text{Title: kit.LessonsOf(len(lines)) + " with words that look like secrets", Bad: true, W: kit.AskW, Roomy: true, Keys: []kit.TextKey{yes, {Keys: []string{"n"}}},
		Lines: kit.Plain(strings.Join(lines, "\n") + "\n\nLet such words leave this machine? It is asked once for them."), Leave: "keep them here", Left: "nothing has left this machine"})
}

// EditedMsg is the answer of the editor.
type EditedMsg struct {
	On Screen
	DecideMsg
}

// ReadOnMsg is the answer of a reader: a key of the queue for the lesson that is open.
type ReadOnMsg struct {
	Key string
	ID  lessons.ID
}

// A Stock counts the sessions that lessons can be extracted from.
type Stock struct {
	All, Fresh int
	Known      bool   // the search for them has ended
	Model      string // the model at hand; "" for none
	Asks       string // how it is asked
	Agents     string // how many sessions each has
}

// Sent shows the prompt for a model; esc goes back.
func Sent(model, text string, tokens int) func(kit.Text) (kit.Dialog, kit.Out) {
	return func(d kit.Text) (kit.Dialog, kit.Out) {
		return kit.Text{Title: "what is sent to " + lessons.Line(model), Right: fmt.Sprintf("about %s tokens", kit.Grouped(tokens)), W: 1 << 10,
			Lines: kit.Plain(text), Keys: []kit.TextKey{{Keys: []string{"v"}}}, Back: d, Leave: "back"}, kit.Out{}
	}
}

// OnLesson returns the Do function of a key that acts on the current lesson and leaves
// the pane unchanged.
func OnLesson[P interface{ Current() (lessons.Lesson, bool) }](do func(P, lessons.Lesson) kit.Out) func(P, string) (P, kit.Out) {
	return kit.Asks(func(p P) kit.Out {
		l, _ := p.Current()
		return do(p, l)
	})
}

// UnlessLesson is [kit.Unless] for a condition on the current lesson.
func UnlessLesson[P interface{ Current() (lessons.Lesson, bool) }](is func(P, lessons.Lesson) bool, why string, then func(P) string) func(P) string {
	return kit.Unless(func(p P) bool {
		l, ok := p.Current()
		return ok && is(p, l)
	}, why, then)
}
