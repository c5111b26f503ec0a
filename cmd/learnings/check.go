package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/process"
	"learnings/cmd/internal/render"
	"learnings/cmd/internal/term"
	"learnings/extractor/past"
	"learnings/extractor/redact"
	"learnings/extractor/transcript"
	"learnings/index"
	"learnings/index/curate"
	"learnings/index/recall"
	"learnings/lessons"
	"learnings/lessons/store"
)

func newCheck(a *app) *cobra.Command {
	v := a.verb("check", needsCorpus, countArgs(0, 0, ""))
	project := v.project()
	v.json(a, "one JSON object a line")
	v.Cmd.AddCommand(newContradictions(a), newDuplicates(a), newStale(a), newLint(a), newRecurring(a))
	// Not recurring mistakes, which are found in transcripts.
	return v.Run(func(ctx context.Context, _ []string) error {
		project := a.conf.Canonical(*project)
		pairs, err := a.corpus.Contradictions(ctx, project)
		if err != nil {
			return err
		}
		same, err := render.Duplicates(ctx, a.corpus, project, render.UsualRule)
		if err != nil {
			return err
		}
		doubts, err := ask(ctx, a, func(ctx context.Context, x *index.Index) (curate.Doubts, error) {
			return a.doubts(ctx, x, project, staleWithin, nil)
		})
		if err != nil {
			return err
		}
		worded, err := linted(ctx, a, "", project)
		if err != nil {
			return err
		}
		return a.Give(render.Checks([]render.Check{
			{Kind: "contradictions", Count: len(pairs), Says: "pairs of lessons that say opposite things"},
			{Kind: "duplicates", Count: len(same.Groups), Says: "groups of lessons that say the same"},
			{Kind: "stale", Count: len(doubts), Says: "active lessons to look at again"},
			{Kind: "lint", Count: len(worded.Found), Says: "lessons whose wording could be better"},
		}))
	})
}

func newContradictions(a *app) *cobra.Command {
	v := a.verb("check contradictions", needsCorpus, countArgs(0, 0, ""))
	project := v.String("project", "", "of this project and those for every project only")
	v.json(a, "one JSON object a line: keep, lose, why, and what to type")
	return v.Run(func(ctx context.Context, _ []string) error {
		process.Frugal()
		found, err := a.corpus.Contradictions(ctx, a.conf.Canonical(*project))
		if err != nil {
			return err
		}
		return a.Give(render.Contradictions(found))
	})
}

// mostReadings is how many candidates are shown for one lesson.
const mostReadings = 5

func newDuplicates(a *app) *cobra.Command {
	v := a.verb("check duplicates", needsCorpus, countArgs(0, 1, ""))
	project := v.String("project", "", "what holds in this project only")
	rule := v.String("rule", render.UsualRule, "equal, jaccard, paraphrase or related")
	limit := v.limit("at most so many groups; 0 for all (default: 50 on a terminal, else all)")
	equal := v.Bool("merge-equal", false, "merge what needs no comparing, as one step of undo")
	v.json(a, "one JSON object a line")
	return v.Run(func(ctx context.Context, args []string) error {
		switch {
		case len(args) > 0 && *equal:
			return term.Usagef("--merge-equal is for all duplicates; name no id")
		case len(args) > 0:
			return rewordings(ctx, a, args[0], cmp.Or(max(*limit, 0), mostReadings))
		case *equal:
			return mergeEqual(ctx, a, a.conf.Canonical(*project))
		}
		found, err := render.Duplicates(ctx, a.corpus, a.conf.Canonical(*project), *rule)
		if err != nil {
			return err
		}
		found.Groups = cut(found.Groups, a.atMost(*limit, screenful))
		return a.Give(found.Answer())
	})
}

// rewordings lists the lessons most likely to say the same as one in other words. It
// applies no threshold: only a person can tell.
func rewordings(ctx context.Context, a *app, word string, most int) error {
	named, err := a.named(word)
	if err != nil {
		return err
	}
	found, err := a.corpus.Rewordings(ctx, named[0], most)
	if err != nil {
		return err
	}
	return a.Give(render.Readings(named[0], found))
}

// staleWithin is how long a check searches the tree of a project.
const staleWithin = time.Minute

func newStale(a *app) *cobra.Command {
	v := a.verb("check stale", needsCorpus, countArgs(0, 0, ""))
	project := v.project()
	v.json(a, "one JSON object a line")
	return v.Run(func(ctx context.Context, _ []string) error {
		book, err := render.OpenBook(a.places.State, a.now())
		if err != nil {
			return err
		}
		ds, err := ask(ctx, a, func(ctx context.Context, x *index.Index) (curate.Doubts, error) {
			return a.doubts(ctx, x, a.conf.Canonical(*project), staleWithin, func(l lessons.Lesson) []lessons.Doubt {
				return book.Of(l, nil, time.Time{}).Effect(recall.Choice{Lesson: l}.Tokens()).Doubts()
			})
		})
		for i := 0; err == nil && a.JSON && i < len(ds); i++ {
			ds[i].Lesson, err = a.whole(ds[i].Lesson)
		}
		if err != nil {
			return err
		}
		return a.Give(render.Doubts(ds))
	})
}

// tree returns the working tree of a project if the current folder is in it, else nil.
func (a *app) tree(project string) *recall.Tree { return a.treeWithin(project, 2*time.Second) }

func (a *app) treeWithin(project string, limit time.Duration) *recall.Tree {
	if a.cwd == "" || project == "" || a.sample || a.project(a.cwd) != project {
		return nil
	}
	return recall.TreeOf(a.cwd, a.places.State, limit)
}

// missing returns the names in a lesson that its project no longer has.
func (a *app) missing(l lessons.Lesson) (names []string) {
	t := a.tree(l.Scope.Project)
	defer t.Close()
	for _, c := range t.Missing(l) {
		names = append(names, c.String())
	}
	return names
}

// outdated returns the names in a lesson that the project's tree no longer has, and since
// when; nil if it has all.
func outdated(ctx context.Context, t *recall.Tree, l lessons.Lesson) []lessons.Doubt {
	if l.Status != lessons.Approved || ctx.Err() != nil {
		return nil
	}
	missing := t.Missing(l)
	if len(missing) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	return []lessons.Doubt{{Concern: lessons.Outdated, Says: t.Doubt(ctx, missing)}}
}

// doubts returns the approved lessons of a project, or of all for "", that a person
// should look at again, outdated ones included. A name not searched for within limit
// counts as found until the next call; the search goes on. The last argument adds reasons
// and may be nil.
func (a *app) doubts(ctx context.Context, x *index.Index, project string, limit time.Duration, more func(lessons.Lesson) []lessons.Doubt) (curate.Doubts, error) {
	here := a.project(a.cwd)
	t := a.treeWithin(here, limit)
	defer t.Close()
	known := map[lessons.ID][]lessons.Doubt{}
	return curate.LookAgain(ctx, x, project, a.now(), func(l lessons.Lesson) []lessons.Doubt {
		says, ok := known[l.ID]
		if ok {
			return says
		}
		if l.Scope.Project == here {
			says = outdated(ctx, t, l)
		}
		if more != nil {
			says = append(says, more(l)...)
		}
		known[l.ID] = says
		return says
	})
}

func newLint(a *app) *cobra.Command {
	v := a.verb("check lint", needsCorpus, nil)
	status := v.String("status", "", statusNames+" (default: pending and approved)")
	project := v.project()
	strict := v.Bool("strict", false, "exit with 1 when something is found, for scripts")
	v.json(a, "one JSON object a lesson with findings")
	return v.Run(func(ctx context.Context, args []string) (err error) {
		var out render.Linted
		switch {
		case len(args) == 0:
			out, err = linted(ctx, a, *status, *project)
		case *status != "" || *project != "":
			err = term.Usagef("lint: name lessons, or choose them by --status and --project, not both")
		default:
			var ls []lessons.Lesson
			ls, err = a.named(args...)
			for _, l := range ls {
				out.Note(l, lessons.Lint(l))
			}
		}
		if err == nil {
			err = a.Give(out.Answer())
		}
		if err == nil && *strict && len(out.Found) > 0 {
			err = errors.New(out.String())
		}
		return err
	})
}

// linted checks the wording of lessons with a status in a project, newest first. An empty
// status means pending and approved.
func linted(ctx context.Context, a *app, status, project string) (render.Linted, error) {
	q := index.Query{Now: a.now()}
	if status == "" {
		q, status = curate.WhatCounts(q), "all"
	}
	q, err := a.chosen(q, status, project)
	if err != nil {
		return render.Linted{}, err
	}
	return ask(ctx, a, func(ctx context.Context, x *index.Index) (render.Linted, error) {
		var out render.Linted
		err := x.Each(ctx, q, func(l lessons.Lesson) { out.Note(l, lessons.Lint(l)) })
		out.Sort()
		return out, err
	})
}

func newRecurring(a *app) *cobra.Command {
	v := a.verb("check recurring", needsCorpus, countArgs(0, 0, ""))
	from, project := v.from(), v.project()
	least := v.Int("min", 2, "in so many sessions at least")
	limit := v.limit("at most so many; 0 for all (default: 20 on a terminal, else all)")
	wanted := v.String("propose", "", "make a proposal of the group with this number or id")
	v.json(a, "one JSON object a line")
	return v.Run(func(ctx context.Context, _ []string) error {
		if *least < 1 {
			return term.Usagef("--min is at least 1")
		}
		list, failed, err := recurring(ctx, a, *from, past.Search{Project: a.conf.Canonical(*project), Least: *least})
		if err != nil {
			return err
		}
		if *wanted != "" {
			m, err := list.Pick(*wanted)
			if err != nil {
				return err
			}
			return proposeMistake(ctx, a, m)
		}
		list.Total, list.All = len(list.All), cut(list.All, a.atMost(*limit, 20))
		if err := lookUpLessons(ctx, a, list.All); err != nil {
			return err
		}
		if err := a.Give(list.Answer()); err != nil {
			return err
		}
		if failed > 0 {
			return fmt.Errorf("%s could not be read", term.Plural(failed, "place"))
		}
		return nil
	})
}

// recurring finds mistakes that occur in several sessions, and counts unreadable files.
func recurring(ctx context.Context, a *app, from []string, s past.Search) (list render.Mistakes, failed int, err error) {
	of, err := a.past()
	if err != nil {
		return list, 0, err
	}
	files, failed, err := everyTranscript(a, from)
	if err != nil {
		return list, 0, err
	}
	step, done := a.progress(files, "error")
	defer done()
	s.Done = func(f transcript.File, n int, err error) {
		if step(f, n); err != nil {
			a.Warn("%v", err)
			failed++
		}
	}
	found, err := past.Find(ctx, files, of, s)
	for i, m := range found {
		list.All = append(list.All, render.Mistake{N: i + 1, Mistake: m})
	}
	return list, failed, err
}

// lookUpLessons finds the existing lessons for mistakes.
func lookUpLessons(ctx context.Context, a *app, all []render.Mistake) (err error) {
	c := a.corpus
	if _, err := c.Sync(ctx); err != nil && ctx.Err() == nil {
		a.Warn("lessons of the last minutes may be missing: %v", err)
	}
	for i := range all {
		if all[i].About, err = all[i].Lesson(ctx, c.Store.Get, c.Index); err != nil {
			return err
		}
	}
	return nil
}

// proposeMistake proposes a lesson from one mistake.
func proposeMistake(ctx context.Context, a *app, m past.Mistake) (err error) {
	who := a.corpus.Agent
	if who == "" {
		if who, err = a.me(); err != nil {
			return err
		}
	}
	one := []render.Mistake{{Mistake: m}}
	if err := lookUpLessons(ctx, a, one); err != nil {
		return err
	}
	if old := one[0].About; old != nil && (old.ID == m.ID || m.Cure.IsLesson(*old)) {
		return term.Hint(fmt.Errorf("%w: it is a lesson already: %s is %s", lessons.ErrConflict, old.ID, old.Status), "`learnings show %s` shows it", old.ID)
	}
	l := redact.New().Lesson(m.Proposal(a.conf.Role.Value, a.now()))
	ls, err := a.corpus.Store.Put(store.Write{Op: lessons.OpPropose, By: who, Undoable: true, Why: "of a recurring mistake"}, l)
	if err != nil {
		return err
	}
	a.follow(ctx)
	return a.tell("proposed", ls...)
}
