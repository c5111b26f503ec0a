package main

import (
	"context"

	"learnings/cmd/internal/render"
	"learnings/lessons"
	"learnings/lessons/calibrate"
)

// grade says how right proposals were, and what was learned from the decisions.
func grade(ctx context.Context, a *app, o statsOptions) error {
	c, err := a.configuration()
	if err != nil {
		return err
	}
	var judged []calibrate.Judged
	if err = a.eachLesson(ctx, func(l lessons.Lesson) {
		if j, ok := calibrate.Of(l); ok && (o.project == "" || l.Scope.Project == c.Canonical(o.project)) {
			judged = append(judged, j)
		}
	}); err != nil {
		return err
	}
	off := c.Learning.NotLearned.Value
	return a.Give(render.Grades{Judged: calibrate.Latest(judged), Learned: calibrate.Fit(judged, off), Off: off}, o.json)
}
