package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"learnings/cmd/internal/term"
)

// Run sets the function that the verb runs, and returns the command.
func (v verb) Run(do func(ctx context.Context, args []string) error) *cobra.Command {
	v.Cmd.RunE = func(cmd *cobra.Command, args []string) error { return do(cmd.Context(), args) }
	return v.Cmd
}

// Hide leaves flags out of help. They still work, and the help text may name them.
func (v verb) Hide(flags ...string) {
	for _, name := range flags {
		v.Lookup(name).Hidden = true
	}
}

// countArgs checks the number of arguments; a negative most means no limit.
func countArgs(least, most int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) > 0 && most == 0 && cmd.HasSubCommands():
			return unknownVerb(cmd, args[0])
		case len(args) < least:
			return term.Hint(term.Usagef("%s needs %s", nameOf(cmd), what), "%s", usageLine(cmd))
		case most >= 0 && len(args) > most:
			return term.Hint(term.Usagef("%s: one argument too many: %q", nameOf(cmd), args[most]), "%s", usageLine(cmd))
		}
		return nil
	}
}

// nameOf returns a command's name for errors, without the program's.
func nameOf(cmd *cobra.Command) string {
	return strings.TrimPrefix(cmd.CommandPath(), cmd.Root().Name()+" ")
}

// usageLine returns the usage line of a command.
func usageLine(cmd *cobra.Command) string { return "usage: " + strings.TrimSpace(cmd.UseLine()) }

// findVerb returns the command with these words, or root for none.
func findVerb(root *cobra.Command, words []string) (*cobra.Command, error) {
	cmd := root
	for _, w := range words {
		i := slices.IndexFunc(cmd.Commands(), func(c *cobra.Command) bool { return c.Name() == w })
		if i < 0 && cmd == root {
			return nil, root.Args(root, words)
		} else if i < 0 {
			return nil, unknownVerb(cmd, w)
		}
		cmd = cmd.Commands()[i]
	}
	return cmd, nil
}

// unknownVerb returns the error for a missing verb, with a list of the existing ones.
func unknownVerb(cmd *cobra.Command, word string) error {
	names := term.Map(cmd.Commands(), (*cobra.Command).Name)
	return term.Hint(term.Usagef("%s: there is no %q", nameOf(cmd), word), "%s", strings.Join(names, ", "))
}

// formerVerb returns the argument check of a root command. Any argument is an unknown verb;
// for verbs of earlier versions the error names the replacement in now.
func formerVerb(now map[string]string) cobra.PositionalArgs {
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

// flagError returns a function that rewrites flag errors and suggests the flag that was
// probably meant. For flags of earlier versions, such as "search --ranker" or "--style", it
// names the replacement in now.
func flagError(now map[string]string, nearest func(typed string, names []string) (string, bool)) func(*cobra.Command, error) error {
	return func(cmd *cobra.Command, err error) error {
		var unknown *pflag.NotExistError
		if errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() == "" {
			typed := unknown.GetSpecifiedName()
			if now := cmp.Or(now[nameOf(cmd)+" --"+typed], now["--"+typed]); now != "" {
				return term.Hint(term.Usagef("--%s is no longer a flag of %s", typed, nameOf(cmd)), "%s", now)
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

// manual returns the man page of a command and all commands below it. That of the root
// has more sections after the verbs, each a title line, then text. It has no date, so that
// builds are reproducible.
func manual(cmd *cobra.Command, version string, sections ...string) string {
	var b strings.Builder
	macro := func(name string, words ...string) {
		b.WriteString("." + name)
		for _, w := range words {
			b.WriteString(` "` + escapeRoff(w) + `"`)
		}
		b.WriteByte('\n')
	}
	text := func(s string) { // keeps line breaks; no line may be read as a macro
		macro("nf")
		for line := range strings.Lines(strings.TrimSpace(s) + "\n") {
			b.WriteString(`\&` + escapeRoff(line))
		}
		macro("fi")
	}
	var verb func(*cobra.Command)
	verb = func(c *cobra.Command) {
		macro("SS", strings.TrimSuffix(c.UseLine(), " [flags]"))
		says := []string{c.Short + ".", c.Long, c.LocalFlags().FlagUsages()}
		if c.HasExample() {
			says = append(says, "Examples:\n"+c.Example)
		}
		text(strings.Join(says, "\n\n"))
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() {
				verb(sub)
			}
		}
	}
	root, page := cmd.Root().Name(), strings.ReplaceAll(cmd.CommandPath(), " ", "-")
	macro("TH", strings.ToUpper(page), "1", "", root+" "+version, root)
	macro("SH", "NAME")
	text(page + " - " + cmd.Short)
	macro("SH", "DESCRIPTION")
	verb(cmd)
	if cmd.HasParent() {
		macro("SH", "SEE ALSO")
		text(root + "(1)")
		return b.String()
	}
	for _, section := range sections {
		title, says, _ := strings.Cut(strings.TrimSpace(section), "\n")
		macro("SH", strings.ToUpper(strings.TrimSuffix(title, ":")))
		text(says)
	}
	return b.String()
}

// escapeRoff escapes text for roff, which would turn a bare hyphen, quote or tilde into a
// typographic one that cannot be pasted into a shell.
func escapeRoff(s string) string {
	var b strings.Builder
	for _, c := range roffEscapes.Replace(s) {
		if c < utf8.RuneSelf {
			b.WriteRune(c)
		} else {
			fmt.Fprintf(&b, `\[u%04X]`, c)
		}
	}
	return b.String()
}

var roffEscapes = strings.NewReplacer(`\`, `\e`, "-", `\-`, "`", `\(ga`, "'", `\(aq`, `"`, `\(dq`, "~", `\(ti`, "^", `\(ha`)
