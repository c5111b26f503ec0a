package tui

import (
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"learnings/index/recall"
	"learnings/lessons"
	"learnings/tui/kit"
)

// A NextConfig says what next sessions are given.
type NextConfig struct {
	// Ahead gives what the next session of an agent would be told, were its first prompt
	// the one of the situation; the agent is one of Agents, or "" for whoever runs
	// `learnings inject`. It is nil when nobody can say.
	Ahead    func(ctx context.Context, agent string, s recall.Situation) (recall.Ahead, error)
	Agents   func() []NextAgent                      // all there are; asked once, when the screen is first shown
	Projects func(context.Context) ([]string, error) // as they are written
	Project  string                                  // that is looked at first: where the person is
	Role     string                                  // of an agent that names none
	Budget   recall.Budget                           // of what a session is given
}

// A NextAgent is one that can be told something.
type NextAgent struct {
	Name, Title string
	Takes       string // in a few words, when it is told something
	Here        bool   // it is on this machine
}

// toldMsg answers lookAhead.
type toldMsg struct {
	seq    int
	ask    assumed
	agents []NextAgent // when nobody knew them before
	task   string
	told   []recall.Telling
	in     []recall.Choice     // best first, of one telling after the other
	out    []recall.Choice     // nearest first
	came   map[lessons.ID]bool // in because of the task
	went   int                 // out because of it
	err    error
}

// lookAhead works out what a session is told. A newer request replaces one under way.
func lookAhead(fx effects, seq int, a assumed, agents []NextAgent, task string) kit.Job {
	fx.shared.sought[onNext].ask(seq)
	return func(ctx context.Context) tea.Msg {
		if !fx.shared.lists.take(ctx) {
			return nil
		}
		defer fx.shared.lists.giveBack()
		if !fx.shared.sought[onNext].is(seq) {
			return nil
		}
		m := toldMsg{seq: seq, agents: agents, task: task}
		if agents == nil && fx.Next.Agents != nil {
			m.agents = fx.Next.Agents()
			if i := slices.IndexFunc(m.agents, func(a NextAgent) bool { return a.Here }); i >= 0 {
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
		if ctx.Err() != nil {
			return nil
		}
		return m
	}
}

func (a assumed) situation(fx effects, task string) recall.Situation {
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

// listProjects asks for the names to choose from.
func listProjects(fx effects, as func(name string) kit.Option) kit.Job {
	return func(ctx context.Context) tea.Msg {
		if fx.Next.Projects == nil {
			return kit.MoreMsg{}
		}
		if !fx.shared.others.take(ctx) {
			return nil
		}
		defer fx.shared.others.giveBack()
		names, err := fx.Next.Projects(ctx)
		m := kit.MoreMsg{Err: err}
		for _, n := range names {
			m.Options = append(m.Options, as(n))
		}
		return m
	}
}
