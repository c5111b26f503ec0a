package intake

import (
	"context"
	"fmt"

	"learnings/extractor"
	"learnings/lessons"
	"learnings/lessons/match"
)

// Imported is what became of lessons that another program's store holds.
type Imported struct {
	New   []lessons.Lesson // as stored, or as they would be
	Known []Recognised
}

// Recognised is a lesson of another store that the corpus has.
type Recognised struct {
	Lesson lessons.Lesson // as the other store has it
	ID     lessons.ID     // of the lesson here
	Status lessons.Status // of the lesson here; "" when it came in just now
	Offer  bool           // its words are other ones, and are offered as an edit of the proposal here
}

// said is what two lessons of one store have in common that say the same for the same.
type said struct {
	project, role string
	global        bool
	words         string
}

// importBatch is how many lessons are stored with one write.
const importBatch = 512

// Import stores as proposals those of the lessons that the corpus does not hold, and
// adds what the others were taken from to the evidence of those that say the same.
// Lessons must be valid and without secrets. Done twice it changes nothing. With dry
// it writes nothing and tells what it would do.
func (in *Intake) Import(ctx context.Context, ls []lessons.Lesson, dry bool) (out Imported, err error) {
	var fresh []lessons.Lesson
	came := map[said]lessons.ID{}
	for _, l := range ls {
		k, err := in.Known(ctx, l)
		if err != nil {
			return out, err
		}
		says := said{l.Scope.Project, l.Scope.Role, l.Scope.Global, match.Normal(l.Content)}
		first, twice := came[says]
		switch {
		case k.ID != "" && !k.Reopen:
			out.Known = append(out.Known, Recognised{Lesson: l, ID: k.ID, Status: k.Status, Offer: k.Offer})
		case twice:
			out.Known = append(out.Known, Recognised{Lesson: l, ID: first})
		default:
			came[says], fresh = l.ID, append(fresh, l)
		}
	}
	if dry {
		out.New = fresh
		return out, nil
	}
	for len(fresh) > 0 {
		n := min(len(fresh), importBatch)
		stored, err := in.propose(fresh[:n])
		out.New = append(out.New, stored...)
		if err != nil {
			return out, fmt.Errorf("storing what was imported: %w", err)
		}
		fresh = fresh[n:]
		if err := ctx.Err(); err != nil {
			return out, err
		}
	}
	for _, r := range out.Known {
		again := extractor.Again{ID: r.ID, Status: r.Status, Evidence: r.Lesson.Evidence}
		if r.Offer {
			again.Offer = &r.Lesson
		}
		if len(again.Evidence) == 0 {
			continue
		}
		if err := in.witness(again); err != nil {
			return out, err
		}
	}
	return out, nil
}

// Status is where a lesson of the corpus stands; false for one that is not there.
func (in *Intake) Status(id lessons.ID) (lessons.Status, bool) {
	l, err := in.store.Get(id)
	return l.Status, err == nil
}
