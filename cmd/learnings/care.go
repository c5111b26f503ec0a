package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/render"
	"learnings/cmd/internal/term"
	"learnings/index/curate"
)

func newArchive(a *app) *cobra.Command {
	cmd, o := newDecision(a, curate.Archive, "Take lessons out of use and keep them",
		"Archive takes approved lessons out of use: no session gets them any more. They\n"+
			"stay where they can be read, and `learnings reopen` makes them wait for a decision again.")
	return o.withReason(cmd)
}

func newConfirm(a *app) *cobra.Command {
	var outside, yes bool
	cmd, o := newDecision(a, curate.Confirm, "Say of active lessons that they still hold",
		"Confirm makes approved lessons fresh again. They are due to be looked at again 30,\n"+
			"90 and then 180 days after; `learnings stale` lists those that are.\n\n"+
			"With --outside it confirms what another program (an editor, git, an agent) wrote\n"+
			"into the corpus or changed there: until then no session is given it. What is\n"+
			"flagged is left out, and named. `learnings search outside:yes` lists them.")
	o.withReason(cmd)
	cmd.Flags().BoolVar(&outside, "outside", false, "all that came or changed from outside; name no ids")
	cmd.Flags().BoolVar(&yes, "yes", false, "with --outside: do not ask")
	ids, decide := cmd.Args, cmd.RunE
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if outside && len(args) == 0 {
			return nil
		}
		if outside {
			return term.Usagef("--outside is for all of them; name no ids")
		}
		return ids(cmd, args)
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if outside {
			return confirmOutside(cmd.Context(), a, yes, o.json)
		}
		return decide(cmd, args)
	}
	return cmd
}

// confirmOutside asks one question about all that came from outside.
func confirmOutside(ctx context.Context, a *app, yes, asJSON bool) error {
	c, err := a.decider("confirm them")
	if err != nil {
		return err
	}
	ls, err := c.Outside(ctx)
	if err != nil {
		return err
	}
	if len(ls) == 0 {
		return fmt.Errorf("%w: no lesson came or changed from outside", curate.ErrNothing)
	}
	if !yes {
		if !a.Interactive() {
			return term.Hint(fmt.Errorf("%w: nothing was confirmed, for there is no terminal to ask on", curate.ErrPerson), "`learnings search outside:yes` lists them; --yes does not ask")
		}
		for _, l := range ls[:min(len(ls), screenful)] {
			a.Note("%s  %s", l.ID, l.Title(80))
		}
		sure, err := a.Confirm(ctx, "Confirm "+term.Plural(len(ls), "lesson")+" that another program wrote?")
		if err != nil || !sure {
			return err
		}
	}
	b, err := c.ConfirmOutside(ls)
	render.WarnLeft(a.Console, b.Left)
	if err != nil {
		return err
	}
	a.follow(ctx)
	return a.tell("confirmed", b.After, asJSON)
}

func newPin(a *app) *cobra.Command {
	cmd, _ := newDecision(a, curate.Pin, "Vouch for lessons for good",
		"Pin keeps lessons fresh whatever their age, and takes them out of the re-reviews.")
	return cmd
}

func newUnpin(a *app) *cobra.Command {
	cmd, _ := newDecision(a, curate.Unpin, "Let pinned lessons age again", "Unpin undoes what pin did.")
	return cmd
}
