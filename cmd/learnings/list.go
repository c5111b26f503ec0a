package main

import (
	"context"
	"errors"
	"slices"

	"learnings/cmd/internal/term"
	"learnings/cmd/internal/view"
	"learnings/index"
	"learnings/lessons"
	"learnings/lessons/file"
)

// tell prints what was done to which lessons.
func (a *app) tell(done string, ls []lessons.Lesson, asJSON bool) error {
	if asJSON {
		return a.Give(view.Shelf{Lessons: ls}, true)
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

// eachLesson calls do with every lesson of the corpus, read from the files. It
// warns of a file that cannot be read, counts it and goes on.
func (a *app) eachLesson(ctx context.Context, do func(lessons.Lesson)) (broken int, err error) {
	s, err := a.corpus()
	if err != nil {
		return 0, err
	}
	for l, err := range s.All() {
		switch {
		case ctx.Err() != nil:
			return broken, ctx.Err()
		case errors.As(err, new(*file.Error)):
			a.Warn("%v", err)
			broken++
		case err != nil:
			return broken, err
		default:
			do(l)
		}
	}
	return broken, nil
}

// rereadLessons takes lessons from their files, whole: an index leaves out the turns
// around the evidence. One that is gone by now is left out.
func rereadLessons(a *app, ls []lessons.Lesson) ([]lessons.Lesson, error) {
	s, err := a.corpus()
	if err != nil {
		return nil, err
	}
	out := make([]lessons.Lesson, 0, len(ls))
	for _, l := range ls {
		l, err := s.Get(l.ID)
		switch {
		case errors.Is(err, lessons.ErrNotFound):
			continue
		case errors.As(err, new(*file.Error)):
			a.Warn("%v", err)
			continue
		case err != nil:
			return nil, err
		}
		out = append(out, l)
	}
	return out, nil
}
