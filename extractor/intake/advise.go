package intake

import (
	"errors"
	"fmt"
	"strings"

	"learnings/lessons"
	"learnings/lessons/store"
)

// Advise writes on the card of a proposal what a model says of it beside the others of its
// project, in place of what one said before, and with lower moves it to maybe. It changes
// nothing else: it never approves, removes or raises, and what a person has asked for,
// edited or rated stays where it is.
func Advise(s *store.Store, id lessons.ID, says []string, lower bool) (lessons.Lesson, error) {
	l, err := s.Get(id)
	if err != nil {
		return l, fmt.Errorf("noting what a model says of %s: %w", id, err)
	}
	was := l
	if l = Advised(l, says, lower); l.Origin.Advice == was.Origin.Advice && l.Lane == was.Lane {
		return l, nil
	}
	stored, err := s.Put(store.Write{Op: lessons.OpWitness, By: By, Why: "compared with the other proposals"}, l)
	switch {
	case errors.Is(err, lessons.ErrConflict):
		return was, nil // somebody has just decided on it
	case err != nil:
		return was, fmt.Errorf("noting what a model says of %s: %w", id, err)
	}
	return stored[0], nil
}

// Advised is [Advise] without storing.
func Advised(l lessons.Lesson, says []string, lower bool) lessons.Lesson {
	if l.Status != lessons.Pending {
		return l
	}
	l.Origin.Advice = strings.Join(says, "; ")
	if lower && !l.Asked() && l.Decided.By == "" && !l.Proof.Own {
		l.Lane = lessons.Maybe
	}
	return l
}
