package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"learnings/lessons"
)

// This file proposes a lesson from a mistake that comes back.

// cureMsg asks for a lesson about a mistake.
type cureMsg struct{ mistake lessons.ID }

// curedMsg is the lesson that was proposed, or that is about it already.
type curedMsg struct {
	lesson lessons.Lesson
	old    bool
	err    error
}

// cure asks for a lesson about a mistake.
func cure(p insightsPane, mistake lessons.ID) (insightsPane, out) {
	if p.fx.Cure == nil {
		return p, say("nothing can be proposed here")
	}
	do := p.fx.Cure
	return p, say("reading the sessions for it…").and(out{writes: []job{func(ctx context.Context) tea.Msg {
		l, old, err := do(ctx, mistake)
		return curedMsg{l, old, err}
	}}})
}

func (m curedMsg) out() out {
	switch {
	case m.err != nil:
		return warn("nothing was proposed: %v", m.err)
	case m.old:
		return browseFor("id:" + string(m.lesson.ID)).and(say("this lesson is about it already"))
	}
	return say("✓ proposed “%s” · it waits in Review, where you say what avoids it · ‹undo u› undoes it", m.lesson.Title(48))
}
