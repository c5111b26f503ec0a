package intake

import (
	"context"
	"fmt"

	"learnings/extractor"
	"learnings/lessons"
	"learnings/lessons/match"
)

// Told is what became of a proposal that an agent made.
type Told struct {
	Lesson lessons.Lesson // as it is stored now: the proposal, or the lesson that says the same
	New    bool           // the proposal waits for a person
	Joined bool           // its evidence, and its words if they are others, went to a proposal that waits
}

// Told takes in what an agent says that its session taught. It goes by what the corpus
// holds as [Intake.Import] does, and leaves alone every lesson on which a person has
// decided: what is approved gets no evidence by an agent's word, and what was rejected
// does not gather any. The lesson must be valid and without secrets.
func (in *Intake) Told(ctx context.Context, l lessons.Lesson) (Told, error) {
	k, err := in.Known(ctx, l)
	if err != nil {
		return Told{}, err
	}
	if k.ID == "" || k.Reopen {
		stored, err := in.propose([]lessons.Lesson{l})
		switch {
		case err != nil:
			return Told{}, fmt.Errorf("storing what was told: %w", err)
		case len(stored) == 1:
			return Told{Lesson: stored[0], New: true}, nil
		}
		k.ID = l.ID // another process was first
	}
	old, err := in.store.Get(k.ID)
	if err != nil {
		return Told{}, fmt.Errorf("reading what says the same: %w", err)
	}
	if old.Status != lessons.Pending {
		return Told{Lesson: old}, nil
	}
	again := extractor.Again{ID: old.ID, Status: old.Status, Evidence: l.Evidence}
	if k.Offer || old.Offer == (lessons.Offer{}) && !match.Same(old, l) && sharesMoment(old, l) {
		again.Offer = &l
	}
	if err := in.testify(old, again); err != nil {
		return Told{}, err
	}
	now, err := in.store.Get(old.ID)
	return Told{Lesson: now, Joined: now.Rev != old.Rev}, err
}
