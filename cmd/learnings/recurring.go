package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/render"
	"learnings/cmd/internal/term"
	"learnings/extractor/past"
	"learnings/extractor/redact"
	"learnings/extractor/transcript"
	"learnings/lessons"
	"learnings/lessons/store"
)

type recurringOptions struct {
	from    []string
	project string
	min     int
	limit   int
	propose string
	json    bool
}

func newRecurring(a *app) *cobra.Command {
	o := recurringOptions{limit: -1}
	cmd := &cobra.Command{
		Use: "recurring", Short: "List the mistakes that agents make again and again",
		Long: "Recurring reads the transcripts and groups the errors of tools: those that are\n" +
			"the same but for times, ids, folders and numbers, then those that read alike. It\n" +
			"lists those that were met in several sessions, with the lesson that there is for\n" +
			"each, and stores nothing.\n\n" +
			"With --propose, a group becomes one proposal with what it was seen in, for you\n" +
			"to say what avoids it.",
		Example: "  learnings check recurring\n  learnings check recurring --project octofs --min 3\n  learnings check recurring --propose 1",
		Args:    nargs(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.limit < 0 && a.Terminals.Out && !o.json {
				o.limit = 20
			}
			return recurring(cmd.Context(), a, o)
		},
	}
	fromFlag(cmd, &o.from)
	cmd.Flags().StringVar(&o.project, "project", "", "of this project only")
	cmd.Flags().IntVar(&o.min, "min", 2, "in so many sessions at least")
	cmd.Flags().IntVarP(&o.limit, "limit", "n", -1, "at most so many; 0 for all (default: 20 on a terminal, else all)")
	cmd.Flags().StringVar(&o.propose, "propose", "", "make a proposal of the group with this number or id")
	cmd.Flags().BoolVar(&o.json, "json", false, "one JSON object a line")
	return cmd
}

func recurring(ctx context.Context, a *app, o recurringOptions) error {
	if o.min < 1 {
		return term.Usagef("--min is at least 1")
	}
	redactor := redact.New()
	c, err := a.configuration()
	if err != nil {
		return err
	}
	of, err := a.past()
	if err != nil {
		return err
	}
	files, failed, err := everyTranscript(a, o.from)
	if err != nil {
		return err
	}
	bar := a.NewBar(a.now)
	defer bar.Clear()
	p := begun(files)
	found, err := past.Find(ctx, files, of, past.Search{
		Project: c.Canonical(o.project), Least: o.min,
		Done: func(f transcript.File, n int, err error) {
			p.Path, p.Done, p.Read, p.Lessons = f.Path, p.Done+1, p.Read+f.Size, p.Lessons+n
			showProgress(bar, p, "error")
			if err != nil {
				a.Warn("%v", err)
				failed++
			}
		},
	})
	bar.Clear()
	if err != nil {
		return err
	}
	list := render.Mistakes{All: make([]render.Mistake, len(found))}
	for i, m := range found {
		list.All[i] = render.Mistake{N: i + 1, Mistake: m}
	}
	if o.propose != "" {
		m, err := list.Pick(o.propose)
		if err != nil {
			return err
		}
		return proposeMistake(ctx, a, m, redactor, o.json)
	}
	if list.Total = len(list.All); o.limit > 0 && o.limit < list.Total {
		list.All = list.All[:o.limit]
	}
	if err := lookUpLessons(ctx, a, list.All); err != nil {
		return err
	}
	if err := a.Give(list.Answer(), o.json); err != nil {
		return err
	}
	if failed > 0 {
		return fmt.Errorf("%s could not be read", term.Plural(failed, "place"))
	}
	return nil
}

// everyTranscript finds all transcripts. What cannot be read is said and counted.
func everyTranscript(a *app, from []string) ([]transcript.File, int, error) {
	marks, err := a.marks()
	if err != nil {
		return nil, 0, err
	}
	return chosenFiles(a, extractOptions{from: from}, marks)
}

// lookUpLessons finds the lessons that there are for mistakes.
func lookUpLessons(ctx context.Context, a *app, all []render.Mistake) error {
	s, x, err := a.both()
	if err != nil {
		return err
	}
	if _, err := a.library.Sync(ctx); err != nil && ctx.Err() == nil {
		a.Warn("lessons of the last minutes may be missing: %v", err)
	}
	for i := range all {
		if all[i].About, err = all[i].Lesson(ctx, s.Get, x); err != nil {
			return err
		}
	}
	return nil
}

// proposeMistake makes one proposal of a mistake.
func proposeMistake(ctx context.Context, a *app, m past.Mistake, redactor *redact.Redactor, asJSON bool) error {
	who := a.agent()
	if who == "" {
		var err error
		if who, err = a.me(); err != nil {
			return err
		}
	}
	s, err := a.corpus()
	if err != nil {
		return err
	}
	one := []render.Mistake{{Mistake: m}}
	if err := lookUpLessons(ctx, a, one); err != nil {
		return err
	}
	if old := one[0].About; old != nil && (old.ID == m.ID || m.Cure.IsLesson(*old)) {
		return term.Hint(fmt.Errorf("%w: it is a lesson already: %s is %s", lessons.ErrConflict, old.ID, old.Status), "`learnings show %s` shows it", old.ID)
	}
	c, err := a.configuration()
	if err != nil {
		return err
	}
	l := redactor.Lesson(m.Proposal(c.Role.Value, a.now()))
	ls, err := s.Put(store.Write{Op: lessons.OpPropose, By: who, Undoable: true, Why: "of a recurring mistake"}, l)
	if err != nil {
		return err
	}
	a.follow(ctx)
	return a.tell("proposed", ls, asJSON)
}
