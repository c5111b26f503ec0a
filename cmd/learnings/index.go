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
	var rebuild, vectors bool
	cmd := &cobra.Command{
		Use: "index", Short: "Bring the search index up to date",
		Long: "Index takes in what has changed in the corpus. The index follows from the files\n" +
			"and may be deleted; other verbs keep it up to date by themselves.\n\n" +
			"With embedding.url in the configuration, --embed has that server make the vectors\n" +
			"by which lessons are found, of those that have none yet; it says what that costs\n" +
			"and shows how far it is, and goes on where an earlier run ended. A server on this\n" +
			"machine makes those of new lessons by itself.",
		Args: nargs(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error { return reindex(cmd.Context(), a, rebuild, vectors) },
	}
	cmd.Flags().BoolVar(&rebuild, "rebuild", false, "make it anew from the files; with --embed, the vectors too")
	cmd.Flags().BoolVar(&vectors, "embed", false, "have the server of embedding.url make the vectors that are missing")
	return cmd
}

func reindex(ctx context.Context, a *app, rebuild, vectors bool) error {
	process.Bulky()
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
	} else if err := update(ctx, a, s, x); err != nil {
		return err
	}
	if vectors {
		return embed(ctx, a, rebuild)
	}
	return embedNew(ctx, a)
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
