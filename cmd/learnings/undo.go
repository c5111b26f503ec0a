package main

import (
	"context"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/render"
	"learnings/cmd/internal/term"
	"learnings/index/curate"
)

func newUndo(a *app) *cobra.Command {
	return newBack(a, &cobra.Command{
		Use: "undo [N]", Short: "Undo the last N decisions",
		Long: "Undo makes undone what you did last, by whichever program: a decision on many\n" +
			"lessons at once is one step. The steps outlive restarts; there is no limit.",
	}, "undo", "undone")
}

func newRedo(a *app) *cobra.Command {
	return newBack(a, &cobra.Command{
		Use: "redo [N]", Short: "Do again what was undone",
		Long: "Redo does again what was undone last. A decision made since then ends that:\n" +
			"there is nothing to redo any more.",
	}, "redo", "redone")
}

// newBack completes the command of a step through the journal.
func newBack(a *app, cmd *cobra.Command, op, done string) *cobra.Command {
	var asJSON bool
	cmd.Flags().BoolVar(&asJSON, "json", false, "print what became of the lessons as \"learnings log --json\" does")
	cmd.Args = nargs(0, 1, "")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		n := 1
		if len(args) > 0 {
			var err error
			if n, err = strconv.Atoi(args[0]); err != nil || n < 1 {
				return term.Hint(term.Usagef("%s: %q is not a number of steps", op, args[0]), "%s", usageLine(cmd))
			}
		}
		return back(cmd.Context(), a, op, done, n, asJSON)
	}
	return cmd
}

func back(ctx context.Context, a *app, op, done string, n int, asJSON bool) error {
	c, err := a.decider(op + " decisions")
	if err != nil {
		return err
	}
	step := c.Undo
	if op == "redo" {
		step = c.Redo
	}
	changes, err := step(n)
	if err != nil {
		return err
	}
	if len(changes) == 0 {
		return fmt.Errorf("%w: nothing to %s", curate.ErrNothing, op)
	}
	a.follow(ctx)
	if asJSON {
		return a.Give(render.Journal{curate.StepOf(changes...)}, true)
	}
	for _, c := range changes {
		a.Say("%s %s", done, render.Change(c))
	}
	return nil
}
