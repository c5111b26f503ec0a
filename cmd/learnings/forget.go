package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/term"
	"learnings/index/curate"
	"learnings/lessons"
)

func newForget(a *app) *cobra.Command {
	var yes, asJSON bool
	cmd := &cobra.Command{
		Use: "forget ID…|-", Short: "Erase lessons for good",
		Long: "Forget erases lessons from the files, the journal, the drafts and the index, and with them\n" +
			"those that were merged into them: it cannot be undone. It is for what should never have been kept, such as a secret. To stop\n" +
			"using a lesson, reject it.",
		Args: nargs(1, -1, "ids, or - to read them from standard input"),
		RunE: func(cmd *cobra.Command, args []string) error { return forget(cmd.Context(), a, args, yes, asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print what was erased, one JSON object a line, with its id")
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask")
	return cmd
}

func forget(ctx context.Context, a *app, words []string, yes, asJSON bool) error {
	c, err := a.decider("forget them")
	if err != nil {
		return err
	}
	if !yes && !a.Terminals.In {
		return term.Hint(fmt.Errorf("%w: forgetting cannot be undone, and there is no terminal to ask on", curate.ErrPerson), "add --yes")
	}
	// By id alone, for the file may be one that cannot be read.
	ids, err := a.ids(words)
	if err != nil {
		return err
	}
	if ids, err = c.WithMerged(ids); err != nil {
		return err
	}
	if !yes {
		for _, id := range ids {
			if l, err := a.store.Get(id); err == nil {
				a.Say("%s  %s", id, l.Title(80))
			} else {
				a.Say("%s", id)
			}
		}
		sure, err := a.Confirm(ctx, "Erase "+term.Plural(len(ids), "lesson")+" for good? This cannot be undone.")
		if err != nil {
			return err
		}
		if !sure {
			a.Say("nothing was erased")
			return nil
		}
	}
	if err := c.Forget(ids); err != nil {
		return err
	}
	if err := synced(context.WithoutCancel(ctx), &c.Library); err != nil { // which waits, for the index still has what was erased
		a.Warn("the index will catch up with the next call: %v", err)
	}
	if asJSON {
		for _, id := range ids {
			if err := term.WriteJSON(a.Out, struct {
				ID lessons.ID `json:"id"`
				Op string     `json:"op"`
			}{id, "forget"}); err != nil {
				return err
			}
		}
		return nil
	}
	a.Say("forgot %s", term.Plural(len(ids), "lesson"))
	return nil
}
