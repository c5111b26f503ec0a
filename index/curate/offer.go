package curate

import (
	"fmt"

	"learnings/lessons"
)

// Take gives a proposal the wording that it is offered. It is an edit of one
// proposal that the person has looked at by itself: of several none takes it.
var Take = Action{Op: lessons.OpEdit, Verb: "take the offered wording of", Done: "reworded", Rewords: true, one: true, once: true, apply: taken}

func taken(l lessons.Lesson, _ lessons.Decision) (lessons.Lesson, error) {
	next, ok := l.Offer.Taken(l)
	if !ok {
		return l, fmt.Errorf("%w: %s is offered no other wording", ErrNothing, l.ID)
	}
	next.Triggers = l.Reworded(next.Content).Triggers
	return next, next.Validate()
}

// Offered lists what [Take] would change of a lesson; nothing when it is offered no
// other wording.
func Offered(l lessons.Lesson) []lessons.Difference {
	next, err := taken(l, lessons.Decision{})
	if err != nil {
		return nil
	}
	return lessons.Change{Before: &l, After: &next}.Differences()
}
