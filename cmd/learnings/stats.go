package main

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/mcpserver"
	"learnings/cmd/internal/render"
	"learnings/cmd/internal/term"
	"learnings/extractor/past"
	"learnings/extractor/transcript"
	"learnings/index"
	"learnings/index/insights"
	"learnings/lessons"
)

func newStats(a *app) *cobra.Command {
	v := a.verb("stats", needsCorpus, countArgs(0, 0, ""))
	project := v.project()
	extraction := v.Bool("extraction", false, "how right proposals were lately, and what was learned from your decisions")
	success := v.Bool("success", false, "whether lessons help: each measure with how it is computed, and the mistakes that come back")
	v.json(a, "one JSON object a line: one of totals, then one for each category")
	v.Cmd.AddCommand(newOutcomes(a), newBacktest(a), newModels(a), newProjects(a))
	return v.Run(func(ctx context.Context, _ []string) error {
		of := a.conf.Canonical(*project)
		if *extraction {
			g, err := render.Grade(ctx, &a.corpus.Library, of, a.conf.Learning.NotLearned.Value)
			return errors.Join(err, a.Give(g))
		}
		return stats(ctx, a, of, *success)
	})
}

// stats counts the lessons of a project, or all for "", and measures whether they help.
func stats(ctx context.Context, a *app, project string, success bool) error {
	sum, err := ask(ctx, a, func(ctx context.Context, x *index.Index) (*render.Summary, error) {
		f, err := a.figures(x).Count(ctx, insights.Only(project), a.now())
		return &render.Summary{Figures: f}, err
	})
	if err != nil {
		return err
	}
	if success {
		return a.Give(render.Success(sum.Figures))
	}
	asked, err := mcpserver.AskedSoFar(a.places.State)
	if err != nil {
		return err
	}
	sum.Asked, sum.AskedSince = asked.Calls, asked.Since
	if sum.Pause, err = listening(a); err != nil {
		return err
	}
	s := a.corpus.Store
	sum.Broken = len(s.Broken()) + len(s.Odd())
	return a.Give(sum)
}

// figures returns the source of the corpus's figures.
func (a *app) figures(x *index.Index) insights.Source {
	return insights.Source{State: a.places.State, Project: a.project, Excluded: a.exclusion().Func(), Journal: a.corpus.Store.JournalOf,
		Lessons: func(ctx context.Context, do func(lessons.Lesson)) error {
			return x.Each(ctx, index.Query{Now: a.now()}, do)
		}}
}

func newOutcomes(a *app) *cobra.Command {
	v := a.verb("stats outcomes", needsCorpus, countArgs(0, 1, ""))
	from, project := v.from(), v.project()
	read := v.Bool("read", false, "first read the sessions that were not read, or have grown")
	anew := v.Bool("anew", false, "first read all sessions once more")
	v.json(a, "one JSON object a line")
	return v.Run(func(ctx context.Context, args []string) error {
		if *read || *anew || len(*from) > 0 {
			if err := readOutcomes(ctx, a, *from, *anew); err != nil {
				return err
			}
		}
		s := a.corpus.Store
		book, err := render.OpenBook(a.places.State, a.now())
		if err != nil {
			return err
		}
		if len(args) > 0 {
			named, err := a.named(args...)
			if err != nil {
				return err
			}
			x, err := past.OutcomeOf(s, book, named[0])
			return errors.Join(err, a.Give(render.Outcome{About: x, Book: book}))
		}
		of := a.conf.Canonical(*project)
		all, err := past.Outcomes(s, book, func(l lessons.Lesson) bool { return of == "" || l.Scope.Project == of })
		return errors.Join(err, a.Give(render.Outcomes(all, book)))
	})
}

// readOutcomes reads sessions for outcomes of lessons, and shows its progress.
func readOutcomes(ctx context.Context, a *app, from []string, anew bool) error {
	files, _, err := everyTranscript(a, from)
	if err != nil {
		return err
	}
	step, done := a.progress(files, "lesson")
	res, err := count(ctx, a, files, anew, func(f transcript.File) { step(f, 0) })
	if done(); err != nil {
		return err
	}
	for _, err := range res.Failed {
		a.Warn("%v", err)
	}
	a.Note("%s", res)
	return nil
}

// counting returns a reader of outcomes.
func counting(a *app) (*past.OutcomeReader, error) {
	o, err := a.past()
	return &past.OutcomeReader{Options: o, State: a.places.State, Store: a.corpus.Store, Now: a.now}, err
}

// count reads sessions for outcomes of lessons.
func count(ctx context.Context, a *app, files []transcript.File, anew bool, each func(transcript.File)) (res past.OutcomeRun, err error) {
	if len(files) == 0 {
		return res, nil
	}
	t, err := counting(a)
	if err == nil {
		res, err = t.Read(ctx, files, anew, each)
	}
	if res.Moved > 0 {
		a.follow(ctx)
	}
	return res, err
}

func newBacktest(a *app) *cobra.Command {
	v := a.verb("stats backtest", needsCorpus, countArgs(0, 0, ""))
	from := v.from()
	since := v.String("since", "", "only sessions since a day (2026-11-20), a moment, or for so long (36h, 7d)")
	var o past.BacktestOptions
	v.StringVar(&o.Only, "project", "", "of this project only")
	v.BoolVar(&o.AsIf, "as-if-approved", false, "count lessons and proposals for the sessions after those that taught them")
	v.json(a, "one JSON object for each rule")
	return v.Run(func(ctx context.Context, _ []string) (err error) {
		if o.Since, err = term.Since(*since, a.now()); err != nil {
			return err
		}
		files, past, err := pastSessions(a, *from)()
		if err != nil {
			return err
		}
		chosen, err := guards(a.places.State).Chosen()
		if err != nil {
			return err
		}
		o.Options, o.State, o.Only = past, a.places.State, a.conf.Canonical(o.Only)
		o.Role, o.Trust, o.Budget = a.conf.Role.Value, a.conf.TrustEdits.Value, a.budget()
		o.Done = func(_ transcript.File, err error) {
			if err != nil {
				a.Warn("%v", err)
			}
		}
		found, err := ask(ctx, a, func(ctx context.Context, x *index.Index) (render.Backtest, error) {
			return render.Replay(ctx, x, files, chosen, o)
		})
		if err != nil {
			return err
		}
		return a.Give(found)
	})
}

func newProjects(a *app) *cobra.Command {
	v := a.verb("stats projects", needsCorpus, countArgs(0, 0, ""))
	v.json(a, "one JSON object a line")
	return v.Run(func(ctx context.Context, _ []string) error {
		// Include projects whose lessons are all rejected.
		counts, err := ask(ctx, a, func(ctx context.Context, x *index.Index) (map[string]map[lessons.Status]int, error) {
			return x.Projects(ctx)
		})
		if err != nil {
			return err
		}
		var list []render.ProjectCount
		for _, name := range slices.Sorted(maps.Keys(counts)) {
			p := render.ProjectCount{Project: name, Counts: counts[name]}
			for _, n := range p.Counts {
				p.Total += n
			}
			for _, alias := range slices.Sorted(maps.Keys(a.conf.Aliases)) {
				if a.conf.Canonical(alias) == name {
					p.Aliases = append(p.Aliases, alias)
				}
			}
			list = append(list, p)
		}
		return a.Give(render.Projects(list))
	})
}
