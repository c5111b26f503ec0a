package main

import (
	"context"
	"errors"

	"learnings/cmd/internal/render"
	"learnings/cmd/internal/term"
	"learnings/index/curate"
	"learnings/lessons"
)

// split takes a merge apart.
func split(ctx context.Context, a *app, words []string, asJSON bool) error {
	c, err := a.decider("split them")
	if err != nil {
		return err
	}
	named, err := a.named(words)
	if err != nil {
		return err
	}
	out, err := c.Split(ctx, named[0], named[1:]...)
	switch {
	case err != nil && out.Into.Status == lessons.Merged:
		return render.Instead(err)
	case errors.As(err, new(*curate.Refused)) && !errors.Is(err, curate.ErrNothing):
		return term.Hint(err, "`learnings history %s` shows what was merged into it", out.Into.ID)
	case err != nil:
		return err
	}
	a.follow(ctx)
	if out.Unknown > 0 {
		a.Warn("the journal of this machine does not know the merge of %s: %s keeps what it took over", term.Plural(out.Unknown, "lesson"), out.Into.ID)
	}
	if asJSON {
		return a.Give(render.Shelf{Lessons: append([]lessons.Lesson{out.Into}, out.Back...)}, true)
	}
	for _, l := range out.Back {
		a.Say("split %s from %s (%s)  %s", l.ID, out.Into.ID, l.Status, l.Title(80))
	}
	return nil
}
