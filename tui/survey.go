package tui

import (
	"context"
	"runtime/debug"

	tea "charm.land/bubbletea/v2"

	"learnings/tui/kit"
)

// mostShownGroups is how many contradictions, and how many groups of duplicates,
// a survey keeps: more than anybody settles in one review.
const mostShownGroups = 500

// A surveyed is what surveys look for. It takes the whole corpus, so none is made before
// a person asks for its list.
type surveyed int

const (
	contradicting surveyed = iota
	duplicated
	surveys
)

// A looking is the state of the surveys of one kind, of which at most one is under way.
type looking struct {
	busy bool
	made bool // there was one
	old  bool // something changed that the last one has not seen
}

// changed notes that surveys are out of date, and makes the one anew whose list is open.
func (a app) changed(o kit.Out) (app, kit.Out) {
	for i := range a.looking {
		a.looking[i].old = true
	}
	if d, ok := a.dialog.(worklist); ok {
		return a.look(d, o)
	}
	return a, o
}

// look makes a survey for a list, unless the last one is as good.
func (a app) look(d worklist, o kit.Out) (app, kit.Out) {
	l := &a.looking[d.kind]
	if l.busy || l.made && !l.old {
		return a, o
	}
	*l = looking{busy: true, made: true}
	return a, o.And(kit.Run(a.fx.surveyAll(d.worklistKind)))
}

// surveyedMsg tells that there is a new survey.
type surveyedMsg struct {
	kind surveyed
	err  error
}

// surveyGC is by how many percent the memory in use may grow between two collections
// while lessons are compared: with Go's 100 half as much again is held.
const surveyGC = 30

// surveyAll makes a survey. It may be some decisions old, so whoever uses it reads the
// lessons again.
func (fx effects) surveyAll(kind worklistKind) kit.Job {
	return func(ctx context.Context) tea.Msg {
		if !fx.shared.comparing.take(ctx) {
			return nil
		}
		defer fx.shared.comparing.giveBack()
		// It holds much for a moment, which is given back.
		defer debug.FreeOSMemory()
		defer debug.SetGCPercent(debug.SetGCPercent(surveyGC))
		found, err := kind.find(ctx, fx)
		if err == nil {
			fx.shared.surveys[kind.kind].Store(&found)
		}
		return surveyedMsg{kind: kind.kind, err: err}
	}
}

// relatedMsg tells that other lessons may contradict the one on a card by now, or be like
// it.
type relatedMsg struct{}

func related(context.Context) tea.Msg { return relatedMsg{} }
