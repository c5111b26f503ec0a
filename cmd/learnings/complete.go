package main

import (
	"context"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"learnings/cmd/internal/hook"
	"learnings/cmd/internal/render"
	"learnings/cmd/internal/settings"
	"learnings/cmd/internal/setup"
	"learnings/index"
	"learnings/index/curate"
	"learnings/lessons"
)

// offers adds shell completion to every verb.
func offers(a *app, root *cobra.Command) {
	a.Err = io.Discard // a warning would end up in the middle of a command line
	ids := func(statuses ...lessons.Status) offer {
		return func(ctx context.Context) (out []cobra.Completion) {
			for _, l := range slices.Backward(outlines(ctx, a, statuses...)) {
				out = append(out, cobra.CompletionWithDesc(string(l.ID), l.Title(80)))
			}
			return out
		}
	}
	names := func(of func(lessons.Outline) string) offer {
		return func(ctx context.Context) []cobra.Completion {
			seen := map[string]bool{}
			for _, l := range outlines(ctx, a) {
				if s := lessons.Line(of(l)); s != "" {
					seen[s] = true
				}
			}
			return slices.Sorted(maps.Keys(seen))
		}
	}
	projects := names(func(l lessons.Outline) string { return l.Scope.Project })
	counting, active, all, agents := ids(lessons.Pending, lessons.Approved), ids(lessons.Approved), ids(), fixed(setup.Names()...)
	verbs := func(context.Context) (out []cobra.Completion) {
		for _, cmd := range root.Commands() {
			if cmd.IsAvailableCommand() {
				out = append(out, cobra.CompletionWithDesc(cmd.Name(), cmd.Short))
			}
		}
		return out
	}
	arguments := map[string]offer{
		"approve": ids(lessons.Pending), "reject": counting, "guard": active, "feedback": active, "edit": counting, "merge": counting, "resolve": counting,
		"duplicates": counting, "lint": counting, "history": all, "forget": all,
		"show": func(ctx context.Context) []cobra.Completion {
			return append(lessons.Texts(lessons.Shelves), all(ctx)...)
		},
		"rename": projects, "alias": projects, "setup": agents, "doctor": agents, "hook": fixed(hook.Events()...), "help": verbs, "man": verbs,
		"config": func(context.Context) (out []cobra.Completion) {
			for _, k := range settings.Keys {
				out = append(out, cobra.CompletionWithDesc(k.Name, k.Doc))
			}
			return out
		},
	}
	flags := map[string]offer{
		"lane": fixed(append(lessons.Texts(lessons.QueueLanes), "all")...), "status": fixed(append(lessons.Texts(lessons.Statuses), "all")...),
		"category": fixed(lessons.Texts(lessons.Shelves)...), "project": projects, "rule": fixed(render.DuplicateRules...), "op": fixed(lessons.Texts(lessons.Ops)...),
		"into": counting, "outcome": fixed(reactions...), "confidence": fixed("high", "medium", "low", curate.Computed),
		"role": names(func(l lessons.Outline) string { return l.Scope.Role }),
	}
	addCompletion(root, arguments, flags, "extract")
}

// outlines returns the lessons with these statuses, or all, oldest first. Without a
// corpus it returns nil: completion creates no folder.
func outlines(ctx context.Context, a *app, statuses ...lessons.Status) []lessons.Outline {
	if a.open() != nil {
		return nil
	}
	if _, err := os.Stat(a.places.Corpus); err != nil {
		return nil
	}
	var q index.Query
	for _, s := range statuses {
		q = q.Where(index.Status, string(s))
	}
	ls, _ := ask(ctx, a, func(ctx context.Context, x *index.Index) ([]lessons.Outline, error) { return x.Outlines(ctx, q) })
	return ls
}

// Limits of shell completion: the person has pressed Tab and is waiting.
const (
	offerWithin = 500 * time.Millisecond
	mostOffered = 200 // more is a wall of text; another letter narrows it
)

// An offer returns the possible values of one place in the command line. It leaves out
// what it cannot find out: an error could be shown to nobody.
type offer func(ctx context.Context) []cobra.Completion

// completing reports whether these are the arguments of a shell's completion request.
func completing(args []string) bool {
	return len(args) > 0 && (args[0] == cobra.ShellCompRequestCmd || args[0] == cobra.ShellCompNoDescRequestCmd)
}

// addCompletion adds shell completion to a command and all below it. Arguments of a verb and
// values of a flag complete with the offer of its name, arguments of the verbs in files
// with file names, and everything else with nothing.
func addCompletion(cmd *cobra.Command, arguments, flags map[string]offer, files ...string) {
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
		addCompletion(sub, arguments, flags, files...)
	}
}

// complete returns offers not typed before, if the verb's usage line has a place for one.
func (o offer) complete(cmd *cobra.Command, before []string, typed string) (out []cobra.Completion, _ cobra.ShellCompDirective) {
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

// fixed returns an offer with constant choices.
func fixed(choices ...string) offer {
	return func(context.Context) []cobra.Completion { return choices }
}
