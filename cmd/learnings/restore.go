package main

import (
	"context"
	"errors"
	"strconv"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/term"
	"learnings/index/curate"
	"learnings/lessons"
)

func newRestore(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "restore ID VERSION", Short: "Bring back the text of an earlier version",
		Long: "Restore gives a lesson the text, category, tags, when it shows, scope and\n" +
			"confidence that it had in a version that `learnings history` lists. What it has\n" +
			"learned and what was decided since stays: its evidence, its counters, its status. A lesson\n" +
			"whose file is gone comes back whole.",
		Example: "  learnings history k7m2p9qx\n  learnings restore k7m2p9qx 2",
		Args:    nargs(2, 2, "an id and the number of a version"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return restore(cmd.Context(), a, args[0], args[1], asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the lesson as it is now as JSON")
	return cmd
}

func restore(ctx context.Context, a *app, word, number string, asJSON bool) error {
	c, err := a.decider("restore them")
	if err != nil {
		return err
	}
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 {
		return term.Hint(term.Usagef("restore: %q is not the number of a version", number), "`learnings history %s` lists them", word)
	}
	l, changed, err := c.Restore(word, n)
	if errors.Is(err, curate.ErrNothing) {
		return term.Hint(err, "`learnings history %s` lists the versions", word)
	} else if err != nil {
		return err
	}
	if !changed {
		a.Say("%s  is as it was in version %d already", l.ID, n)
		return nil
	}
	a.follow(ctx)
	return a.tell("restored", []lessons.Lesson{l}, asJSON)
}
