package cli

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Limits of shell completion: the person has pressed Tab and is waiting.
const (
	offerWithin = 500 * time.Millisecond
	mostOffered = 200 // more is a wall of text; another letter narrows it
)

// An Offer returns the possible values of one place in the command line. It leaves out
// what it cannot find out: an error could be shown to nobody.
type Offer func(ctx context.Context) []cobra.Completion

// Completing reports whether these are the arguments of a shell's completion request.
func Completing(args []string) bool {
	return len(args) > 0 && (args[0] == cobra.ShellCompRequestCmd || args[0] == cobra.ShellCompNoDescRequestCmd)
}

// Complete adds shell completion to a command and all below it. Arguments of a verb and
// values of a flag complete with the offer of its name, arguments of the verbs in files
// with file names, and everything else with nothing.
func Complete(cmd *cobra.Command, arguments, flags map[string]Offer, files ...string) {
	if o, ok := arguments[cmd.Name()]; ok {
		cmd.ValidArgsFunction = o.complete
	} else if !slices.Contains(files, cmd.Name()) && cmd.ValidArgsFunction == nil {
		cmd.ValidArgsFunction = cobra.NoFileCompletions
	}
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		complete := cobra.NoFileCompletions
		switch o, ok := flags[f.Name]; {
		case ok:
			complete = func(cmd *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
				return o.complete(cmd, nil, typed)
			}
		case f.Name == "dir":
			complete = cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs)
		case f.Name == "from" || f.Name == "to":
			return // files
		}
		// It fails if the flag already has a completion, which then stays.
		_ = cmd.RegisterFlagCompletionFunc(f.Name, complete)
	})
	for _, sub := range cmd.Commands() {
		Complete(sub, arguments, flags, files...)
	}
}

// complete returns offers not typed before, if the verb's usage line has a place for one.
func (o Offer) complete(cmd *cobra.Command, before []string, typed string) (out []cobra.Completion, _ cobra.ShellCompDirective) {
	const how = cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
	if len(before) >= len(strings.Fields(cmd.Use))-1 && !strings.Contains(cmd.Use, "…") && len(before) > 0 {
		return nil, how
	}
	ctx, cancel := context.WithTimeout(cmd.Context(), offerWithin)
	defer cancel()
	for _, c := range o(ctx) {
		word, _, _ := strings.Cut(c, "\t")
		if strings.HasPrefix(c, typed) && !slices.Contains(before, word) && len(out) < mostOffered {
			out = append(out, c)
		}
	}
	return out, how
}

// Fixed returns an offer with constant choices.
func Fixed(choices ...string) Offer {
	return func(context.Context) []cobra.Completion { return choices }
}
