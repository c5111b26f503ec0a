package curate

import (
	"context"
	"fmt"
	"slices"

	"learnings/index"
	"learnings/lessons"
	"learnings/lessons/store"
)

// Outside returns the lessons that count, that another program (an editor, git, an agent)
// wrote or changed, and that no person has decided on since. They can be found and shown,
// but sessions do not get them. The lessons are whole, newest first.
func (c *Library) Outside(ctx context.Context) ([]lessons.Lesson, error) {
	q := WhatCounts(index.Query{Now: c.Now(), Sort: index.Created}).Where(index.Outside, "yes")
	hits, err := Ask(ctx, c, func(ctx context.Context, x *index.Index) ([]index.Hit, error) { return x.All(ctx, q) })
	if err != nil {
		return nil, err
	}
	ls, err := c.Whole(lessonsOf(hits))
	return slices.DeleteFunc(ls, func(l lessons.Lesson) bool { return !l.Outside }), err
}

// ConfirmOutside records that the text of lessons from outside is the person's. Sessions
// then get the active ones, and proposals become ordinary ones. It is one step of undo. It
// leaves out lessons that must be looked at by themselves: those with one of
// [lessons.Dangers], and those that only a tool speaks for.
func (c *Corpus) ConfirmOutside(seen []lessons.Lesson) (Batch, error) {
	ls, err := c.current(seen)
	if err != nil {
		return Batch{}, err
	}
	var b Batch
	ls, b.Left = ApartOutside(ls)
	if len(ls) == 0 {
		return b, nil
	}
	b.Before = ls
	b.After, err = c.confirmOutside(ls)
	return b, err
}

// ConfirmOutsideAlone is [Corpus.ConfirmOutside] for one lesson that the person has looked
// at by itself. It leaves out nothing.
func (c *Corpus) ConfirmOutsideAlone(seen lessons.Lesson) (lessons.Lesson, error) {
	ls, err := c.current([]lessons.Lesson{seen})
	if err == nil {
		ls, err = c.confirmOutside(ls)
	}
	if err != nil {
		return seen, err
	}
	return ls[0], nil
}

// ApartOutside divides lessons from outside into those that may be confirmed together and
// those that must be looked at by themselves.
func ApartOutside(ls []lessons.Lesson) (may []lessons.Lesson, left []Left) {
	for _, l := range ls {
		own := l
		own.Outside = false
		if l.Status == lessons.Approved {
			own.Status = lessons.Pending // nobody has decided on it here
		}
		if why := Alone(own); why != "" {
			left = append(left, Left{l, why})
		} else {
			may = append(may, l)
		}
	}
	return may, left
}

func (c *Corpus) confirmOutside(ls []lessons.Lesson) ([]lessons.Lesson, error) {
	write := slices.Clone(ls)
	for i, l := range ls {
		var err error
		if l.Status != lessons.Approved {
			continue
		}
		if write[i], err = l.Confirm(c.decision("")); err != nil {
			return nil, fmt.Errorf("confirming: %w", err)
		}
	}
	return c.put(store.Write{Op: lessons.OpConfirm}, write...)
}
