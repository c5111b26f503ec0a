package decide

import (
	"learnings/index/curate"
	"learnings/tui/desk"
	"learnings/tui/kit"
)

// Judge approves or rejects a lesson that no list is at: it is read in its session.
func Judge(fx desk.Desk, m desk.JudgeMsg) kit.Out {
	l, err := fx.Corpus.Store.Get(m.ID) // whole, as it is now
	switch {
	case err != nil:
		return kit.Warn("reading %s: %v", m.ID, err)
	case m.Key == "x":
		return kit.Ask(NewWhy(desk.Only(l), nil, curate.Given{}))
	case curate.Alone(l) != "":
		return kit.Ask(TypedYes{Chosen: desk.Only(l), Action: curate.Approve, In: kit.NewField("")})
	}
	return kit.Out{Writes: []kit.Job{fx.Decide(curate.Approve, desk.Only(l))}}
}
