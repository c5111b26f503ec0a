package main

import (
	"cmp"
	"context"
	"embed"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"learnings/cmd/internal/settings"
	"learnings/cmd/internal/term"
)

// helpTexts hold the help of each verb in a file of its name: a line that says how it is
// called, one that says what it does, the text, and examples.
//
//go:embed help
var helpTexts embed.FS

// A verb is a command in the making, with its flags.
type verb struct {
	*pflag.FlagSet
	cmd *cobra.Command
}

// A need is what a verb has opened before it runs.
type need func(*app) error

// The needs, each with those above it. They make no folder before something is written.
var (
	needsNothing  need = func(*app) error { return nil }
	needsPlaces        = (*app).locate
	needsSettings      = (*app).configure
	needsReading       = (*app).open // also where the settings are broken
	needsCorpus   need = func(a *app) error { return cmp.Or(a.open(), a.broken) }
)

// needsPerson is the need of a verb by which only a person decides. The deed completes the
// error, as in "approve lessons".
func needsPerson(deed string) need { return func(a *app) error { return a.person(deed) } }

// verb makes the verb whose help is in the file of its name. The texts of fill replace
// words in braces there: a word, its text, and so on.
func (a *app) verb(name string, n need, args cobra.PositionalArgs, fill ...string) verb {
	text, err := helpTexts.ReadFile("help/" + strings.ReplaceAll(name, " ", "-") + ".txt")
	if err != nil {
		panic(err) // of this program
	}
	use, rest, _ := strings.Cut(string(text), "\n")
	short, rest, _ := strings.Cut(rest, "\n")
	long, examples, _ := strings.Cut(rest, "\nExamples:\n")
	cmd := &cobra.Command{
		Use: use, Short: short, Long: strings.NewReplacer(fill...).Replace(strings.TrimSpace(long)), Example: strings.TrimRight(examples, "\n"),
		Args: args, PreRunE: func(*cobra.Command, []string) error { return n(a) },
	}
	return verb{cmd.Flags(), cmd}
}

// run makes the verb do something when it is called.
func (v verb) run(do func(ctx context.Context, args []string) error) *cobra.Command {
	v.cmd.RunE = func(cmd *cobra.Command, args []string) error { return do(cmd.Context(), args) }
	return v.cmd
}

// json is the flag that has answers printed as JSON.
func (v verb) json(a *app, usage string) { v.BoolVar(&a.JSON, "json", false, usage) }

func (v verb) project() *string { return v.String("project", "", "of this project only") }

// from is the flag that names transcripts.
func (v verb) from() *[]string {
	return v.StringArray("from", nil, "look in this file or folder instead; repeat it for more")
}

// limit is the flag that bounds a list; less than 0 when it is not given.
func (v verb) limit(usage string) *int { return v.IntP("limit", "n", -1, usage) }

// hide leaves flags out of help. They work, and the text of the verb may name them.
func (v verb) hide(flags ...string) {
	for _, name := range flags {
		v.Lookup(name).Hidden = true
	}
}

// formerStyle takes --style amplihack: the command files that earlier versions wrote for
// agents give it.
func (v verb) formerStyle() {
	v.Func("style", "", func(s string) error {
		if s == "amplihack" {
			return nil
		}
		return errors.New("there are no styles of other programs any more; leave --style out")
	})
	v.hide("style")
}

const idsWanted = "ids, or - to read them from standard input"

// nargs checks the number of arguments; most < 0 is any number.
func nargs(least, most int, what string) cobra.PositionalArgs {
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

// nameOf is a command as an error names it, without the name of the program.
func nameOf(cmd *cobra.Command) string {
	return strings.TrimPrefix(cmd.CommandPath(), cmd.Root().Name()+" ")
}

func usageLine(cmd *cobra.Command) string { return "usage: " + strings.TrimSpace(cmd.UseLine()) }

// findVerb gives the verb, or verb of a verb, that words name; of no words, root.
func findVerb(root *cobra.Command, words []string) (*cobra.Command, error) {
	cmd := root
	for _, w := range words {
		i := slices.IndexFunc(cmd.Commands(), func(c *cobra.Command) bool { return c.Name() == w })
		if i < 0 {
			return nil, unknownVerb(cmd, w)
		}
		cmd = cmd.Commands()[i]
	}
	return cmd, nil
}

// unknownVerb says that a command has no verb of a name, and which there are.
func unknownVerb(cmd *cobra.Command, name string) error {
	if cmd.HasParent() {
		var names []string
		for _, sub := range cmd.Commands() {
			names = append(names, sub.Name())
		}
		return term.Hint(term.Usagef("%s: there is no %q", nameOf(cmd), name), "%s", strings.Join(names, ", "))
	}
	if now, ok := former[name]; ok {
		return term.Hint(term.Usagef("%s is no longer a verb", name), "`learnings %s`", now)
	}
	err := term.Usagef("unknown verb %q", name)
	if near := cmd.SuggestionsFor(name); len(near) > 0 {
		return term.Hint(err, "did you mean `learnings %s`?", near[0])
	}
	return term.Hint(err, "`learnings help` lists the verbs")
}

// flagError words an error about flags, and names the flag that was probably meant.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() == "" {
		typed := unknown.GetSpecifiedName()
		if now, ok := gone[nameOf(cmd)+" --"+typed]; ok {
			return term.Hint(term.Usagef("--%s is no longer a flag of %s", typed, nameOf(cmd)), "%s", now)
		}
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		if near, ok := settings.Nearest(typed, names); ok {
			err = fmt.Errorf("unknown flag --%s: did you mean --%s?", typed, near)
		}
	}
	return term.Hint(term.Usagef("%v", err), "`%s --help` lists the flags", cmd.CommandPath())
}
