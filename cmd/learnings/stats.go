package main

import (
	"context"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/stats"
	"learnings/cmd/internal/term"
	"learnings/extractor/past"
	"learnings/index"
)

type statsOptions struct {
	project    string
	extraction bool
	success    bool
	json       bool
}

func newStats(a *app) *cobra.Command {
	var o statsOptions
	cmd := &cobra.Command{
		Use: "stats", Short: "Count the lessons",
		Long: "Stats counts the lessons, what came of them, and says in numbers whether they help:\n" +
			"how many sessions are given lessons, and lessons that fit, what is said of them, how\n" +
			"the corpus grows, how agents work (files read for each edit, spinning, blind edits,\n" +
			"explorations), which of their errors come back, and how long it takes until there is\n" +
			"a lesson about one. What it does not know it says: nothing is zero for lack of data.\n" +
			"It reads no transcript; `learnings sessions` and `learnings extract` keep what was\n" +
			"done in sessions. With --success each number comes with how it is computed.\n\n" +
			"With --extraction it says how right proposals were lately: of those that you\n" +
			"decided on, by lane, by what they were proposed for and by agent, with what the\n" +
			"confidence had said of them, and what was learned from that: by how much\n" +
			"confidences are moved, and which habits in rejecting move proposals to maybe.",
		Args: nargs(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.extraction {
				return grade(cmd.Context(), a, o)
			}
			return tellStats(cmd.Context(), a, o)
		},
	}
	cmd.Flags().StringVar(&o.project, "project", "", "of this project only")
	cmd.Flags().BoolVar(&o.extraction, "extraction", false, "how right proposals were lately, and what was learned from your decisions")
	cmd.Flags().BoolVar(&o.success, "success", false, "whether lessons help: each measure with how it is computed, and the mistakes that come back")
	takeStyle(cmd)
	cmd.Flags().BoolVar(&o.json, "json", false, "one JSON object a line: one of totals, then one for each category")
	return cmd
}

// tellStats counts the lessons, and measures whether they help.
func tellStats(ctx context.Context, a *app, o statsOptions) error {
	c, err := a.configuration()
	if err != nil {
		return err
	}
	project := c.Canonical(o.project)
	now, err := listening(a)
	if err != nil {
		return err
	}
	sum := stats.Summary{Paused: now.Paused, Pause: []string{term.Stamp(now.From), term.Stamp(now.Until)}, Says: now.String(), Object: now.Object()}
	if sum.Stats, err = ask(ctx, a, func(ctx context.Context, x *index.Index) (*index.Stats, error) { return x.Stats(ctx, project, a.now()) }); err != nil {
		return err
	}
	kept, err := past.Open(a.places.State)
	if err != nil {
		a.Warn("%v", err)
	}
	s, x, err := a.both()
	if err != nil {
		return err
	}
	from := stats.Source{State: a.places.State, Project: project, Index: x, Now: a.now(), Rows: kept.Rows(past.Options{Project: a.project, Excluded: a.exclusion(c).Func()})}
	if sum.Success, err = from.Measure(ctx, sum.Stats); err != nil {
		return err
	}
	if o.success {
		return a.Give(sum.Success, o.json)
	}
	sum.Broken = len(s.Broken()) + len(s.Odd())
	marks, err := a.marks()
	if err != nil {
		return err
	}
	for dir, w := range marks.Work() {
		if o.project == "" || dir != "" && a.project(dir) == project {
			sum.Work = sum.Work.Plus(w)
		}
	}
	return a.Give(&sum, o.json)
}
