package curate

import (
	"fmt"

	"learnings/lessons"
)

// Take gives a proposal the wording it is offered. It is only for a single proposal that
// the person has looked at: of several none takes it.
var Take = Action{Op: lessons.OpEdit, Verb: "take the offered wording of", Done: "reworded", Rewords: true, one: true, once: true, apply: taken}

func taken(l lessons.Lesson, _ lessons.Decision) (lessons.Lesson, error) {
	next, ok := l.Offer.Taken(l)
	if !ok {
		return l, fmt.Errorf("%w: %s is offered no other wording", ErrNothing, l.ID)
	}
	next.Triggers = l.Reworded(next.Content).Triggers
	return next, next.Validate()
}

// Offered lists what [Take] would change of a lesson.
func Offered(l lessons.Lesson) []lessons.Difference {
	next, err := taken(l, lessons.Decision{})
	if err != nil {
		return nil
	}
	return lessons.Change{Before: &l, After: &next}.Differences()
}
