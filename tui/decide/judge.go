package decide

import (
	"learnings/index/curate"
	"learnings/tui/desk"
	"learnings/tui/kit"
)

// Judge approves, rejects or edits a lesson that is open in a reader, without a list.
func Judge(fx desk.Desk, m desk.JudgeMsg) kit.Out {
	if m.Key == "i" {
		return Edit(fx, desk.OnReview, m.Lesson, m.Back)
	}
	l, err := fx.Corpus.Store.Get(m.Lesson.ID) // whole and current
	switch {
	case err != nil:
		return kit.Warn("reading %s: %v", m.Lesson.ID, err)
	case m.Key == "x":
		return kit.Ask(NewWhy(desk.Only(l), nil, curate.Given{}))
	case curate.Alone(l) != "":
		return kit.Ask(TypedYes{Chosen: desk.Only(l), Action: curate.Approve, In: kit.NewField("")})
	}
	return kit.Out{Writes: []kit.Job{fx.Decide(curate.Approve, desk.Only(l))}}
}
