package main

import (
	"context"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/render"
	"learnings/cmd/internal/term"
	"learnings/extractor/backtest"
	"learnings/extractor/transcript"
	"learnings/index"
	"learnings/lessons/guard"
)

func newBacktest(a *app) *cobra.Command {
	var from []string
	var since, project string
	var asIf, asJSON bool
	cmd := &cobra.Command{
		Use: "backtest", Short: "Replay past sessions with the lessons that there were", Long: backtestHelp,
		Example: "  learnings stats backtest --since 30d\n  learnings stats backtest --as-if-approved",
		Args:    nargs(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return backtested(cmd.Context(), a, from, since, backtest.Options{Only: project, AsIf: asIf}, asJSON)
		},
	}
	fromFlag(cmd, &from)
	cmd.Flags().StringVar(&since, "since", "", "only sessions since a day (2026-11-20), a moment, or for so long (36h, 7d)")
	cmd.Flags().StringVar(&project, "project", "", "of this project only")
	cmd.Flags().BoolVar(&asIf, "as-if-approved", false, "count lessons and proposals for the sessions after those that taught them")
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON object for each rule")
	return cmd
}

func backtested(ctx context.Context, a *app, from []string, since string, o backtest.Options, asJSON bool) (err error) {
	if o.Since, err = term.Since(since, a.now()); err != nil {
		return err
	}
	c, err := a.configuration()
	if err != nil {
		return err
	}
	files, past, err := pastSessions(a, from)()
	if err != nil {
		return err
	}
	chosen, err := guard.At(a.places.State).Chosen()
	if err != nil {
		return err
	}
	o.Options = past
	o.State, o.Only, o.Role, o.Trust, o.Budget = a.places.State, c.Canonical(o.Only), c.Role.Value, c.TrustEdits.Value, budgetOf(c)
	o.Done = func(_ transcript.File, err error) {
		if err != nil {
			a.Warn("%v", err)
		}
	}
	found, err := ask(ctx, a, func(ctx context.Context, x *index.Index) (render.Backtest, error) {
		return render.Replay(ctx, x, files, chosen, o)
	})
	if err != nil {
		return err
	}
	return a.Give(found, asJSON)
}

// backtestHelp is what the verb says of itself.
const backtestHelp = `Backtest replays the transcripts of past sessions in the order of time: what each start
and prompt would have been given by the lessons that were approved by then, how many
sessions had a relevant precedent, which corrections and errors a lesson would have met,
what that costs in tokens, and what the guards that are on would have stopped. Nothing
is stored.

A correction is met when the session had been given a lesson on its subject before it;
"not given" are those that there was a lesson for all the same. Of errors those count
that an earlier session had met.

With --as-if-approved every lesson and proposal counts, for the sessions that began after
all of its evidence, as if it had been approved at once; no lesson is tried on a session
that taught it. That is for a new machine, where lessons are younger than sessions:
extract first. Guards are then those that sentences of lessons say plainly.`
