package curate

import (
	"fmt"
	"slices"
	"strings"

	"learnings/lessons"
	"learnings/lessons/store"
)

// A Left is a lesson that a decision on several left out.
type Left struct {
	Lesson lessons.Lesson
	Why    string // completes "it is left out: …"
}

// A Batch is the result of a decision on several lessons.
type Batch struct {
	Before []lessons.Lesson // the lessons decided on, as the person saw them
	After  []lessons.Lesson // the same lessons as they are now
	Left   []Left           // untouched lessons that must be looked at one by one
}

// Alone returns why a lesson must be looked at by itself before it gets any weight: another
// program wrote it, only a tool speaks for it, or it has one of [lessons.Dangers]. It
// returns "" for all others, and for an active lesson, which a person has looked at.
func Alone(l lessons.Lesson) (why string) {
	if l.Status == lessons.Approved && !l.Outside {
		return ""
	}
	var says []string
	if l.Quarantined() && l.SaidBy() == lessons.ByTool {
		says = append(says, "only a tool speaks for it")
	} else {
		for _, d := range lessons.Dangers(l) {
			says = append(says, d.Says)
		}
	}
	if l.Outside {
		says = append(says, "another program wrote it")
	}
	return strings.Join(says, ", ")
}

// Apart divides lessons into those that the action may take together and those that it
// leaves out; it leaves out all if each result must be seen. An action that only refuses
// lessons (reject, archive, snooze, reopen) may take all.
func (a Action) Apart(ls []lessons.Lesson) (may []lessons.Lesson, left []Left) {
	for _, l := range ls {
		why := Alone(l)
		if a.one {
			why = "a wording is taken one at a time"
		}
		if why != "" && !a.refuses {
			left = append(left, Left{l, why})
		} else {
			may = append(may, l)
		}
	}
	return may, left
}

// Decide makes a decision on one lesson that the person has looked at by itself, and
// returns it as it is now.
func (c *Corpus) Decide(a Action, seen lessons.Lesson) (lessons.Lesson, error) {
	if err := keep(c, a, seen); err != nil {
		c.warn(err) // the decision may be stored all the same
	}
	ls, err := c.current([]lessons.Lesson{seen})
	if err != nil {
		return seen, err
	}
	if ls, err = c.decide(a, ls); err != nil {
		return seen, err
	}
	if a.draft != nil {
		a.draft.Discard()
	}
	return ls[0], nil
}

// DecideMany makes a decision on lessons that were chosen together: marked, found, or
// listed by id. It is the only way to decide on several. It leaves out lessons that must be
// looked at by themselves, lists them in the [Batch], and decides on all of the others or
// on none. Even a single lesson needs DecideMany if it was chosen by a mark, a query or a
// list: nobody has looked at it.
func (c *Corpus) DecideMany(a Action, seen []lessons.Lesson) (Batch, error) {
	ls, err := c.current(seen)
	if err != nil {
		return Batch{}, err
	}
	var b Batch
	ls, b.Left = a.Apart(ls)
	if len(ls) == 0 {
		return b, nil
	}
	left := map[lessons.ID]bool{}
	for _, l := range b.Left {
		left[l.Lesson.ID] = true
	}
	b.Before = slices.DeleteFunc(slices.Clone(seen), func(l lessons.Lesson) bool { return left[l.ID] })
	b.After, err = c.decide(a, ls)
	return b, err
}

// A Refused error names the one of several lessons that the action cannot be applied to.
type Refused struct {
	Lesson lessons.Lesson
	Err    error
}

func (r *Refused) Error() string { return r.Err.Error() }
func (r *Refused) Unwrap() error { return r.Err }

// decide makes a decision on all of the lessons or on none.
func (c *Corpus) decide(a Action, ls []lessons.Lesson) ([]lessons.Lesson, error) {
	if err := c.MayDecide(a.Verb + " them"); err != nil {
		return nil, err
	}
	next := make([]lessons.Lesson, len(ls))
	for i, l := range ls {
		var err error
		if c.Missing != nil && l.Status == lessons.Approved && (a.Op == lessons.OpConfirm || a.Op == lessons.OpApprove) {
			l.Without = lessons.JoinTerms(l.Without, c.Missing(l))
		}
		if next[i], err = a.apply(l, c.decision(a.Reason)); err != nil {
			return nil, &Refused{l, fmt.Errorf("%s: %w", a.Op, err)}
		}
	}
	if a.Op != lessons.OpGuard {
		return c.put(store.Write{Op: a.Op}, next...)
	}
	if err := c.MustSit("guard them"); err != nil {
		return nil, err
	}
	if c.Guards == nil {
		return nil, fmt.Errorf("%s: %w: there is no place for guards", a.Op, ErrNothing)
	}
	// The guard first, then the lesson: a call is only stopped by both together.
	for _, l := range next {
		if err := c.Guards.Choose(l, c.Now()); err != nil {
			return nil, fmt.Errorf("%s: %w", a.Op, err)
		}
	}
	return c.put(store.Write{Op: a.Op}, next...)
}
