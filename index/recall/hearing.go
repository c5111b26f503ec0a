package recall

import (
	"context"
	"maps"
	"slices"

	"learnings/index"
	"learnings/index/wordfreq"
)

// A Hearing takes in what a person said in sessions, so that it is known later what in
// a prompt is unusual. What goes wrong costs a prompt some of its evidence, and is no
// reason to stop the one who reads sessions.
type Hearing struct {
	x        *index.Index
	state    string
	prompts  []wordfreq.Prompt
	projects map[string]bool
}

// NewHearing is for the corpus with an index and a state folder.
func NewHearing(x *index.Index, state string) *Hearing {
	return &Hearing{x: x, state: state, projects: map[string]bool{}}
}

// mostHeard is how many prompts are kept in memory.
const mostHeard = 2000

// Hear takes in the prompts of one session, without secrets. Each is to be heard once.
func (h *Hearing) Hear(session, project string, prompts []string) {
	for _, text := range prompts {
		p := wordfreq.Prompt{Session: session, Project: project}
		for _, u := range index.Units(text) {
			p.Units = append(p.Units, wordfreq.Unit{Name: u.Name, Words: u.Words})
		}
		h.prompts = append(h.prompts, p)
	}
	h.projects[project] = h.projects[project] || len(prompts) > 0
	if len(h.prompts) >= mostHeard {
		h.learn()
	}
}

func (h *Hearing) learn() {
	_ = wordfreq.Learn(h.state, h.prompts)
	h.prompts = nil
}

// Keep learns what was heard, and measures the projects that were heard of.
func (h *Hearing) Keep(ctx context.Context) {
	h.learn()
	for _, p := range slices.Sorted(maps.Keys(h.projects)) {
		if p != "" && h.projects[p] && h.x != nil && ctx.Err() == nil {
			_ = Calibrate(ctx, h.x, h.state, p)
		}
	}
	h.projects = map[string]bool{}
}
