package desk

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"learnings/index"
	"learnings/lessons"
	"learnings/tui/kit"
)

// QuotingMsg has the lessons that quote a session.
type QuotingMsg struct {
	Session string
	Lessons []lessons.Lesson
}

// mostQuoting is how many lessons of a session are shown in it.
const mostQuoting = 300

// Quoting asks for the lessons that quote a session, which is readable without them.
func (fx Desk) Quoting(session string) kit.Job {
	return func(ctx context.Context) tea.Msg {
		if session == "" || !fx.Shared.Others.Take(ctx) {
			return nil
		}
		defer fx.Shared.Others.GiveBack()
		p, err := fx.Look.Search(ctx, index.Query{Limit: mostQuoting, Now: fx.Now(), Unjudged: true}.Where(index.Session, session))
		if err != nil {
			return nil
		}
		m := QuotingMsg{Session: session}
		for _, h := range p.Hits {
			m.Lessons = append(m.Lessons, h.Lesson)
		}
		return m
	}
}
