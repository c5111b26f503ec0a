package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/term"
	"learnings/lessons"
)

func newForget(a *app) *cobra.Command {
	var yes, asJSON bool
	cmd := &cobra.Command{
		Use: "forget ID…|-", Short: "Erase lessons for good",
		Long: "Forget erases lessons from the files, the journal and the index, and with them\n" +
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
	if _, err := a.decider("forget them"); err != nil {
		return err
	}
	if !yes && !a.Terminals.In {
		return term.Hint(fmt.Errorf("%w: forgetting cannot be undone, and there is no terminal to ask on", errPerson), "add --yes")
	}
	// By id alone, for the file may be one that cannot be read.
	ids, err := a.ids(words)
	if err != nil {
		return err
	}
	if ids, err = a.withMerged(ctx, ids); err != nil {
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
	if err := a.store.Forget(ids...); err != nil {
		return err
	}
	a.follow(ctx)
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

// withMerged adds the lessons that were merged into those of ids, for they hold
// the same words and go with them.
func (a *app) withMerged(ctx context.Context, ids []lessons.ID) ([]lessons.ID, error) {
	into := map[lessons.ID][]lessons.ID{}
	for l, err := range a.store.All() {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err == nil && l.Status == lessons.Merged {
			into[l.Decided.Into] = append(into[l.Decided.Into], l.ID)
		}
	}
	for i := 0; i < len(ids); i++ { // which grows
		for _, id := range into[ids[i]] {
			if !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	return ids, nil
}
