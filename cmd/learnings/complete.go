package main

import (
	"context"
	"io"
	"os"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/complete"
	"learnings/cmd/internal/hook"
	"learnings/cmd/internal/settings"
	"learnings/cmd/internal/setup"
	"learnings/index"
	"learnings/index/curate"
	"learnings/lessons"
)

// completing reports whether a shell asks what could be typed next.
func completing(args []string) bool {
	return len(args) > 0 && (args[0] == cobra.ShellCompRequestCmd || args[0] == cobra.ShellCompNoDescRequestCmd)
}

// offers makes every verb tell a shell what may stand in each place.
func offers(a *app, root *cobra.Command) {
	a.Err = io.Discard // a warning would end up in the middle of a command line
	const pending, approved = lessons.Pending, lessons.Approved
	read := func(ctx context.Context, statuses ...lessons.Status) []lessons.Outline {
		return outlines(ctx, a, statuses...)
	}
	ids := func(statuses ...lessons.Status) complete.Offer { return complete.IDs(read, statuses...) }
	names := func(of func(lessons.Outline) string) complete.Offer { return complete.Names(read, of) }
	projects := names(func(l lessons.Outline) string { return l.Scope.Project })
	categories := complete.Fixed(texts(lessons.Shelves)...)
	arguments := map[string]complete.Offer{
		"approve": ids(pending), "reject": ids(pending, approved), "guard": ids(approved), "feedback": ids(approved),
		"edit": ids(pending, approved), "merge": ids(pending, approved), "resolve": ids(pending, approved),
		"duplicates": ids(pending, approved), "lint": ids(pending, approved),
		"history": ids(), "forget": ids(),
		"show": func(ctx context.Context, before []string) []cobra.Completion {
			return append(categories(ctx, before), ids()(ctx, before)...)
		},
		"rename": projects, "alias": projects,
		"config": func(context.Context, []string) (out []cobra.Completion) {
			for _, k := range settings.Keys {
				out = append(out, cobra.CompletionWithDesc(k.Name, k.Doc))
			}
			return out
		},
		"setup": complete.Fixed(setup.Names()...), "doctor": complete.Fixed(setup.Names()...),
		"hook": complete.Fixed(hook.Events()...),
		"help": complete.Verbs(root), "man": complete.Verbs(root),
	}
	flags := map[string]complete.Offer{
		"lane":   complete.Fixed(append(texts(lessons.QueueLanes), "all")...),
		"status": complete.Fixed(append(texts(lessons.Statuses), "all")...), "category": categories,
		"project": projects, "rule": complete.Fixed(texts(duplicateRules)...), "op": complete.Fixed(texts(lessons.Ops)...),
		"into": ids(pending, approved), "outcome": complete.Fixed(reactions...), "confidence": complete.Fixed("high", "medium", "low", curate.Computed),
		"role": names(func(l lessons.Outline) string { return l.Scope.Role }),
	}
	complete.Register(root, arguments, flags, "extract")
}

// outlines are the lessons of some statuses, or all, oldest first. Where there is
// no corpus there are none: completing makes no folder.
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
	ls, err := ask(ctx, a, func(ctx context.Context, x *index.Index) ([]lessons.Outline, error) { return x.Outlines(ctx, q) })
	if err != nil {
		return nil
	}
	return ls
}
