package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/render"
	"learnings/cmd/internal/term"
	"learnings/index/curate"
	"learnings/lessons"
)

func newSplit(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "split ID [MERGED-ID…]", Short: "Take a merge apart again",
		Long: "Split brings back the lessons that were merged into one: all of them, or those\n" +
			"that are named. Each becomes what it was. The one they were merged into gives\n" +
			"back their evidence, tags, when it shows and counts as far as the journal\n" +
			"still knows which came from them, and keeps the rest; its wording it gives back only\n" +
			"when nothing else has changed since. `learnings undo` undoes a split.",
		Example: "  learnings split k7m2p9qx\n  learnings split k7m2p9qx b7t4xq8c",
		Args:    nargs(1, -1, "the id of a lesson that others were merged into"),
		RunE:    func(cmd *cobra.Command, args []string) error { return split(cmd.Context(), a, args, asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the lessons as they are now, one JSON object a line")
	return cmd
}

func split(ctx context.Context, a *app, words []string, asJSON bool) error {
	c, err := a.decider("split them")
	if err != nil {
		return err
	}
	named, err := a.named(words)
	if err != nil {
		return err
	}
	out, err := c.Split(ctx, named[0], named[1:]...)
	switch {
	case err != nil && out.Into.Status == lessons.Merged:
		return render.Instead(err)
	case errors.As(err, new(*curate.Refused)) && !errors.Is(err, curate.ErrNothing):
		return term.Hint(err, "`learnings history %s` shows what was merged into it", out.Into.ID)
	case err != nil:
		return err
	}
	a.follow(ctx)
	if out.Unknown > 0 {
		a.Warn("the journal of this machine does not know the merge of %s: %s keeps what it took over", term.Plural(out.Unknown, "lesson"), out.Into.ID)
	}
	if asJSON {
		return a.Give(render.Shelf{Lessons: append([]lessons.Lesson{out.Into}, out.Back...)}, true)
	}
	for _, l := range out.Back {
		a.Say("split %s from %s (%s)  %s", l.ID, out.Into.ID, l.Status, l.Title(80))
	}
	return nil
}
