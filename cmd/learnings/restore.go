package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/term"
	"learnings/lessons"
	"learnings/lessons/store"
)

func newRestore(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "restore ID VERSION", Short: "Bring back the text of an earlier version",
		Long: "Restore gives a lesson the text, category, tags, triggers, scope and confidence\n" +
			"that it had in a version that `learnings history` lists. What it has learned and\n" +
			"what was decided since stays: its evidence, its counters, its status. A lesson\n" +
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
	who, err := a.decider("restore them")
	if err != nil {
		return err
	}
	s, err := a.corpus()
	if err != nil {
		return err
	}
	id, changes, err := past(s, word)
	if err != nil {
		return err
	}
	then, err := version(id, changes, number)
	if err != nil {
		return err
	}
	now, err := present(s, id, changes)
	if err != nil {
		return err
	}
	next := then
	next.Rev = ""
	if now != nil {
		next = now.Restored(then)
	}
	ls, err := a.write(ctx, "restore", who, next)
	if err != nil {
		return err
	}
	if now != nil && ls[0].Rev == now.Rev {
		a.Say("%s  is as it was in version %s already", id, number)
		return nil
	}
	return a.tell("restored", ls, asJSON)
}

// version gives a lesson as a change left it, which is named by its number in
// the history.
func version(id lessons.ID, changes []lessons.Change, number string) (lessons.Lesson, error) {
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 {
		return lessons.Lesson{}, term.Hint(term.Usagef("restore: %q is not the number of a version", number), "`learnings history %s` lists them", id)
	}
	if n > len(changes) {
		return lessons.Lesson{}, term.Hint(fmt.Errorf("%w: %s has %s", errNothing, id, term.Plural(len(changes), "version")), "`learnings history %s` lists them", id)
	}
	if l := changes[n-1].After; l != nil {
		return *l, nil
	}
	return lessons.Lesson{}, term.Hint(fmt.Errorf("%w: in version %d %s was gone, or its file broken", errNothing, n, id), "try version %d", n-1)
}

// present gives the lesson as it is now; nil when its file is gone. A file that
// is broken is no reason to write over it.
func present(s *store.Store, id lessons.ID, changes []lessons.Change) (*lessons.Lesson, error) {
	l, err := s.Get(id)
	if err == nil {
		return &l, nil
	}
	if last := changes[len(changes)-1]; last.After == nil && errors.Is(err, lessons.ErrNotFound) {
		return nil, nil
	}
	return nil, fmt.Errorf("reading %s: %w", id, err)
}
