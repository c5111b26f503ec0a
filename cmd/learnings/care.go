package main

import (
	"context"
	"fmt"

	"learnings/cmd/internal/render"
	"learnings/cmd/internal/term"
	"learnings/index/curate"
)

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
