package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"
)

// mostShownGroups is how many contradictions, and how many groups of duplicates,
// a survey keeps: more than anybody settles in one review.
const mostShownGroups = 500

// A looking is the state of the surveys, of which at most one is under way.
type looking struct {
	busy  bool
	stale bool // something changed that the last survey has not seen
	old   bool // something was decided since, which matters to the lists of what a survey has found
}

// again asks for a survey, now or when the one under way has ended.
func (l looking) again(fx effects, o out) (looking, out) {
	if l.busy {
		l.stale = true
		return l, o
	}
	return looking{busy: true}, o.and(run(fx.surveyAll()))
}

// surveyedMsg tells that there is a new survey.
type surveyedMsg struct{ err error }

// surveyAll makes a survey: which lessons contradict each other, and which say the
// same. It may be some decisions old, so whoever uses it reads the lessons again.
func (fx effects) surveyAll() job {
	return func(ctx context.Context) tea.Msg {
		s, err := fx.Corpus.Survey(ctx, mostShownGroups)
		if err != nil {
			return surveyedMsg{err: err}
		}
		fx.shared.survey.Store(s)
		return surveyedMsg{}
	}
}
