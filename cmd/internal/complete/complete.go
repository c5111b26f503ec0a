// Package complete tells a shell what may stand in a place of the command line.
package complete

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"learnings/lessons"
)

// Limits of what a shell is offered: somebody pressed Tab and waits.
const (
	within = 500 * time.Millisecond
	most   = 200 // more is a wall of text; another character makes it less
)

// An Offer lists what may stand in a place of the command line, given the words
// before it. What it cannot find out it leaves out: there is nobody to tell.
type Offer func(ctx context.Context, before []string) []cobra.Completion

// Register makes a verb and those below it tell a shell what may stand in each place:
// for the arguments of a verb and the value of a flag the offer of that name, for the
// arguments of the verbs in files the names of files, and nothing elsewhere.
func Register(root *cobra.Command, arguments, flags map[string]Offer, files ...string) {
	var walk func(*cobra.Command)
	walk = func(cmd *cobra.Command) {
		if o, ok := arguments[cmd.Name()]; ok {
			cmd.ValidArgsFunction = o.argument
		} else if !slices.Contains(files, cmd.Name()) && cmd.ValidArgsFunction == nil {
			cmd.ValidArgsFunction = cobra.NoFileCompletions
		}
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			complete := cobra.NoFileCompletions
			switch o, ok := flags[f.Name]; {
			case ok:
				complete = o.flag
			case f.Name == "dir":
				complete = cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs)
			case f.Name == "from" || f.Name == "to":
				return // files
			}
			// It fails when a flag has a completion already: that one stays.
			_ = cmd.RegisterFlagCompletionFunc(f.Name, complete)
		})
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
	}
	walk(root)
}

// argument offers what the usage line of a verb has a place for.
func (o Offer) argument(cmd *cobra.Command, before []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	places := strings.Fields(cmd.Use)[1:]
	if n := len(before); n >= len(places) && !strings.Contains(cmd.Use, "…") || n < len(places) && places[n] == "VERSION" {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return o.flag(cmd, before, typed)
}

func (o Offer) flag(cmd *cobra.Command, before []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	ctx, cancel := context.WithTimeout(cmd.Context(), within)
	defer cancel()
	all := o(ctx, before)
	all = slices.DeleteFunc(all, func(c cobra.Completion) bool { return !strings.HasPrefix(c, typed) })
	return all[:min(len(all), most)], cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}

// Fixed offers the same choices always.
func Fixed(choices ...string) Offer {
	return func(context.Context, []string) []cobra.Completion { return slices.Clone(choices) }
}

// Verbs offers the verbs of a command.
func Verbs(root *cobra.Command) Offer {
	return func(context.Context, []string) (out []cobra.Completion) {
		for _, cmd := range root.Commands() {
			if cmd.IsAvailableCommand() {
				out = append(out, cobra.CompletionWithDesc(cmd.Name(), cmd.Short))
			}
		}
		return out
	}
}

// A Reader gives the lessons of some statuses, or all, oldest first.
type Reader func(ctx context.Context, statuses ...lessons.Status) []lessons.Outline

// IDs offers the lessons of some statuses, or all, newest first, each with
// what it says.
func IDs(read Reader, statuses ...lessons.Status) Offer {
	return func(ctx context.Context, before []string) (out []cobra.Completion) {
		for _, l := range slices.Backward(read(ctx, statuses...)) {
			if !slices.Contains(before, string(l.ID)) {
				out = append(out, cobra.CompletionWithDesc(string(l.ID), l.Title(80)))
			}
		}
		return out
	}
}

// Names offers the names that lessons have in one field.
func Names(read Reader, name func(lessons.Outline) string) Offer {
	return func(ctx context.Context, _ []string) []cobra.Completion {
		seen := map[string]bool{}
		for _, l := range read(ctx) {
			if s := lessons.Line(name(l)); s != "" {
				seen[s] = true
			}
		}
		return slices.Sorted(maps.Keys(seen))
	}
}
