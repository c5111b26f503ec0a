package main

import (
	"context"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/process"
	"learnings/cmd/internal/render"
)

type contradictionsOptions struct {
	project string
	json    bool
}

func newContradictions(a *app) *cobra.Command {
	var o contradictionsOptions
	cmd := &cobra.Command{
		Use: "contradictions", Short: "List the lessons that contradict each other",
		Long: "Contradictions lists pairs of pending and approved lessons in which one speaks\n" +
			"against what the other asks for, or that ask for things that exclude each\n" +
			"other. The one proposed to be kept comes first: a pinned one, then a person's\n" +
			"own words, the newer, the better proven. It changes nothing; `learnings resolve`\n" +
			"settles a pair. Until then a session is given the first of them alone.",
		Example: "  learnings check contradictions --project shop\n  learnings check contradictions --json",
		Args:    nargs(0, 0, ""),
		RunE:    func(cmd *cobra.Command, _ []string) error { return contradictions(cmd.Context(), a, o) },
	}
	cmd.Flags().StringVar(&o.project, "project", "", "of this project and those for every project only")
	cmd.Flags().BoolVar(&o.json, "json", false, "one JSON object a line: keep, lose, why, and what to type")
	return cmd
}

func contradictions(ctx context.Context, a *app, o contradictionsOptions) error {
	process.Frugal()
	conf, err := a.configuration()
	if err != nil {
		return err
	}
	c, err := a.curated()
	if err != nil {
		return err
	}
	pairs, err := c.Contradictions(ctx, conf.Canonical(o.project))
	if err != nil {
		return err
	}
	return a.Give(render.Contradictions(pairs), o.json)
}
