package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/style"
	"learnings/cmd/internal/term"
)

// styleFlag adds --style, by which a verb does as another program does: amplihack,
// or one of those that are named beside it.
func styleFlag(cmd *cobra.Command, to *string, others ...string) {
	names := append([]string{style.NameAmplihack}, others...)
	cmd.Flags().StringVar(to, "style", "", "do it and print it as another program does: "+strings.Join(names, ", "))
	run := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if *to != "" && !slices.Contains(names, *to) {
			return term.Usagef("there is no style %q; there is %s", *to, strings.Join(names, ", "))
		}
		return run(cmd, args)
	}
}
