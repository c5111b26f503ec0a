package curate

import (
	"cmp"
	"fmt"

	"learnings/lessons"
	"learnings/lessons/store"
)

// A Settlement ends a contradiction of two lessons: one replaces the other, or both hold.
type Settlement struct {
	Keep, Lose lessons.Lesson
	Both       bool   // each notes that the other also holds; Reason says when
	Narrow     bool   // both hold, each where it was said: see [Narrowed]
	Approve    bool   // Keep is a proposal and becomes active
	Reason     string // why Lose gives way; "" for none
}

// Settle stores a settlement of lessons as the person saw them. It returns both as they are
// now, the kept one first. [lessons.Supersede] and [lessons.HoldBoth] say what is recorded.
func (c *Corpus) Settle(s Settlement) (keep, lose lessons.Lesson, err error) {
	now, err := c.current([]lessons.Lesson{s.Keep, s.Lose})
	if err != nil {
		return s.Keep, s.Lose, err
	}
	keep, lose = now[0], now[1]
	d := c.decision(s.Reason)
	if s.Approve && keep.Status == lessons.Pending {
		if keep, err = keep.Approve(c.decision("")); err != nil {
			return s.Keep, s.Lose, err
		}
	}
	settle := lessons.Supersede
	if s.Narrow {
		n, ok := Narrowed(keep, lose)
		if !ok {
			return s.Keep, s.Lose, &Refused{lose, fmt.Errorf("%w: %s and %s were said in the same place, or nobody knows where: say yourself when each of them holds", lessons.ErrInvalid, keep.ID, lose.ID)}
		}
		keep, lose = n.A.Lesson, n.B.Lesson
		d.Reason = cmp.Or(s.Reason, n.reason())
	}
	if s.Both || s.Narrow {
		settle = lessons.HoldBoth
	}
	after, err := settle(d, keep, lose)
	if err != nil {
		return s.Keep, s.Lose, &Refused{lose, fmt.Errorf("resolving: %w", err)}
	}
	if after, err = c.put(store.Write{Op: lessons.OpResolve}, after...); err != nil {
		return s.Keep, s.Lose, err
	}
	return after[0], after[1], nil
}

// NotTheSame is the reason stored by [TellApart].
const NotTheSame = "not the same"

// TellApart records that two lessons are not the same, so that they are not shown as
// duplicates again.
func TellApart(a, b lessons.Lesson) Settlement {
	return Settlement{Keep: a, Lose: b, Both: true, Reason: NotTheSame}
}
