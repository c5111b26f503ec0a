package main

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/render"
	"learnings/index"
	"learnings/index/curate"
	"learnings/lessons/match"
)

func newCheck(a *app) *cobra.Command {
	var project string
	var asJSON bool
	cmd := &cobra.Command{
		Use: "check [KIND]", Short: "Say what could be better: contradictions, duplicates, what is out of date",
		Long: "Check looks for lessons that contradict each other, say the same, are out of date\n" +
			"or badly worded, and for mistakes that agents make again and again. Without a kind\n" +
			"it counts what each kind finds in the corpus; with one it lists it, with what to\n" +
			"type. It changes nothing.",
		Example: "  learnings check\n  learnings check stale --project shop\n  learnings check duplicates --merge-equal",
		Args:    nargs(0, 0, ""),
		RunE:    func(cmd *cobra.Command, _ []string) error { return check(cmd.Context(), a, project, asJSON) },
	}
	cmd.Flags().StringVar(&project, "project", "", "of this project only")
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON object a line")
	cmd.AddCommand(newContradictions(a), newDuplicates(a), newStale(a), newLint(a), newRecurring(a))
	return cmd
}

// check counts what each kind of check finds. Recurring mistakes are left out: they are
// looked for in transcripts, and not in the corpus.
func check(ctx context.Context, a *app, project string, asJSON bool) error {
	conf, err := a.configuration()
	if err != nil {
		return err
	}
	project = conf.Canonical(project)
	c, ls, err := comparableIn(ctx, a, project)
	if err != nil {
		return err
	}
	pairs, err := c.Contradictions(ctx, project)
	if err != nil {
		return err
	}
	groups, err := c.Duplicates(ctx, ls, match.ByJaccard)
	if err != nil {
		return err
	}
	doubts, err := ask(ctx, a, func(ctx context.Context, x *index.Index) (curate.Doubts, error) {
		return a.lookAgain(ctx, x, project, staleWithin, nil)
	})
	if err != nil {
		return err
	}
	worded, err := lintOptions{project: project}.chosen(ctx, a)
	if err != nil {
		return err
	}
	return a.Give(render.Checks([]render.Check{
		{Kind: "contradictions", Count: len(pairs), Says: "pairs of lessons that say opposite things"},
		{Kind: "duplicates", Count: len(slices.Collect(groups)), Says: "groups of lessons that say the same"},
		{Kind: "stale", Count: len(doubts), Says: "active lessons to look at again"},
		{Kind: "lint", Count: len(worded.Found), Says: "lessons whose wording could be better"},
	}), asJSON)
}
