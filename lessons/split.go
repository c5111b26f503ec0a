package lessons

import (
	"fmt"
	"slices"
	"strings"
)

// A Joint is a merge as the journal has it: of the survivor and of each lesson
// that went into it, the states before and after. Where the journal does not
// reach back, Before is nil.
type Joint struct {
	Survivor Change
	Gone     []Change
}

// Split takes lessons out of the one that they were merged into, and undoes
// [Merge]: gone are those lessons, as they are now, and the result
// is the survivor followed by what they become.
//
// A lesson becomes what the joint says it was before, or else pending. The
// survivor gives back what it took over: all, wording included, when nothing
// else happened to it since and all that were merged at once are split; else
// the evidence, tags and triggers that only the split ones had, and their
// counts. It keeps what neither tells apart: its wording, confidence and
// proof, and everything where the joint does not know what it was before.
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

// unchanged reports that a lesson is as a change left it.
func unchanged(l, then Lesson) bool {
	return len(Change{Before: &then, After: &l}.Differences()) == 0 && l.Use == then.Use && l.Proof == then.Proof && l.Decided == then.Decided
}

// without takes out of a lesson what it has from others and had not before.
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
