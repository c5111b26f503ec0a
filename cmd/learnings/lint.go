package main

import (
	"context"
	"errors"
	"sync"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/render"
	"learnings/cmd/internal/term"
	"learnings/index"
	"learnings/index/curate"
	"learnings/lessons"
)

type lintOptions struct {
	ids     []string
	status  string
	project string
	strict  bool
	json    bool
}

func newLint(a *app) *cobra.Command {
	var o lintOptions
	cmd := &cobra.Command{
		Use: "lint [ID…|-]", Short: "Say what could be better about the wording of lessons",
		Long: "Lint looks at the pending and approved lessons, or at those named, and says what\n" +
			"keeps them from being good ones:\n\n" +
			"  rambling       more than one clear sentence\n" +
			"  terse          too few words to be a sentence\n" +
			"  session        made sense only in its session (\"this file\", line 42, dates)\n" +
			"  unspecific     no words by which it could be searched for\n" +
			"  reason         forbids or demands without exception, and does not say why\n" +
			"  example        speaks of a command or an error, and shows none\n" +
			"  when           no rule for all work, and says not when it shows\n" +
			"  overconfident  surer than its evidence\n\n" +
			"It is advice: nothing is blocked by it, and a lesson without findings may still\n" +
			"be wrong.",
		Example: "  learnings check lint --status pending\n  learnings check lint k7m2p9qx && learnings edit k7m2p9qx",
		RunE: func(cmd *cobra.Command, args []string) error {
			o.ids = args
			if len(args) > 0 && (o.status != "" || o.project != "") {
				return term.Usagef("lint: name lessons, or choose them by --status and --project, not both")
			}
			return lint(cmd.Context(), a, o)
		},
	}
	cmd.Flags().StringVar(&o.status, "status", "", "pending, approved, rejected, merged, archived or all (default: pending and approved)")
	cmd.Flags().StringVar(&o.project, "project", "", "of this project only")
	cmd.Flags().BoolVar(&o.strict, "strict", false, "exit with 1 when something is found, for scripts")
	cmd.Flags().BoolVar(&o.json, "json", false, "one JSON object a lesson with findings")
	return cmd
}

func lint(ctx context.Context, a *app, o lintOptions) error {
	var out render.Linted
	var err error
	if len(o.ids) > 0 {
		var ls []lessons.Lesson
		ls, err = a.named(o.ids)
		for _, l := range ls {
			out.Note(l, lessons.Lint(l))
		}
	} else {
		out, err = o.chosen(ctx, a)
	}
	if err != nil {
		return err
	}
	if err := a.Give(out.Answer(), o.json); err != nil {
		return err
	}
	if o.strict && len(out.Found) > 0 {
		return errors.New(out.String())
	}
	return nil
}

// chosen looks at the lessons that the flags choose, the newest first.
func (o lintOptions) chosen(ctx context.Context, a *app) (render.Linted, error) {
	q, status := index.Query{Now: a.now()}, o.status
	if status == "" {
		q, status = curate.WhatCounts(q), "all"
	}
	q, err := a.chosen(q, status, o.project)
	if err != nil {
		return render.Linted{}, err
	}
	return ask(ctx, a, func(ctx context.Context, x *index.Index) (render.Linted, error) {
		var out render.Linted
		var mu sync.Mutex
		err := x.Each(ctx, q, func(l lessons.Lesson) {
			fs := lessons.Lint(l)
			mu.Lock()
			defer mu.Unlock()
			out.Note(l, fs)
		})
		out.Sort()
		return out, err
	})
}
