package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/manual"
)

func newMan(a *app) *cobra.Command {
	var to string
	cmd := &cobra.Command{
		Use: "man [VERB]…", Short: "Print the manual page: of everything, or of a verb",
		Long: "Man prints the manual as a page for man(1): the one of the program has every\n" +
			"verb in full, and each verb also has one of its own. With --to it writes all of\n" +
			"them into a folder, for packagers.",
		Example: "  learnings man | man -l -\n  learnings man projects rename | man -l -\n  learnings man --to /usr/local/share/man/man1",
		RunE: func(cmd *cobra.Command, args []string) error {
			about, err := findVerb(cmd.Root(), args)
			if err != nil {
				return err
			}
			m := manual.Manual{Version: buildVersion().version, Parts: []string{rootHelp, exitHelp}}
			if to != "" {
				return m.Write(about, a.absolute(to))
			}
			_, err = fmt.Fprint(cmd.OutOrStdout(), m.Page(about))
			return err
		},
	}
	cmd.Flags().StringVar(&to, "to", "", "write the pages into this `folder` instead, one file each")
	return cmd
}
