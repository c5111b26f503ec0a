package next

import (
	"context"
	"slices"

	"learnings/index/recall"
	"learnings/lessons"
	"learnings/lessons/exchange/formats"
	"learnings/tui/desk"
)

// An outlook is what a session will be told.
type outlook struct {
	ask    assumed
	agents []desk.NextAgent // set if the pane had none yet
	task   string
	told   []recall.Telling
	in     []recall.Choice     // best first, grouped by telling
	out    []recall.Choice     // nearest first
	reads  formats.Opening     // what it reads besides
	came   map[lessons.ID]bool // included because of the task
	went   int                 // left out because of the task
	err    error
}

// lookAhead computes what a session will be told. reads is what it reads besides, if that
// is known of the same agent and project, as in had.
func lookAhead(ctx context.Context, fx desk.Desk, a, had assumed, agents []desk.NextAgent, task string, reads *formats.Opening) outlook {
	m := outlook{agents: agents, task: task}
	if agents == nil && fx.Next.Agents != nil {
		m.agents = fx.Next.Agents()
		if i := slices.IndexFunc(m.agents, func(a desk.NextAgent) bool { return a.Here }); i >= 0 {
			a.agent = m.agents[i].Name
		}
	}
	if agents == nil && fx.Sample && fx.Next.Projects != nil { // the working directory means nothing for the sample
		if names, err := fx.Next.Projects(ctx); err == nil && len(names) > 0 && !slices.Contains(names, a.project) {
			a.project = names[0]
		}
	}
	if m.ask = a; agents == nil || a.agent != had.agent || a.project != had.project {
		reads = nil
	}
	without, err := fx.Next.Ahead(ctx, a.agent, a.situation(fx, ""))
	with := without
	if err == nil && task != "" {
		with, err = fx.Next.Ahead(ctx, a.agent, a.situation(fx, task))
	}
	if m.err = err; err != nil {
		return m
	}
	m = m.with(with, without)
	switch {
	case reads != nil:
		m.reads = *reads
	case fx.Next.Reads != nil:
		m.reads = fx.Next.Reads(ctx, a.agent, a.project, without.Given())
	}
	return m
}

func (a assumed) situation(fx desk.Desk, task string) recall.Situation {
	s := recall.Situation{Project: a.project, Role: a.role, Prompt: task, TrustEdits: fx.TrustEdits, Now: fx.Now()}
	if a.file != "" {
		s.Files = []string{a.file}
	}
	return s
}

// with compares what is told with the task and without it.
func (m outlook) with(with, without recall.Ahead) outlook {
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
