package main

import (
	"context"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/render"
	"learnings/index"
	"learnings/index/insights"
	"learnings/lessons"
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
		Use: "stats [KIND]", Short: "Count the lessons, and measure whether they help",
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
	cmd.AddCommand(newOutcomes(a), newBacktest(a), newModels(a), newProjects(a))
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
	sum := render.Summary{Pause: now}
	if sum.Stats, err = ask(ctx, a, func(ctx context.Context, x *index.Index) (*index.Stats, error) { return x.Stats(ctx, project, a.now()) }); err != nil {
		return err
	}
	source, err := counted(a)
	if err != nil {
		return err
	}
	f, err := source.Count(ctx, project, a.now())
	if err != nil {
		return err
	}
	sum.Success = render.Success{Measures: f.Success, Mistakes: f.Mistakes}
	if o.success {
		return a.Give(sum.Success, o.json)
	}
	sum.Broken = len(a.store.Broken()) + len(a.store.Odd())
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

// counted is where figures of the corpus are counted from.
func counted(a *app) (insights.Source, error) {
	c, err := a.configuration()
	if err != nil {
		return insights.Source{}, err
	}
	s, x, err := a.both()
	return insights.Source{
		State: a.places.State, Project: a.project, Excluded: a.exclusion(c).Func(), Journal: s.Journal,
		Lessons: func(ctx context.Context, do func(lessons.Lesson)) error {
			return x.Each(ctx, index.Query{Now: a.now()}, do)
		},
	}, err
}
