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
	var asJSON, redo bool
	cmd := &cobra.Command{
		Use: "undo [N]", Short: "Undo the last N decisions, or redo them",
		Long: "Undo makes undone what you did last, by whichever program: a decision on many\n" +
			"lessons at once is one step. The steps outlive restarts; there is no limit.\n" +
			"With --redo it does again what was undone last. A decision made since then ends\n" +
			"that: there is nothing to redo any more.",
		Args: nargs(0, 1, ""),
		RunE: func(cmd *cobra.Command, args []string) error {
			n := 1
			if len(args) > 0 {
				var err error
				if n, err = strconv.Atoi(args[0]); err != nil || n < 1 {
					return term.Hint(term.Usagef("undo: %q is not a number of steps", args[0]), "%s", usageLine(cmd))
				}
			}
			if redo {
				return back(cmd.Context(), a, "redo", "redone", n, asJSON)
			}
			return back(cmd.Context(), a, "undo", "undone", n, asJSON)
		},
	}
	cmd.Flags().BoolVar(&redo, "redo", false, "do again what was undone")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print what became of the lessons as \"learnings history --json\" does")
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
