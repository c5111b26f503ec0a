package lessons

import (
	"fmt"
	"slices"
	"strings"
)

// A Joint is a merge as in the journal: the states before and after of the survivor and
// of each lesson merged into it. Before is nil where the journal does not reach back.
type Joint struct {
	Survivor Change
	Gone     []Change
}

// Split undoes [Merge] for the lessons gone, given as they are now. The result is the
// survivor followed by these lessons.
//
// Each lesson becomes what it was before the joint, or pending if that is unknown. If the
// survivor did not change since the merge and all lessons of the merge are split, it
// returns to its earlier state, wording included. Else it loses the evidence, tags and
// triggers that only the split lessons had, and their counts; it keeps its wording,
// confidence and proof, and everything if its earlier state is unknown.
func Split(d Decision, survivor Lesson, gone []Lesson, j Joint) ([]Lesson, error) {
	if d.By == "" {
		return nil, fmt.Errorf("%w: nobody is named who splits %s", ErrInvalid, survivor.ID)
	}
	out := []Lesson{survivor}
	for _, l := range gone {
		if l.Status != Merged || l.Decided.Into != survivor.ID {
			return nil, fmt.Errorf("%w: %s was not merged into %s", ErrInvalid, l.ID, survivor.ID)
		}
		back := l
		back.Status, back.Decided = Pending, Decision{By: d.By, At: d.At, Reason: d.Reason}
		for _, c := range j.Gone {
			if c.ID == l.ID && c.Before != nil {
				back.Status, back.Decided = c.Before.Status, c.Before.Decided
			}
		}
		out = append(out, back)
	}
	before, after := j.Survivor.Before, j.Survivor.After
	switch {
	case before == nil || after == nil:
	case len(gone) == len(j.Gone) && unchanged(survivor, *after):
		whole := *before
		whole.Rev = survivor.Rev
		out[0] = whole
	default:
		out[0] = without(survivor, *before, gone)
		if survivor.Decided == after.Decided && len(gone) == len(j.Gone) {
			out[0].Status, out[0].Decided = before.Status, before.Decided
		}
	}
	for _, l := range out {
		if err := l.Validate(); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// unchanged reports whether a lesson is as a change left it.
func unchanged(l, then Lesson) bool {
	return len(Change{Before: &then, After: &l}.Differences()) == 0 && l.Use == then.Use && l.Proof == then.Proof && l.Decided == then.Decided
}

// without removes from l what it took from the lessons gone and did not have before.
func without(l, before Lesson, gone []Lesson) Lesson {
	theirs := func(of func(Lesson) []string, s string) bool {
		has := func(all []string) bool {
			return slices.ContainsFunc(all, func(t string) bool { return strings.EqualFold(s, t) })
		}
		return !has(of(before)) && slices.ContainsFunc(gone, func(g Lesson) bool { return has(of(g)) })
	}
	tags := func(l Lesson) []string { return l.Tags }
	triggers := func(l Lesson) []string { return l.Triggers }
	l.Tags = slices.DeleteFunc(slices.Clone(l.Tags), func(s string) bool { return theirs(tags, s) })
	l.Triggers = slices.DeleteFunc(slices.Clone(l.Triggers), func(s string) bool { return theirs(triggers, s) })
	l.Evidence = slices.DeleteFunc(slices.Clone(l.Evidence), func(e Evidence) bool {
		return !slices.ContainsFunc(before.Evidence, e.same) &&
			slices.ContainsFunc(gone, func(g Lesson) bool { return slices.ContainsFunc(g.Evidence, e.same) })
	})
	for _, g := range gone {
		l.Use.Used = max(l.Use.Used-g.Use.Used, before.Use.Used)
		l.Use.Helped = max(l.Use.Helped-g.Use.Helped, before.Use.Helped)
		l.Use.Harmed = max(l.Use.Harmed-g.Use.Harmed, before.Use.Harmed)
	}
	return l
}
