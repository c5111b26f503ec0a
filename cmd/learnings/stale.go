package main

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/render"
	"learnings/index"
	"learnings/index/curate"
	"learnings/index/recall"
	"learnings/lessons"
	"learnings/lessons/outcomes"
)

// staleWithin is how long a check looks through the tree of a project.
const staleWithin = time.Minute

type staleOptions struct {
	project string
	json    bool
}

func newStale(a *app) *cobra.Command {
	var o staleOptions
	cmd := &cobra.Command{
		Use: "stale", Short: "List active lessons to look at again, and why",
		Long: "Stale lists the approved lessons that a person should look at again: outdated\n" +
			"ones (they name what the project of the current folder no longer has: no session\n" +
			"is given them until you reword or confirm them), doubtful\n" +
			"ones (what came of them speaks against them), stale ones (long not confirmed),\n" +
			"those whose re-review is due (7 days after approval, then 30, 90 and 180 days\n" +
			"after each confirmation), and those that no session was ever given. Of what was\n" +
			"given and read (`learnings stats outcomes`) it lists what agents go against, to be\n" +
			"reworded or guarded; what was given 20 times and left no sign, to be archived; and\n" +
			"what all sessions pay for and few need, to be narrowed. It changes nothing: what\n" +
			"to type is beside each.",
		Example: "  learnings check stale\n  learnings check stale --project octofs --json",
		Args:    nargs(0, 0, ""),
		RunE:    func(cmd *cobra.Command, _ []string) error { return stale(cmd.Context(), a, o) },
	}
	cmd.Flags().StringVar(&o.project, "project", "", "of this project only")
	cmd.Flags().BoolVar(&o.json, "json", false, "one JSON object a line")
	return cmd
}

func stale(ctx context.Context, a *app, o staleOptions) error {
	c, err := a.configuration()
	if err != nil {
		return err
	}
	project := o.project
	if project != "" {
		project = c.Canonical(project)
	}
	book, err := outcomes.Open(a.places.State, a.now())
	if err != nil {
		return err
	}
	more := func(l lessons.Lesson) []lessons.Doubt {
		return book.Of(l, outcomes.Mistake{}).Effect(recall.Choice{Lesson: l}.Tokens()).Doubts()
	}
	ds, err := ask(ctx, a, func(ctx context.Context, x *index.Index) (curate.Doubts, error) {
		return a.lookAgain(ctx, x, project, staleWithin, more)
	})
	if err != nil {
		return err
	}
	for i := 0; o.json && i < len(ds); i++ {
		whole, err := a.library.Whole([]lessons.Lesson{ds[i].Lesson})
		if err != nil {
			return err
		}
		if len(whole) == 1 {
			ds[i].Lesson = whole[0]
		}
	}
	return a.Give(render.Doubts(ds), o.json)
}
