package main

import (
	"context"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/view"
	"learnings/lessons"
)

type staleOptions struct {
	project string
	json    bool
}

func newStale(a *app) *cobra.Command {
	var o staleOptions
	cmd := &cobra.Command{
		Use: "stale", Short: "List active lessons to look at again, and why",
		Long: "Stale lists the approved lessons that a person should look at again: doubtful\n" +
			"ones (what came of them speaks against them), stale ones (long not confirmed),\n" +
			"those whose re-review is due (7 days after approval, then 30, 90 and 180 days\n" +
			"after each confirmation), and those that no session was ever given. It changes\n" +
			"nothing: what to type is beside each.",
		Example: "  learnings stale\n  learnings stale --project octofs --json",
		Args:    nargs(0, 0, ""),
		RunE:    func(cmd *cobra.Command, _ []string) error { return stale(cmd.Context(), a, o) },
	}
	cmd.Flags().StringVar(&o.project, "project", "", "of this project only")
	cmd.Flags().BoolVar(&o.json, "json", false, "one JSON object a line")
	return cmd
}

func stale(ctx context.Context, a *app, o staleOptions) error {
	ls, err := active(ctx, a, o.project)
	if err != nil {
		return err
	}
	return a.Give(view.Doubts(lessons.LookAgain(ls, a.now())), o.json)
}

// active reads the approved lessons of a project, or of all.
func active(ctx context.Context, a *app, project string) ([]lessons.Lesson, error) {
	c, err := a.configuration()
	if err != nil {
		return nil, err
	}
	var out []lessons.Lesson
	err = a.eachLesson(ctx, func(l lessons.Lesson) {
		if l.Status == lessons.Approved && (project == "" || l.Scope.Project == c.Canonical(project)) {
			out = append(out, l)
		}
	})
	return out, err
}
