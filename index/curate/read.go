package curate

import (
	"context"
	"errors"
	"strings"

	"learnings/lessons"
	"learnings/lessons/file"
)

// Each calls do with every lesson of the store, read from the files. It skips a file that
// cannot be read, with a warning.
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

// Whole reads lessons from their files, because an index omits the turns around the
// evidence. It skips a lesson that is gone, and one that cannot be read, with a warning.
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

// A Step is one write of the journal, which one undo takes back.
type Step struct {
	lessons.Change // the first change
	Touched        []Touch
}

// A Touch is what a list shows of a step's change to one lesson. It is small because a step
// may have 100,000.
type Touch struct {
	ID               lessons.ID
	Was, Status      lessons.Status // "" if it did not exist before, or is gone
	Project, Content string
	Reason           string // of the decision, if the step made one
}

// StepOf makes a step of the changes of one write.
func StepOf(changes ...lessons.Change) Step {
	s := Step{Change: changes[0], Touched: make([]Touch, 0, len(changes))}
	for _, ch := range changes {
		s.touch(ch)
	}
	return s
}

func (s *Step) touch(ch lessons.Change) {
	l := ch.Subject()
	// Copy the strings so that they do not keep the whole lesson in memory.
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

// Steps returns the newest steps of the journal with a wanted change, each with only those
// changes: at most the given number, or all for 0.
func (c *Library) Steps(most int, wanted func(lessons.Change) bool) ([]Step, error) {
	var steps []Step
	for ch, err := range c.Store.Journal() {
		if err != nil {
			return nil, err
		}
		if !wanted(ch) {
			continue // look on: the clock may have been put back
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

// End returns the current end of the store, for [Library.Proposed].
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

// Proposed returns the proposals added since a cursor, by anybody, and the current end of
// the store. It returns none if the journal was rewritten meanwhile.
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
		// From "", the start of an empty corpus, the log has only lessons and no
		// operations.
		proposed := ch.Op == lessons.OpPropose || since == "" && ch.After != nil && ch.After.Status == lessons.Pending
		if proposed && ch.Before == nil && ch.After != nil {
			came = append(came, *ch.After)
		}
	}
	return came, end, nil
}
