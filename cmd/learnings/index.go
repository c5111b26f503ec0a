package main

import (
	"context"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/process"
	"learnings/cmd/internal/term"
	"learnings/index"
	"learnings/lessons/store"
)

func newIndex(a *app) *cobra.Command {
	var rebuild bool
	cmd := &cobra.Command{
		Use: "index", Short: "Bring the search index up to date",
		Long: "Index takes in what has changed in the corpus. The index follows from the files\n" +
			"and may be deleted; other verbs keep it up to date by themselves.",
		Args: nargs(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error { return reindex(cmd.Context(), a, rebuild) },
	}
	cmd.Flags().BoolVar(&rebuild, "rebuild", false, "make it anew from the files")
	return cmd
}

func reindex(ctx context.Context, a *app, rebuild bool) error {
	process.Frugal()
	s, x, err := a.both()
	if err != nil {
		return err
	}
	if rebuild {
		n, err := x.Rebuild(ctx, s.Trusting(0, nil))
		if err != nil {
			return err
		}
		a.Say("indexed %s anew", term.Plural(n, "lesson"))
		return nil
	}
	return update(ctx, a, s, x)
}

// update takes in what has changed, and makes anew what that has worn.
func update(ctx context.Context, a *app, s *store.Store, x *index.Index) error {
	looked, err := s.Look() // who asks the index would wait for that
	if err != nil {
		return err
	}
	n, err := x.Sync(ctx, looked)
	if err != nil {
		return err
	}
	if n > 0 {
		a.Say("took in %s", term.Plural(n, "change"))
	}
	worn, err := x.Mend(ctx, looked)
	switch {
	case err != nil:
		return err
	case worn:
		a.Say("made the index anew: it had become slow by what has changed since it was made")
	case n == 0:
		a.Say("the index is up to date")
	}
	return nil
}
