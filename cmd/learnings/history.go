package main

import (
	"github.com/spf13/cobra"

	"learnings/cmd/internal/render"
)

func newHistory(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "history ID", Short: "Show what became of a lesson",
		Long: "History lists the changes of a lesson, oldest first, edits by hand included. It\n" +
			"is kept on this machine, beside the corpus and not in it. `learnings restore ID N`\n" +
			"brings back the text of version N.",
		Args: nargs(1, 1, "one id"),
		RunE: func(_ *cobra.Command, args []string) error { return history(a, args[0], asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON object a line")
	return cmd
}

func history(a *app, word string, asJSON bool) error {
	c, err := a.curated()
	if err != nil {
		return err
	}
	_, changes, err := c.History(word)
	if err != nil {
		return err
	}
	return a.Give(render.Chronicle(changes), asJSON)
}
