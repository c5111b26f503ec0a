package next

import (
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"learnings/index/recall"
	"learnings/lessons"
	"learnings/tui/desk"
	"learnings/tui/kit"
)

// toldMsg answers lookAhead.
type toldMsg struct {
	seq    int
	ask    assumed
	agents []desk.NextAgent // when nobody knew them before
	task   string
	told   []recall.Telling
	in     []recall.Choice     // best first, of one telling after the other
	out    []recall.Choice     // nearest first
	came   map[lessons.ID]bool // in because of the task
	went   int                 // out because of it
	err    error
}

// lookAhead works out what a session is told. A newer request replaces one under way.
func lookAhead(fx desk.Desk, seq int, a assumed, agents []desk.NextAgent, task string) kit.Job {
	return fx.Shared.Sought[desk.OnNext].Of(seq, fx.Shared.Lists, func(ctx context.Context) tea.Msg {
		m := toldMsg{seq: seq, agents: agents, task: task}
		if agents == nil && fx.Next.Agents != nil {
			m.agents = fx.Next.Agents()
			if i := slices.IndexFunc(m.agents, func(a desk.NextAgent) bool { return a.Here }); i >= 0 {
				a.agent = m.agents[i].Name
			}
		}
		if agents == nil && fx.Sample && fx.Next.Projects != nil { // where the person is says nothing of a sample
			if names, err := fx.Next.Projects(ctx); err == nil && len(names) > 0 && !slices.Contains(names, a.project) {
				a.project = names[0]
			}
		}
		m.ask = a
		var without recall.Ahead
		if without, m.err = fx.Next.Ahead(ctx, a.agent, a.situation(fx, "")); m.err == nil && task != "" {
			var with recall.Ahead
			with, m.err = fx.Next.Ahead(ctx, a.agent, a.situation(fx, task))
			m = m.with(with, without)
		} else if m.err == nil {
			m = m.with(without, without)
		}
		return m
	})
}

func (a assumed) situation(fx desk.Desk, task string) recall.Situation {
	s := recall.Situation{Project: a.project, Role: a.role, Prompt: task, TrustEdits: fx.TrustEdits, Now: fx.Now()}
	if a.file != "" {
		s.Files = []string{a.file}
	}
	return s
}

// with takes in what is told with the task, beside what is told without one.
func (m toldMsg) with(with, without recall.Ahead) toldMsg {
	m.told, m.out, m.came = with.Told, with.Out, map[lessons.ID]bool{}
	var was []lessons.ID
	for _, t := range without.Told {
		was = append(was, recall.IDs(t.Choices)...)
	}
	for _, t := range with.Told {
		for _, c := range t.Choices {
			if !c.In {
				continue
			}
			m.in = append(m.in, c)
			if !slices.Contains(was, c.Lesson.ID) {
				m.came[c.Lesson.ID] = true
			}
		}
	}
	m.went = len(was) + len(m.came) - len(m.in)
	return m
}
