package main

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/render"
	"learnings/cmd/internal/term"
	"learnings/index/curate"
	"learnings/lessons"
	"learnings/lessons/match"
)

// duplicatesOptions are what `learnings check duplicates` was asked for.
type duplicatesOptions struct {
	project    string
	rule       string
	limit      int
	mergeEqual bool
	json       bool
	model      modelOptions
}

// duplicateRules are the rules by the names that --rule takes.
var duplicateRules = []match.Rule{match.Equal, match.ByJaccard, match.ByOverlap, match.ByContainment, match.ByParaphrase, curate.Related}

func newDuplicates(a *app) *cobra.Command {
	o := duplicatesOptions{limit: -1}
	cmd := &cobra.Command{
		Use: "duplicates [ID]", Short: "List lessons that say the same, and propose one text",
		Long: "Duplicates lists pending and approved lessons that say the same, with the text\n" +
			"that could stay and what to type. It changes nothing. The rules:\n" +
			"  equal        the same text but for case and punctuation\n" +
			"  jaccard      0.8 of all words in common, within a category (Gimli)\n" +
			"  overlap      more than 0.6 of the keywords of the shorter one (amplihack)\n" +
			"  containment  more than 0.6 of the words of the newer one (Octomind)\n" +
			"  paraphrase   more than 0.6 of the keywords of both, with the synonyms that\n" +
			"               your own merges have shown\n" +
			"  related      not the same, but several lessons of a project about one subject\n" +
			"               of which one rule may say all\n" +
			"What several projects have learned is listed as \"global\". In technical text a\n" +
			"word makes another lesson: the ones that differ are marked.\n\n" +
			"With an id it lists the five lessons that most likely say the same as that one\n" +
			"in other words, whatever the rule: only a person can tell.\n\n" +
			"With --model a language model is asked for the one text of each group listed\n" +
			"(ten, if --limit says nothing), or says why they are not one lesson.\n\n" +
			"With --merge-equal it makes one of those that are equal but for case,\n" +
			"punctuation, words like \"the\" and inflections, in one step of undo.",
		Example: "  learnings check duplicates --rule paraphrase --project octofs\n  learnings check duplicates --merge-equal",
		Args:    nargs(0, 1, ""),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.model.pick(a, cmd.Flags().Changed); err != nil {
				return err
			}
			if len(args) > 0 && o.mergeEqual {
				return term.Usagef("--merge-equal is for all duplicates; name no id")
			}
			if o.model.name != "" && (len(args) > 0 || o.mergeEqual) {
				return term.Usagef("--model is for listing all duplicates; `learnings merge ID ID --model` asks about some")
			}
			if len(args) > 0 {
				return rewordings(cmd.Context(), a, o, args[0])
			}
			if !slices.Contains(duplicateRules, match.Rule(o.rule)) {
				return term.Hint(term.Usagef("there is no rule %q", o.rule), "equal, jaccard, overlap, containment, paraphrase or related")
			}
			if o.model.name != "" && match.Rule(o.rule) == curate.Related {
				return term.Usagef("--model is for lessons that say the same; whether one rule says it all of related ones is for you to tell")
			}
			if o.mergeEqual {
				return mergeEqual(cmd.Context(), a, o)
			}
			return duplicates(cmd.Context(), a, o)
		},
	}
	cmd.Flags().StringVar(&o.project, "project", "", "what holds in this project only")
	cmd.Flags().StringVar(&o.rule, "rule", string(match.ByJaccard), "equal, jaccard, overlap, containment, paraphrase or related")
	cmd.Flags().IntVarP(&o.limit, "limit", "n", -1, "at most so many groups; 0 for all (default: 10 with --model, 50 on a terminal, else all)")
	cmd.Flags().BoolVar(&o.mergeEqual, "merge-equal", false, "merge what needs no comparing, as one step of undo")
	mergeModelFlags(cmd, &o.model)
	cmd.Flags().BoolVar(&o.json, "json", false, "one JSON object a line")
	return cmd
}

func duplicates(ctx context.Context, a *app, o duplicatesOptions) error {
	c, ls, err := comparableIn(ctx, a, o.project)
	if err != nil {
		return err
	}
	rule := match.Rule(o.rule)
	groups, err := c.Duplicates(ctx, ls, rule)
	if err != nil {
		return err
	}
	found := slices.SortedStableFunc(groups, func(a, b curate.Group) int {
		return cmp.Or(cmp.Compare(b.Similarity, a.Similarity), cmp.Compare(len(b.Lessons), len(a.Lessons)))
	})
	switch {
	case o.limit >= 0:
	case o.model.name != "":
		o.limit = mostAsked
	case a.Terminals.Out && !o.json:
		o.limit = screenful
	}
	out := render.Repeated{Rule: rule, Compared: ls, Total: len(found)}
	if o.limit > 0 {
		found = found[:min(o.limit, len(found))]
	}
	for _, g := range found {
		out.Groups = append(out.Groups, render.NewGroup(g))
	}
	if o.model.name == "" {
		return a.Give(out.Answer(), o.json)
	}
	p, err := agreedAsker(ctx, a, o.model)
	if err != nil {
		return err
	}
	out.Asked = true
	err = oneTexts(ctx, a, p, out.Groups)
	return errors.Join(a.Give(out.Answer(), o.json), err)
}

// comparableIn reads what can be a duplicate of something, of all projects or what
// holds in one.
func comparableIn(ctx context.Context, a *app, project string) (*curate.Corpus, []lessons.Outline, error) {
	c, err := a.curated()
	if err != nil {
		return nil, nil, err
	}
	if project != "" {
		conf, err := a.configuration()
		if err != nil {
			return nil, nil, err
		}
		project = conf.Canonical(project)
	}
	ls, err := c.Comparable(ctx, project)
	return c, ls, err
}

// mergeEqual merges the lessons that nobody needs to compare, as one step of undo.
func mergeEqual(ctx context.Context, a *app, o duplicatesOptions) error {
	c, err := a.decider("merge them")
	if err != nil {
		return err
	}
	_, ls, err := comparableIn(ctx, a, o.project)
	if err != nil {
		return err
	}
	survivors, merged, left, err := c.MergeEqual(ls)
	render.WarnLeft(a.Console, left)
	if err != nil {
		return err
	}
	a.follow(ctx)
	if o.json {
		return a.Give(render.Shelf{Lessons: survivors}, true)
	}
	for _, l := range survivors {
		a.Say("merged into %s (%s)  %s", l.ID, l.Status, l.Title(80))
	}
	a.Note("merged %s into %d; `learnings undo` undoes that", term.Plural(merged, "lesson"), len(survivors))
	return nil
}
