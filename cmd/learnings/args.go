package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/term"
)

// nargs checks the number of arguments; most < 0 is any number.
func nargs(least, most int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) > 0 && most == 0 && cmd.HasSubCommands():
			return unknownVerb(cmd, args[0])
		case len(args) < least:
			return term.Hint(term.Usagef("%s needs %s", verb(cmd), what), "%s", usageLine(cmd))
		case most >= 0 && len(args) > most:
			return term.Hint(term.Usagef("%s: one argument too many: %q", verb(cmd), args[most]), "%s", usageLine(cmd))
		}
		return nil
	}
}

// verb is the name of a command as an error calls it, which begins with ours.
func verb(cmd *cobra.Command) string {
	return strings.TrimPrefix(cmd.CommandPath(), cmd.Root().Name()+" ")
}

func usageLine(cmd *cobra.Command) string {
	return fmt.Sprintf("usage: %s", strings.TrimSpace(cmd.UseLine()))
}
