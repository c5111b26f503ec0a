package main

import (
	"context"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/render"
	"learnings/index"
	"learnings/lessons"
)

type reviewOptions struct {
	plain   bool
	project string
	lane    string // one of lessons.QueueLanes, or "all"; "" for the likely ones
}

func newReview(a *app) *cobra.Command {
	var o reviewOptions
	cmd := &cobra.Command{
		Use: "review", Short: "Judge what waits: on the full screen, or line by line with --plain",
		Long: "Review opens the review desk. With --plain it asks about one proposal after the\n" +
			"other in lines of text, for a pipe or a screen reader:\n\n" + render.ReviewHelp,
		Args: nargs(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !o.plain {
				return openDesk(cmd.Context(), a)
			}
			return reviewPlain(cmd.Context(), a, o)
		},
	}
	cmd.Flags().BoolVar(&o.plain, "plain", false, "lines of text instead of the full screen")
	cmd.Flags().StringVar(&o.project, "project", "", "of this project only (with --plain)")
	cmd.Flags().StringVar(&o.lane, "lane", "", "likely, maybe, outside, quarantined or all (with --plain; default: likely)")
	return cmd
}

func reviewPlain(ctx context.Context, a *app, o reviewOptions) error {
	c, err := a.decider("review them")
	if err != nil {
		return err
	}
	q, err := showOptions{status: string(lessons.Pending), project: o.project, lane: o.lane}.query(a)
	if err != nil {
		return err
	}
	left := 0
	if o.lane == "" {
		if left, err = folded(ctx, a, q); err != nil {
			return err
		}
	}
	found, err := ask(ctx, a, func(ctx context.Context, x *index.Index) (render.Shelf, error) { return render.ReadShelf(ctx, x, q, 0) })
	if err != nil {
		return err
	}
	if left > 0 {
		defer a.Say("%s", render.Shelf{Folded: left}.Unfold())
	}
	r := render.Review{
		Corpus: c, Console: a.Console, Stored: a.follow, Advise: a.advised,
		Edit: func(ctx context.Context, l lessons.Lesson, flags []string) error {
			cmd := newEdit(a)
			cmd.SetArgs(append([]string{string(l.ID)}, flags...))
			cmd.SilenceErrors, cmd.SilenceUsage = true, true
			return cmd.ExecuteContext(ctx)
		},
	}
	return r.Run(ctx, found.Lessons)
}
