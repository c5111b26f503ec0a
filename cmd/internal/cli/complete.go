package cli

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Limits of what a shell is offered: somebody pressed Tab and waits.
const (
	offerWithin = 500 * time.Millisecond
	mostOffered = 200 // more is a wall of text; another character makes it less
)

// An Offer lists what may stand in a place of the command line. What it cannot find out it
// leaves out: there is nobody to tell.
type Offer func(ctx context.Context) []cobra.Completion

// Completing reports whether a shell asks what could be typed next.
func Completing(args []string) bool {
	return len(args) > 0 && (args[0] == cobra.ShellCompRequestCmd || args[0] == cobra.ShellCompNoDescRequestCmd)
}

// Complete makes a verb and those below it tell a shell what may stand in each place: for
// the arguments of a verb and the value of a flag the offer of that name, for the arguments
// of the verbs in files the names of files, and nothing elsewhere.
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
		// It fails when a flag has a completion already: that one stays.
		_ = cmd.RegisterFlagCompletionFunc(f.Name, complete)
	})
	for _, sub := range cmd.Commands() {
		Complete(sub, arguments, flags, files...)
	}
}

// complete offers what has not been typed before, where the usage line of a verb has a place
// for it.
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

// Fixed offers the same choices always.
func Fixed(choices ...string) Offer {
	return func(context.Context) []cobra.Completion { return choices }
}
