package intake

import (
	"fmt"

	"learnings/lessons"
	"learnings/lessons/store"
)

// Offer stores a better wording beside that of a proposal, for a person to take or to
// leave, and gives the proposal as it is now. The error is [lessons.ErrConflict] when
// the proposal has changed since it was read.
func Offer(s *store.Store, l lessons.Lesson, w lessons.Wording, by string) (lessons.Lesson, error) {
	if l.Status != lessons.Pending {
		return l, fmt.Errorf("%w: %s is %s, and only a proposal is offered a wording", lessons.ErrInvalid, l.ID, l.Status)
	}
	l.Offer = lessons.Offer{Wording: w, Extractor: by}
	stored, err := s.Put(store.Write{Op: lessons.OpWitness, By: By, Why: "worded by " + by}, l)
	if err != nil {
		return l, fmt.Errorf("offering %s a wording: %w", l.ID, err)
	}
	return stored[0], nil
}
