package intake

import (
	"context"
	"maps"
	"slices"

	"learnings/extractor"
	"learnings/index/recall"
	"learnings/index/wordfreq"
)

// A hearing is the words of the prompts of a run, by which it is told later what in a
// prompt is unusual.
type hearing struct {
	in       *Intake
	learns   bool // each transcript is read once
	prompts  []wordfreq.Prompt
	projects map[string]bool
}

// mostHeard is how many prompts are kept in memory.
const mostHeard = 2000

func (h *hearing) hear(ctx context.Context, b extractor.Batch, o extractor.Options) {
	if !h.learns || b.Short || b.Excluded != "" || len(b.Prompts) == 0 {
		return
	}
	project := ""
	if o.Project != nil && b.Session.Dir != "" {
		project = o.Project(b.Session.Dir)
	}
	for _, text := range b.Prompts {
		h.prompts = append(h.prompts, wordfreq.Prompt{Session: b.Session.ID, Project: project, Text: text})
	}
	if h.projects == nil {
		h.projects = map[string]bool{}
	}
	h.projects[project] = true
	if len(h.prompts) >= mostHeard {
		h.learn(ctx)
	}
}

// learn adds what was heard to what is known. What goes wrong costs a later prompt some
// of its evidence and is no reason to stop a run.
func (h *hearing) learn(ctx context.Context) {
	_ = wordfreq.Learn(context.WithoutCancel(ctx), h.in.store.State(), h.prompts)
	h.prompts = nil
}

// keep learns the rest, and measures the projects that were heard of.
func (h *hearing) keep(ctx context.Context) {
	if len(h.projects) == 0 {
		return
	}
	h.learn(ctx)
	for _, p := range slices.Sorted(maps.Keys(h.projects)) {
		if p != "" && h.in.index != nil && ctx.Err() == nil {
			_ = recall.Calibrate(ctx, h.in.index, h.in.store.State(), p)
		}
	}
}
