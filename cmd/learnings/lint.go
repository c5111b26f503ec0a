package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/term"
	"learnings/cmd/internal/view"
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
	var out linted
	var err error
	if len(o.ids) > 0 {
		var ls []lessons.Lesson
		ls, err = a.named(o.ids)
		for _, l := range ls {
			out.note(l, lessons.Lint(l))
		}
	} else {
		out, err = o.chosen(ctx, a)
	}
	if err != nil {
		return err
	}
	if err := a.Give(out, o.json); err != nil {
		return err
	}
	if o.strict && len(out.all) > 0 {
		return fmt.Errorf("%d of %s could be better", len(out.all), term.Plural(out.of, "lesson"))
	}
	return nil
}

// chosen looks at the lessons that the flags choose, the newest first.
func (o lintOptions) chosen(ctx context.Context, a *app) (linted, error) {
	q, status := index.Query{Now: a.now()}, o.status
	if status == "" {
		q, status = curate.WhatCounts(q), "all"
	}
	q, err := a.chosen(q, status, o.project)
	if err != nil {
		return linted{}, err
	}
	return ask(ctx, a, func(ctx context.Context, x *index.Index) (linted, error) {
		var out linted
		var mu sync.Mutex
		err := x.Each(ctx, q, func(l lessons.Lesson) {
			fs := lessons.Lint(l)
			mu.Lock()
			defer mu.Unlock()
			out.note(l, fs)
		})
		slices.SortFunc(out.all, func(a, b findings) int {
			return cmp.Or(cmp.Compare(b.lesson.Created.Unix(), a.lesson.Created.Unix()), cmp.Compare(a.lesson.ID, b.lesson.ID))
		})
		return out, err
	})
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

// note adds what was found in a lesson. Of the lesson it keeps what is shown.
func (ls *linted) note(l lessons.Lesson, fs []lessons.Finding) {
	if ls.of++; len(fs) > 0 {
		l = lessons.Lesson{ID: l.ID, Status: l.Status, Scope: l.Scope, Created: l.Created, Wording: lessons.Wording{Content: l.Content}}
		ls.all = append(ls.all, findings{l, fs})
	}
}

func (ls linted) Terminal(p *term.Page) {
	for _, f := range ls.all {
		p.Strong("%s  %s  %s", f.lesson.ID, f.lesson.Status, f.lesson.Title(max(p.Width-22, 30)))
		for _, g := range f.all {
			p.Text("    ", fmt.Sprintf("%s: %s", g.Code, view.Advice(g)))
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
		Findings []view.Finding `json:"findings"`
	}
	return term.Objects(ls.all, func(f findings) any {
		return object{f.lesson.ID, f.lesson.Status, f.lesson.Scope.Project, f.lesson.Content, view.FindingsOf(f.all)}
	})
}
