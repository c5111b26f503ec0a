package main

import (
	"context"
	"fmt"
	"slices"

	"learnings/index"
	"learnings/lessons"
	"learnings/lessons/stance"
)

// This file finds the lessons that contradict those at hand, for the verbs that
// decide on one. It is a help: what fails in it is not worth failing for.

const (
	// alike is how many of the lessons that a search finds are compared.
	alike = 100
	// severalAt is from how many lessons on it is quicker to read all of them.
	severalAt = 20
)

// opposites are the lessons that contradict each of those given, and count.
func (a *app) opposites(ctx context.Context, ls ...lessons.Lesson) map[lessons.ID][]stance.Contrary {
	out := map[lessons.ID][]stance.Contrary{}
	var all *stance.Corpus
	if len(ls) >= severalAt {
		found, err := a.counting(ctx, "")
		if err != nil {
			return out
		}
		all = stance.NewCorpus(slices.Values(found))
	}
	for _, l := range ls {
		if l.Status != lessons.Pending && l.Status != lessons.Approved {
			continue
		}
		var against []stance.Contrary
		if all != nil {
			against = all.Of(l)
		} else {
			against = stance.NewCorpus(slices.Values(a.near(ctx, l))).Of(l)
		}
		if len(against) > 0 {
			out[l.ID] = against
		}
	}
	return out
}

// near are the lessons that count and share words with one, or that exclude it.
func (a *app) near(ctx context.Context, l lessons.Lesson) []lessons.Lesson {
	q := counted(index.Text(stance.LookFor(l)))
	q.Sort, q.Limit, q.Now = index.Relevance, alike, a.now()
	if !l.Scope.Global {
		q = q.Where(index.For, l.Scope.Project)
	}
	page, err := ask(ctx, a, func(ctx context.Context, x *index.Index) (index.Page, error) { return x.Search(ctx, q) })
	if err != nil {
		return nil
	}
	return lessonsOf(page)
}

func lessonsOf(page index.Page) []lessons.Lesson {
	out := make([]lessons.Lesson, 0, len(page.Hits))
	for _, h := range page.Hits {
		out = append(out, h.Lesson)
	}
	return out
}

// counting reads the lessons that count of a project and those for every project,
// or all.
func (a *app) counting(ctx context.Context, project string) ([]lessons.Lesson, error) {
	q := counted(index.Query{Now: a.now()})
	if project != "" {
		q = q.Where(index.For, project)
	}
	found, err := ask(ctx, a, func(ctx context.Context, x *index.Index) (shelf, error) { return readShelf(ctx, x, q, 0) })
	return found.lessons, err
}

func counted(q index.Query) index.Query {
	return q.Where(index.Status, string(lessons.Approved)).Where(index.Status, string(lessons.Pending))
}

// settling is what to type about a lesson and one that contradicts it: what the
// order proposes.
func settling(l, o lessons.Lesson) (keep, lose lessons.Lesson, why string) {
	first, why := stance.Prefer(l, o)
	if first {
		return l, o, why
	}
	return o, l, why
}

func resolving(keep, lose lessons.Lesson) string {
	return fmt.Sprintf("learnings resolve %s %s", keep.ID, lose.ID)
}

// warnOpposed tells, of lessons that were just made active, what contradicts them
// and how to settle it. The decision stands: a person made it.
func (a *app) warnOpposed(ctx context.Context, ls []lessons.Lesson) {
	against := a.opposites(ctx, ls...)
	told := map[[2]lessons.ID]bool{}
	for _, l := range ls {
		for _, o := range against[l.ID] {
			pair := [2]lessons.ID{min(l.ID, o.Lesson.ID), max(l.ID, o.Lesson.ID)}
			if told[pair] {
				continue
			}
			told[pair] = true
			keep, lose, why := settling(l, o.Lesson)
			a.Warn("%s contradicts %s (%s), %q: %s", l.ID, o.Lesson.ID, o.Lesson.Status, o.Lesson.Title(80), o.Contradiction.Why)
			a.Warn("  type `%s` (%s is %s), or `learnings resolve %s %s --both \"when each holds\"`", resolving(keep, lose), keep.ID, why, l.ID, o.Lesson.ID)
		}
	}
}
