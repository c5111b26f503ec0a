// Package cli builds cobra commands from help texts: argument counts, usage errors,
// manual pages and shell completion.
package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"learnings/cmd/internal/term"
)

// A Verb is a command under construction, with its flags.
type Verb struct {
	*pflag.FlagSet
	Cmd *cobra.Command
}

// New makes a verb from its help: a usage line, a summary line, the text, and examples.
// The verb calls open before it runs. The pairs in fill replace words in braces in the
// help.
func New(help string, args cobra.PositionalArgs, open func() error, fill ...string) Verb {
	use, rest, _ := strings.Cut(help, "\n")
	short, rest, _ := strings.Cut(rest, "\n")
	long, examples, _ := strings.Cut(rest, "\nExamples:\n")
	cmd := &cobra.Command{
		Use: use, Short: short, Long: strings.NewReplacer(fill...).Replace(strings.TrimSpace(long)), Example: strings.TrimRight(examples, "\n"),
		Args: args, PreRunE: func(*cobra.Command, []string) error { return open() },
	}
	return Verb{cmd.Flags(), cmd}
}

// Run sets the function that the verb runs, and returns the command.
func (v Verb) Run(do func(ctx context.Context, args []string) error) *cobra.Command {
	v.Cmd.RunE = func(cmd *cobra.Command, args []string) error { return do(cmd.Context(), args) }
	return v.Cmd
}

// Hide leaves flags out of help. They still work, and the help text may name them.
func (v Verb) Hide(flags ...string) {
	for _, name := range flags {
		v.Lookup(name).Hidden = true
	}
}

// Args checks the number of arguments; a negative most means no limit.
func Args(least, most int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) > 0 && most == 0 && cmd.HasSubCommands():
			return unknown(cmd, args[0])
		case len(args) < least:
			return term.Hint(term.Usagef("%s needs %s", name(cmd), what), "%s", Usage(cmd))
		case most >= 0 && len(args) > most:
			return term.Hint(term.Usagef("%s: one argument too many: %q", name(cmd), args[most]), "%s", Usage(cmd))
		}
		return nil
	}
}

// name returns a command's name for errors, without the program's.
func name(cmd *cobra.Command) string {
	return strings.TrimPrefix(cmd.CommandPath(), cmd.Root().Name()+" ")
}

// Usage returns the usage line of a command.
func Usage(cmd *cobra.Command) string { return "usage: " + strings.TrimSpace(cmd.UseLine()) }

// Find returns the command with these words, or root for none.
func Find(root *cobra.Command, words []string) (*cobra.Command, error) {
	cmd := root
	for _, w := range words {
		i := slices.IndexFunc(cmd.Commands(), func(c *cobra.Command) bool { return c.Name() == w })
		if i < 0 && cmd == root {
			return nil, root.Args(root, words)
		} else if i < 0 {
			return nil, unknown(cmd, w)
		}
		cmd = cmd.Commands()[i]
	}
	return cmd, nil
}

// unknown returns the error for a missing verb, with a list of the existing ones.
func unknown(cmd *cobra.Command, word string) error {
	var names []string
	for _, sub := range cmd.Commands() {
		names = append(names, sub.Name())
	}
	return term.Hint(term.Usagef("%s: there is no %q", name(cmd), word), "%s", strings.Join(names, ", "))
}

// Former returns the argument check of a root command. Any argument is an unknown verb;
// for verbs of earlier versions the error names the replacement in now.
func Former(now map[string]string) cobra.PositionalArgs {
	return func(root *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		if now, ok := now[args[0]]; ok {
			return term.Hint(term.Usagef("%s is no longer a verb", args[0]), "`%s %s`", root.Name(), now)
		}
		err := term.Usagef("unknown verb %q", args[0])
		if near := root.SuggestionsFor(args[0]); len(near) > 0 {
			return term.Hint(err, "did you mean `%s %s`?", root.Name(), near[0])
		}
		return term.Hint(err, "`%s help` lists the verbs", root.Name())
	}
}

// FlagError returns a function that rewrites flag errors and suggests the flag that was
// probably meant. For flags of earlier versions, such as "search --ranker", it names the
// replacement in now.
func FlagError(now map[string]string, nearest func(typed string, names []string) (string, bool)) func(*cobra.Command, error) error {
	return func(cmd *cobra.Command, err error) error {
		var unknown *pflag.NotExistError
		if errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() == "" {
			typed := unknown.GetSpecifiedName()
			if now, ok := now[name(cmd)+" --"+typed]; ok {
				return term.Hint(term.Usagef("--%s is no longer a flag of %s", typed, name(cmd)), "%s", now)
			}
			var names []string
			cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
			if near, ok := nearest(typed, names); ok {
				err = fmt.Errorf("unknown flag --%s: did you mean --%s?", typed, near)
			}
		}
		return term.Hint(term.Usagef("%v", err), "`%s --help` lists the flags", cmd.CommandPath())
	}
}
