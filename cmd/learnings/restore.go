package main

import (
	"context"
	"errors"

	"learnings/cmd/internal/term"
	"learnings/index/curate"
	"learnings/lessons"
)

// restore brings back the text of an earlier version.
func restore(ctx context.Context, a *app, word string, n int, asJSON bool) error {
	c, err := a.decider("restore them")
	if err != nil {
		return err
	}
	l, changed, err := c.Restore(word, n)
	if errors.Is(err, curate.ErrNothing) {
		return term.Hint(err, "`learnings history %s` lists the versions", word)
	} else if err != nil {
		return err
	}
	if !changed {
		a.Say("%s  is as it was in version %d already", l.ID, n)
		return nil
	}
	a.follow(ctx)
	return a.tell("restored", []lessons.Lesson{l}, asJSON)
}
