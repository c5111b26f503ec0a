package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/render"
	"learnings/cmd/internal/term"
	"learnings/index/curate"
)

type mergeOptions struct {
	ids     []string
	into    string
	content string
	global  bool
	json    bool
	yes     bool
	model   modelOptions
	apart   bool
}

func newMerge(a *app) *cobra.Command {
	var o mergeOptions
	cmd := &cobra.Command{
		Use: "merge ID ID…|-", Short: "Make one lesson of several",
		Long: "Merge joins the evidence, tags and counts of several lessons in one, which\n" +
			"keeps its id; the others stay as tombstones that point to it. The one that\n" +
			"lives on is an approved one before a pending one, then the oldest. With --global\n" +
			"it holds in every project from now on, which is what a lesson that several\n" +
			"projects taught on their own asks for.\n\n" +
			"With --apart it takes a merge apart: of the lesson that is named first it brings\n" +
			"back all that were merged into it, or those named after it. Each becomes what it\n" +
			"was; the first gives back their evidence, tags and counts as far as the journal\n" +
			"still knows which came from them.\n\n" +
			"With --model a language model is asked for the one text. It is shown with what\n" +
			"it changes, and you say whether to merge with it. It is not shown at all if it\n" +
			"has a number, path, flag or name that none of the lessons has.",
		Example: "  learnings merge k7m2p9qx b7t4xq8c --content 'Run make generate after proto edits'\n  learnings check duplicates --json | jq -r '.ids | join(\" \")'",
		Args:    nargs(1, -1, "two ids or more"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.ids = args; o.apart {
				return split(cmd.Context(), a, args, o.json)
			}
			if err := o.model.pick(a, cmd.Flags().Changed); err != nil {
				return err
			}
			if o.model.name != "" && cmd.Flags().Changed("content") {
				return term.Usagef("--content says it already; leave out --model")
			}
			if o.yes && o.model.name == "" {
				return term.Usagef("--yes goes with --model")
			}
			return merge(cmd.Context(), a, o)
		},
	}
	cmd.Flags().StringVar(&o.into, "into", "", "the id that lives on")
	cmd.Flags().StringVar(&o.content, "content", "", "what the lesson says now")
	cmd.Flags().BoolVar(&o.global, "global", false, "it holds in every project")
	cmd.Flags().BoolVar(&o.apart, "apart", false, "take the merge of the first id apart again")
	mergeModelFlags(cmd, &o.model)
	cmd.Flags().BoolVar(&o.yes, "yes", false, "with --model: merge with its text and do not ask")
	cmd.Flags().BoolVar(&o.json, "json", false, "print the lesson that lives on as JSON")
	return cmd
}

func merge(ctx context.Context, a *app, o mergeOptions) error {
	c, err := a.decider("merge them")
	if err != nil {
		return err
	}
	words := o.ids
	if o.into != "" {
		words = append([]string{o.into}, words...)
	}
	ls, err := a.named(words)
	if err != nil {
		return err
	}
	if len(ls) < 2 {
		return term.Usagef("a merge needs two different lessons")
	}
	m := curate.Merge{Into: ls[0], From: ls[1:]}
	if o.into == "" {
		m = curate.MergeOf(ls)
	}
	if m.Global = o.global; strings.TrimSpace(o.content) != "" {
		m.Into.Content = o.content
	}
	var draft *curate.Draft
	if o.model.name != "" {
		if _, err := m.Preview(); err != nil { // before it costs anything
			return fmt.Errorf("merging: %w", err)
		}
		t, err := wordingBy(ctx, a, o, m.Into, ls)
		if err != nil {
			return err
		}
		if m.Into, draft, err = agree(ctx, a, c, t, o.yes, o.json); errors.Is(err, errDeclined) {
			return nil
		} else if err != nil {
			return err
		}
		m.Reason = "in the words of " + t.By
	}
	merged, err := c.Merge(m)
	if err != nil {
		return keptIn(a, draft, err)
	}
	draft.Discard()
	a.follow(ctx)
	if o.json {
		return a.Give(render.Shelf{Lessons: merged[:1]}, true)
	}
	a.Say("merged %s into %s (%s, %s)  %s", term.Plural(len(m.From), "lesson"), merged[0].ID, merged[0].Status,
		term.Plural(len(merged[0].Evidence), "piece")+" of evidence", merged[0].Title(80))
	if projects := curate.Projects(ls); len(projects) > 1 && !merged[0].Scope.Global {
		a.Warn("it holds in %s only, and was learned in %s: undo and merge with --global if it holds in every project",
			merged[0].Scope.Project, strings.Join(projects, ", "))
	}
	return nil
}
