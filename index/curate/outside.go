package curate

import (
	"context"
	"fmt"
	"slices"

	"learnings/index"
	"learnings/lessons"
	"learnings/lessons/store"
)

// Outside are the lessons that count and that another program wrote or changed, on
// which no person has decided since: an editor, git, an agent. They can be found and
// shown, and sessions are not given them. They are whole, the newest first.
func (c *Corpus) Outside(ctx context.Context) ([]lessons.Lesson, error) {
	q := WhatCounts(index.Query{Now: c.Now(), Sort: index.Created}).Where(index.Outside, "yes")
	hits, err := Ask(ctx, c, func(ctx context.Context, x *index.Index) ([]index.Hit, error) { return x.All(ctx, q) })
	if err != nil {
		return nil, err
	}
	ls, err := c.reread(lessonsOf(hits))
	return slices.DeleteFunc(ls, func(l lessons.Lesson) bool { return !l.Outside }), err
}

// ConfirmOutside says of lessons from outside that their text is the person's: the
// active ones are given to sessions from now on, and proposals are like any other. It
// is one step of undo. What has one of [lessons.Dangers], or only a tool speaks for,
// is left out: that is looked at alone.
func (c *Corpus) ConfirmOutside(seen []lessons.Lesson) (Batch, error) {
	ls, err := c.current(seen)
	if err != nil {
		return Batch{}, err
	}
	var b Batch
	var write []lessons.Lesson
	for _, l := range ls {
		own := l
		own.Outside = false
		if l.Status == lessons.Approved {
			own.Status = lessons.Pending // as nobody has decided on it here
		}
		if why := Alone(own); why != "" {
			b.Left = append(b.Left, Left{l, why})
			continue
		}
		if l.Status == lessons.Approved {
			if l, err = l.Confirm(c.decision("")); err != nil {
				return b, fmt.Errorf("confirming: %w", err)
			}
		}
		write = append(write, l)
	}
	if len(write) == 0 {
		return b, nil
	}
	b.Before = write
	b.After, err = c.put(store.Write{Op: lessons.OpConfirm}, write...)
	return b, err
}
