package curate

import (
	"context"
	"errors"
	"strings"

	"learnings/lessons"
	"learnings/lessons/file"
)

// Each calls do with every lesson of the store, read from the files. It warns of a
// file that cannot be read, and goes on.
func (c *Library) Each(ctx context.Context, do func(lessons.Lesson)) error {
	for l, err := range c.Store.All() {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.As(err, new(*file.Error)):
			c.warn(err)
		case err != nil:
			return err
		default:
			do(l)
		}
	}
	return nil
}

// Whole takes lessons from their files: an index leaves out the turns around the
// evidence. It leaves out one that is gone by now, and one that cannot be read with a
// warning.
func (c *Library) Whole(ls []lessons.Lesson) ([]lessons.Lesson, error) {
	out := make([]lessons.Lesson, 0, len(ls))
	for _, l := range ls {
		l, err := c.Store.Get(l.ID)
		switch {
		case gone(err):
			continue
		case errors.As(err, new(*file.Error)):
			c.warn(err)
			continue
		case err != nil:
			return nil, err
		}
		out = append(out, l)
	}
	return out, nil
}

// A Step is one write of the journal: what one undo takes back.
type Step struct {
	lessons.Change // the first of them
	Touched        []Touch
}

// A Touch is what a step did to one lesson, as far as a list tells it: a step may have
// 100,000.
type Touch struct {
	ID               lessons.ID
	Was, Status      lessons.Status // "" when it was not there, and when it is gone
	Project, Content string
	Reason           string // of the decision, when the step made it
}

// StepOf gives changes of one write as a step.
func StepOf(changes ...lessons.Change) Step {
	s := Step{Change: changes[0], Touched: make([]Touch, 0, len(changes))}
	for _, ch := range changes {
		s.touch(ch)
	}
	return s
}

func (s *Step) touch(ch lessons.Change) {
	l := ch.Subject()
	// What is copied holds on to no lesson as a whole.
	t := Touch{ID: l.ID, Project: strings.Clone(l.Scope.Project), Content: strings.Clone(l.Content)}
	if ch.Before != nil {
		t.Was = lessons.Status(strings.Clone(string(ch.Before.Status)))
	}
	if ch.After != nil {
		t.Status = lessons.Status(strings.Clone(string(ch.After.Status)))
	}
	if ch.After != nil && (ch.Before == nil || ch.Before.Decided != ch.After.Decided) {
		t.Reason = strings.Clone(ch.After.Decided.Reason)
	}
	s.Touched = append(s.Touched, t)
}

// Steps gives the steps of the journal that have a wanted change, with those changes
// and the newest first: at most so many, or all for 0.
func (c *Library) Steps(most int, wanted func(lessons.Change) bool) ([]Step, error) {
	var steps []Step
	for ch, err := range c.Store.Journal() {
		if err != nil {
			return nil, err
		}
		if !wanted(ch) {
			continue // and look on: the clock may have been put back
		}
		if n := len(steps); n > 0 && steps[n-1].Batch == ch.Batch {
			steps[n-1].touch(ch)
			continue
		}
		if most > 0 && len(steps) == most {
			break
		}
		steps = append(steps, StepOf(ch))
	}
	return steps, nil
}

// End is where the store is now, for [Library.Proposed].
func (c *Library) End(ctx context.Context) (end lessons.Cursor, err error) {
	for ch, err := range c.Store.Since("") {
		switch {
		case ctx.Err() != nil:
			return end, ctx.Err()
		case err != nil:
			return end, err
		}
		end = ch.Cursor
	}
	return end, nil
}

// Proposed gives the proposals that have come since a cursor, whoever made them, and
// where the store is now. When the journal was made anew meanwhile there are none.
func (c *Library) Proposed(ctx context.Context, since lessons.Cursor) (came []lessons.Lesson, end lessons.Cursor, err error) {
	end = since
	for ch, err := range c.Store.Since(since) {
		if errors.Is(err, lessons.ErrCursor) {
			end, err = c.End(ctx)
			return nil, end, err
		} else if err != nil {
			return nil, since, err
		}
		end = ch.Cursor
		// From "", where an empty corpus begins, there are no operations, only lessons.
		proposed := ch.Op == lessons.OpPropose || since == "" && ch.After != nil && ch.After.Status == lessons.Pending
		if proposed && ch.Before == nil && ch.After != nil {
			came = append(came, *ch.After)
		}
	}
	return came, end, nil
}
