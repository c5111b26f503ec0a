package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"
)

func newForget(a *app) *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use: "forget ID…|-", Short: "Erase lessons for good",
		Long: "Forget erases lessons from the files, the journal and the index: it cannot be\n" +
			"undone. It is for what should never have been kept, such as a secret. To stop\n" +
			"using a lesson, reject it.",
		Args: nargs(1, -1, "ids, or - to read them from standard input"),
		RunE: func(cmd *cobra.Command, args []string) error { return forget(cmd.Context(), a, args, yes) },
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask")
	return cmd
}

func forget(ctx context.Context, a *app, words []string, yes bool) error {
	if _, err := a.decider("forget"); err != nil {
		return err
	}
	if !yes && !a.tty.in {
		return hint(fmt.Errorf("%w: forgetting cannot be undone, and there is no terminal to ask on", errPerson), "add --yes")
	}
	// By id alone, for the file may be one that cannot be read.
	ids, err := a.ids(words)
	if err != nil {
		return err
	}
	if !yes {
		for _, id := range ids {
			if l, err := a.store.Get(id); err == nil {
				a.say("%s  %s", id, l.Title(80))
			} else {
				a.say("%s", id)
			}
		}
		sure, err := a.confirm(ctx, "Erase "+plural(len(ids), "lesson")+" for good? This cannot be undone.")
		if err != nil {
			return err
		}
		if !sure {
			a.say("nothing was erased")
			return nil
		}
	}
	if err := a.store.Forget(ids...); err != nil {
		return err
	}
	a.follow(ctx)
	a.say("forgot %s", plural(len(ids), "lesson"))
	return nil
}
