package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/process"
	"learnings/cmd/internal/term"
	"learnings/cmd/internal/view"
	"learnings/index/curate"
	"learnings/lessons"
	"learnings/lessons/stance"
)

type contradictionsOptions struct {
	project string
	json    bool
}

func newContradictions(a *app) *cobra.Command {
	var o contradictionsOptions
	cmd := &cobra.Command{
		Use: "contradictions", Short: "List the lessons that contradict each other",
		Long: "Contradictions lists pairs of pending and approved lessons in which one speaks\n" +
			"against what the other asks for, or that ask for things that exclude each\n" +
			"other. The one proposed to be kept comes first: a pinned one, then a person's\n" +
			"own words, the newer, the better proven. It changes nothing; `learnings resolve`\n" +
			"settles a pair. Until then a session is given the first of them alone.",
		Example: "  learnings contradictions --project shop\n  learnings contradictions --json",
		Args:    nargs(0, 0, ""),
		RunE:    func(cmd *cobra.Command, _ []string) error { return contradictions(cmd.Context(), a, o) },
	}
	cmd.Flags().StringVar(&o.project, "project", "", "of this project and those for every project only")
	cmd.Flags().BoolVar(&o.json, "json", false, "one JSON object a line: keep, lose, why, and what to type")
	return cmd
}

func contradictions(ctx context.Context, a *app, o contradictionsOptions) error {
	conf, err := a.configuration()
	if err != nil {
		return err
	}
	c, err := a.curated()
	if err != nil {
		return err
	}
	process.Brief()
	pairs, err := c.Contradictions(ctx, conf.Canonical(o.project))
	if err != nil {
		return err
	}
	list := contradictionList(pairs)
	return a.Give(term.List[stance.Pair]{Items: list, Page: list.show, Cells: contradictionCells, Object: contradictionObject}, o.json)
}

// A contradictionList is the contradictions of a corpus.
type contradictionList []stance.Pair

func (ps contradictionList) show(p *term.Page) {
	if len(ps) == 0 {
		p.Line("nothing: no two lessons are found to contradict each other")
		return
	}
	for i, c := range ps {
		p.Strong("%d. %s", i+1, c.Contradiction.Ground)
		p.Text("   ", c.Contradiction.Why)
		for _, side := range []struct {
			word   string
			lesson lessons.Lesson
		}{{"keep", c.Keep}, {"lose", c.Lose}} {
			l := side.lesson
			p.Line("   %s  %s  %s · %s", side.word, l.ID, l.Status, view.Scope(l.Scope))
			p.Text("         ", l.Content)
		}
		p.Line("   %s    (it is %s)", view.Resolving(curate.Settlement{Keep: c.Keep, Lose: c.Lose}), c.Order)
		fmt.Fprintln(p.W)
	}
	p.Line("**Total:** %s. To keep both: learnings resolve A B --both \"when each holds\"", term.Plural(len(ps), "contradiction"))
}

func contradictionCells(c stance.Pair) []string {
	return []string{string(c.Keep.ID), string(c.Lose.ID), string(c.Contradiction.Ground), c.Contradiction.Why, c.Order,
		view.Resolving(curate.Settlement{Keep: c.Keep, Lose: c.Lose}), c.Keep.Content, c.Lose.Content}
}

func contradictionObject(c stance.Pair) any {
	type object struct {
		Keep     lessons.Record `json:"keep"`
		Lose     lessons.Record `json:"lose"`
		Ground   stance.Ground  `json:"ground"`
		Why      string         `json:"why"`
		KeepSays string         `json:"keep_says"` // the words that contradict the others
		LoseSays string         `json:"lose_says"`
		Order    string         `json:"order"` // why that one is to be kept
		Type     string         `json:"type"`
	}
	return object{c.Keep.Record(), c.Lose.Record(), c.Contradiction.Ground, c.Contradiction.Why,
		c.Contradiction.A.Text, c.Contradiction.B.Text, c.Order, view.Resolving(curate.Settlement{Keep: c.Keep, Lose: c.Lose})}
}
