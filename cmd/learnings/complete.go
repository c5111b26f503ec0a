package main

import (
	"context"
	"io"
	"maps"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/cli"
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
	ids := func(statuses ...lessons.Status) cli.Offer {
		return func(ctx context.Context) (out []cobra.Completion) {
			for _, l := range slices.Backward(outlines(ctx, a, statuses...)) {
				out = append(out, cobra.CompletionWithDesc(string(l.ID), l.Title(80)))
			}
			return out
		}
	}
	names := func(of func(lessons.Outline) string) cli.Offer {
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
	counting, active, all, agents := ids(lessons.Pending, lessons.Approved), ids(lessons.Approved), ids(), cli.Fixed(setup.Names()...)
	verbs := func(context.Context) (out []cobra.Completion) {
		for _, cmd := range root.Commands() {
			if cmd.IsAvailableCommand() {
				out = append(out, cobra.CompletionWithDesc(cmd.Name(), cmd.Short))
			}
		}
		return out
	}
	arguments := map[string]cli.Offer{
		"approve": ids(lessons.Pending), "reject": counting, "guard": active, "feedback": active, "edit": counting, "merge": counting, "resolve": counting,
		"duplicates": counting, "lint": counting, "history": all, "forget": all,
		"show":   func(ctx context.Context) []cobra.Completion { return append(texts(lessons.Shelves), all(ctx)...) },
		"rename": projects, "alias": projects, "setup": agents, "doctor": agents, "hook": cli.Fixed(hook.Events()...), "help": verbs, "man": verbs,
		"config": func(context.Context) (out []cobra.Completion) {
			for _, k := range settings.Keys {
				out = append(out, cobra.CompletionWithDesc(k.Name, k.Doc))
			}
			return out
		},
	}
	flags := map[string]cli.Offer{
		"lane": cli.Fixed(append(texts(lessons.QueueLanes), "all")...), "status": cli.Fixed(append(texts(lessons.Statuses), "all")...),
		"category": cli.Fixed(texts(lessons.Shelves)...), "project": projects, "rule": cli.Fixed(render.DuplicateRules...), "op": cli.Fixed(texts(lessons.Ops)...),
		"into": counting, "outcome": cli.Fixed(reactions...), "confidence": cli.Fixed("high", "medium", "low", curate.Computed),
		"role": names(func(l lessons.Outline) string { return l.Scope.Role }),
	}
	cli.Complete(root, arguments, flags, "extract")
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
