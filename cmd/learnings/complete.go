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

	"learnings/cmd/internal/settings"
	"learnings/index"
	"learnings/lessons"
)

// Limits of what a shell is offered: somebody pressed Tab and waits.
const (
	offerWithin = 500 * time.Millisecond
	mostOffered = 200 // more is a wall of text; another character makes it less
)

// An offer lists what may stand in a place of the command line, given the words
// before it. What it cannot find out it leaves out: there is nobody to tell.
type offer func(ctx context.Context, before []string) []cobra.Completion

// completing reports whether a shell asks what could be typed next.
func completing(args []string) bool {
	return len(args) > 0 && (args[0] == cobra.ShellCompRequestCmd || args[0] == cobra.ShellCompNoDescRequestCmd)
}

// offers makes every verb tell a shell what may stand in each place.
func offers(a *app, root *cobra.Command) {
	a.Err = io.Discard // a warning would end up in the middle of a command line
	const pending, approved, rejected, merged, archived = lessons.Pending, lessons.Approved, lessons.Rejected, lessons.Merged, lessons.Archived
	projects := offerNames(a, func(l lessons.Lesson) string { return l.Scope.Project })
	arguments := map[string]offer{
		"approve": offerIDs(a, pending), "reject": offerIDs(a, pending, approved),
		"reopen": offerIDs(a, approved, rejected, archived), "archive": offerIDs(a, approved), "confirm": offerIDs(a, approved),
		"pin": offerIDs(a, approved), "unpin": offerIDs(a, approved), "feedback": offerIDs(a, approved),
		"edit": offerIDs(a, pending, approved), "merge": offerIDs(a, pending, approved), "resolve": offerIDs(a, pending, approved),
		"duplicates": offerIDs(a, pending, approved), "lint": offerIDs(a, pending, approved), "split": offerIDs(a, pending, approved, merged),
		"history": offerIDs(a), "restore": offerIDs(a), "forget": offerIDs(a),
		"show": func(ctx context.Context, before []string) []cobra.Completion {
			return append(offerCategories(ctx, before), offerIDs(a)(ctx, before)...)
		},
		"rename": projects, "alias": projects,
		"config": func(context.Context, []string) (out []cobra.Completion) {
			for _, k := range settings.Keys {
				out = append(out, cobra.CompletionWithDesc(k.Name, k.Doc))
			}
			return out
		},
		"hook": fixed("session-start", "stop", "pre-compact", "session-end"),
		"man":  func(context.Context, []string) []cobra.Completion { return offerVerbs(root) },
		"help": func(context.Context, []string) []cobra.Completion { return offerVerbs(root) },
	}
	flags := map[string]offer{
		"status": fixed(append(texts(lessons.Statuses), "all")...), "category": offerCategories,
		"project": projects, "rule": fixed(texts(duplicateRules)...), "op": fixed(texts(lessons.Ops)...),
		"into": offerIDs(a, pending, approved), "outcome": fixed(reactions...), "confidence": fixed("high", "medium", "low", computedConfidence),
		"role": offerNames(a, func(l lessons.Lesson) string { return l.Scope.Role }),
	}
	var walk func(*cobra.Command)
	walk = func(cmd *cobra.Command) {
		if o, ok := arguments[cmd.Name()]; ok {
			cmd.ValidArgsFunction = o.argument
		} else if cmd.Name() != "extract" && cmd.ValidArgsFunction == nil { // extract takes files
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
func (o offer) argument(cmd *cobra.Command, before []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	places := strings.Fields(cmd.Use)[1:]
	if n := len(before); n >= len(places) && !strings.Contains(cmd.Use, "…") || n < len(places) && places[n] == "VERSION" {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return o.flag(cmd, before, typed)
}

func (o offer) flag(cmd *cobra.Command, before []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	ctx, cancel := context.WithTimeout(cmd.Context(), offerWithin)
	defer cancel()
	all := o(ctx, before)
	all = slices.DeleteFunc(all, func(c cobra.Completion) bool { return !strings.HasPrefix(c, typed) })
	return all[:min(len(all), mostOffered)], cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}

func fixed(choices ...string) offer {
	return func(context.Context, []string) []cobra.Completion { return slices.Clone(choices) }
}

// texts are names of any kind as plain strings.
func texts[S ~string](names []S) []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = string(n)
	}
	return out
}

func offerCategories(context.Context, []string) (out []cobra.Completion) {
	for _, shelf := range lessons.Shelves {
		out = append(out, string(shelf))
	}
	return out
}

func offerVerbs(root *cobra.Command) (out []cobra.Completion) {
	for _, cmd := range root.Commands() {
		if cmd.IsAvailableCommand() {
			out = append(out, cobra.CompletionWithDesc(cmd.Name(), cmd.Short))
		}
	}
	return out
}

// offerIDs offers the lessons of some statuses, or all, newest first, each with
// what it says.
func offerIDs(a *app, statuses ...lessons.Status) offer {
	return func(ctx context.Context, before []string) (out []cobra.Completion) {
		for _, l := range slices.Backward(outlines(ctx, a, statuses...)) {
			if !slices.Contains(before, string(l.ID)) {
				out = append(out, cobra.CompletionWithDesc(string(l.ID), l.Title(80)))
			}
		}
		return out
	}
}

// offerNames offers the names that lessons have in one field.
func offerNames(a *app, name func(lessons.Lesson) string) offer {
	return func(ctx context.Context, _ []string) []cobra.Completion {
		seen := map[string]bool{}
		for _, l := range outlines(ctx, a) {
			if s := lessons.Line(name(l)); s != "" {
				seen[s] = true
			}
		}
		return slices.Sorted(maps.Keys(seen))
	}
}

// outlines are the lessons of some statuses, or all, oldest first. Where there is
// no corpus there are none: completing makes no folder.
func outlines(ctx context.Context, a *app, statuses ...lessons.Status) []lessons.Lesson {
	p, err := a.located()
	if err != nil {
		return nil
	}
	if _, err := os.Stat(p.Corpus); err != nil {
		return nil
	}
	var q index.Query
	for _, s := range statuses {
		q = q.Where(index.Status, string(s))
	}
	ls, err := ask(ctx, a, func(ctx context.Context, x *index.Index) ([]lessons.Lesson, error) { return x.Outlines(ctx, q) })
	if err != nil {
		return nil
	}
	return ls
}
