package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

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
			"  overconfident  surer than its evidence\n\n" +
			"It is advice: nothing is blocked by it, and a lesson without findings may still\n" +
			"be wrong.",
		Example: "  learnings lint --status pending\n  learnings lint k7m2p9qx && learnings edit k7m2p9qx",
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
	ls, err := o.lessons(ctx, a)
	if err != nil {
		return err
	}
	out := linted{of: len(ls)}
	for _, l := range ls {
		if fs := lessons.Lint(l); len(fs) > 0 {
			out.all = append(out.all, findings{l, fs})
		}
	}
	if err := a.Give(out, o.json); err != nil {
		return err
	}
	if o.strict && len(out.all) > 0 {
		return fmt.Errorf("%d of %s could be better", len(out.all), term.Plural(len(ls), "lesson"))
	}
	return nil
}

// lessons are those to look at.
func (o lintOptions) lessons(ctx context.Context, a *app) ([]lessons.Lesson, error) {
	if len(o.ids) > 0 {
		return a.named(o.ids)
	}
	q, status := index.Query{Now: a.now()}, o.status
	if status == "" {
		q, status = curate.WhatCounts(q), "all"
	}
	q, err := a.chosen(q, status, o.project)
	if err != nil {
		return nil, err
	}
	found, err := ask(ctx, a, func(ctx context.Context, x *index.Index) (shelf, error) { return readShelf(ctx, x, q, 0) })
	return found.lessons, err
}

// findings are what lint says of a lesson.
type findings struct {
	lesson lessons.Lesson
	all    []lessons.Finding
}

type linted struct {
	all []findings
	of  int // how many were looked at
}

func (ls linted) Terminal(p *term.Page) {
	for _, f := range ls.all {
		p.Strong("%s  %s  %s", f.lesson.ID, f.lesson.Status, f.lesson.Title(max(p.Width-22, 30)))
		for _, g := range f.all {
			p.Text("    ", fmt.Sprintf("%s: %s", g.Code, advice(g)))
		}
		p.Line("    learnings edit %s", f.lesson.ID)
	}
	p.Line("**Total:** %d of %s could be better", len(ls.all), term.Plural(ls.of, "lesson"))
}

func (ls linted) Plain(w io.Writer) {
	for _, f := range ls.all {
		for _, g := range f.all {
			term.TSV(w, string(f.lesson.ID), string(f.lesson.Status), string(g.Code), g.Found, g.Says, f.lesson.Content)
		}
	}
}

func (ls linted) Objects() []any {
	type object struct {
		ID       lessons.ID     `json:"id"`
		Status   lessons.Status `json:"status"`
		Project  string         `json:"project"`
		Content  string         `json:"content"`
		Findings []finding      `json:"findings"`
	}
	return term.Objects(ls.all, func(f findings) any {
		return object{f.lesson.ID, f.lesson.Status, f.lesson.Scope.Project, f.lesson.Content, findingsOf(f.all)}
	})
}
