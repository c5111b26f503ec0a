package main

import (
	"context"
	"slices"

	"learnings/cmd/internal/render"
	"learnings/cmd/internal/term"
	"learnings/index"
	"learnings/lessons"
)

// tell prints what was done to which lessons.
func (a *app) tell(done string, ls []lessons.Lesson, asJSON bool) error {
	if asJSON {
		return a.objects(ls)
	}
	for _, l := range ls {
		a.Say("%s %s  %s", done, l.ID, l.Title(80))
	}
	return nil
}

// screenful is how many lessons a terminal gets when nothing else is said.
const screenful = 50

// chosen narrows a query by what --status and --project say. The status "all" and
// the project "" are no condition.
func (a *app) chosen(q index.Query, status, project string) (index.Query, error) {
	switch {
	case status == "all":
	case slices.Contains(lessons.Statuses, lessons.Status(status)):
		q = q.Where(index.Status, status)
	default:
		return q, term.Hint(term.Usagef("there is no status %q", status), "pending, approved, rejected, merged, archived or all")
	}
	if project == "" {
		return q, nil
	}
	c, err := a.configuration()
	return q.Where(index.Project, c.Canonical(project)), err
}

// eachLesson calls do with every lesson of the corpus, as [curate.Library.Each] does.
func (a *app) eachLesson(ctx context.Context, do func(lessons.Lesson)) error {
	c, err := a.curated()
	if err != nil {
		return err
	}
	return c.Each(ctx, do)
}

// objects prints lessons as one JSON object a line.
func (a *app) objects(ls []lessons.Lesson) error { return a.Give(render.Shelf{Lessons: ls}, true) }
