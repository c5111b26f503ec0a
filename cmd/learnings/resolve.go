package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/render"
	"learnings/cmd/internal/term"
	"learnings/index/curate"
	"learnings/lessons"
)

type resolveOptions struct {
	keep, lose string
	reason     string
	both       string
	narrow     bool
	json       bool
}

func newResolve(a *app) *cobra.Command {
	var o resolveOptions
	cmd := &cobra.Command{
		Use: "resolve KEEP LOSE", Short: "Settle a contradiction: one lesson takes the other's place, or both hold",
		Long: "Resolve settles a contradiction of two lessons. The second is archived, or\n" +
			"rejected when it is a proposal, and says by which it was superseded; nothing of\n" +
			"it is lost, and `learnings undo` undoes that. With --both neither changes its\n" +
			"status: each notes that the other holds beside it, and when, and the pair is not\n" +
			"shown again. With --narrow both hold too, each limited to where it was said: to its\n" +
			"project, to its role, or to the files that it names. Only a person resolves.",
		Example: "  learnings resolve k7m2p9qx b7t4xq8c --reason 'we moved to pnpm in May'\n" +
			"  learnings resolve k7m2p9qx b7t4xq8c --narrow\n" +
			"  learnings resolve k7m2p9qx b7t4xq8c --both 'npm to publish, pnpm for all else'",
		Args: nargs(2, 2, "two ids: the lesson to keep and the one that gives way"),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.keep, o.lose = args[0], args[1]
			if cmd.Flags().Changed("both") && (cmd.Flags().Changed("reason") || o.narrow) {
				return term.Usagef("--both says already when each holds; leave out --reason and --narrow")
			}
			return resolve(cmd.Context(), a, o, cmd.Flags().Changed("both"))
		},
	}
	cmd.Flags().StringVar(&o.reason, "reason", "", "why the other gives way, in a few words")
	cmd.Flags().StringVar(&o.both, "both", "", "both hold; say which holds when")
	cmd.Flags().BoolVar(&o.narrow, "narrow", false, "both hold, each where it was said")
	cmd.Flags().BoolVar(&o.json, "json", false, "print the lessons as they are now, one JSON object a line")
	return cmd
}

func resolve(ctx context.Context, a *app, o resolveOptions, both bool) error {
	c, err := a.decider("resolve them")
	if err != nil {
		return err
	}
	ls, err := a.named([]string{o.keep, o.lose})
	if err != nil {
		return err
	}
	if len(ls) < 2 {
		return term.Usagef("resolve needs two different lessons")
	}
	s := curate.Settlement{Keep: ls[0], Lose: ls[1], Both: both, Narrow: o.narrow, Reason: o.reason}
	if both {
		s.Reason = o.both
	}
	keep, lose, err := c.Settle(s)
	switch {
	case err != nil && (both || o.narrow):
		return term.Hint(err, "learnings resolve %s %s --both \"when each holds\"", s.Keep.ID, s.Lose.ID)
	case errors.As(err, new(*curate.Refused)):
		return term.Hint(err, "`learnings show %s` tells what became of it", s.Lose.ID)
	case err != nil:
		return err
	}
	a.follow(ctx)
	if o.json {
		return a.Give(render.Shelf{Lessons: []lessons.Lesson{keep, lose}}, true)
	}
	render.Resolved(a.Console, s, keep, lose)
	return nil
}
