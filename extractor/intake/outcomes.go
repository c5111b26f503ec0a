package intake

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"learnings/extractor"
	"learnings/lessons"
	"learnings/lessons/pairs"
	"learnings/lessons/store"
)

const (
	// maxSaid is the most bytes of a correction in the journal.
	maxSaid = 200
	// changeTries is how often a change is tried when others change the same lessons.
	changeTries = 5
)

// outcomes counts what came of the lessons that a session was given: uses, and
// corrections by the person on the subject of one. It returns how many corrections
// counted against a lesson. Each line of a transcript counts once, however often it is
// read.
func (in *Intake) outcomes(b extractor.Batch) (against int, err error) {
	uses := map[lessons.ID]extractor.Given{}
	for _, g := range b.Given {
		if l, ok := in.survivor(g.ID); ok {
			uses[l.ID] = g
		}
	}
	session := b.Session.ID
	w := store.Write{Op: lessons.OpUse, By: By, Session: session}
	_, err = in.change(w, slices.Sorted(maps.Keys(uses)), func(l lessons.Lesson) (lessons.Lesson, bool) {
		l.Use.Used++
		if at := uses[l.ID].At; at.After(l.Use.Last) {
			l.Use.Last = at
		}
		return l, true
	})
	if err != nil {
		return 0, fmt.Errorf("counting what %s was given: %w", b.File.Path, err)
	}
	for _, r := range b.Replies {
		n, err := in.corrected(b, r)
		if err != nil {
			return against, fmt.Errorf("noting a correction in %s: %w", b.File.Path, err)
		}
		against += n
	}
	return against, nil
}

// corrected counts a person's correction against the given lessons that it is about,
// and returns their number.
func (in *Intake) corrected(b extractor.Batch, r extractor.Reply) (int, error) {
	i := slices.IndexFunc(r.Lesson.Evidence, func(e lessons.Evidence) bool { return e.By == lessons.ByPerson })
	if i < 0 {
		return 0, nil
	}
	e := r.Lesson.Evidence[i]
	e.From = lessons.Against
	outcome := lessons.Corrected
	if outcome.At = e.At; outcome.At.IsZero() {
		outcome.At = b.File.ModTime
	}
	var ids []lessons.ID
	for _, id := range r.Given {
		if l, ok := in.survivor(id); ok && !slices.Contains(ids, l.ID) && (pairs.Corrects(e.Quote, l.Content) || pairs.Corrects(r.Lesson.Content, l.Content)) {
			ids = append(ids, l.ID)
		}
	}
	w := store.Write{Op: lessons.OpCorrected, By: By, Session: e.Session,
		Why: fmt.Sprintf("a person corrected the agent, line %d: “%s”", e.Line, clipped(e.Quote))}
	return in.change(w, ids, func(l lessons.Lesson) (lessons.Lesson, bool) {
		if l.Status != lessons.Approved || !unheard(l, e) {
			return l, false
		}
		l.Evidence = append(slices.Clone(l.Evidence), e)
		return l.Observed(outcome), true
	})
}

// clipped returns the beginning of what was said, on one line.
func clipped(said string) string {
	said = lessons.Line(said)
	return strings.ToValidUTF8(said[:min(len(said), maxSaid)], "")
}

// unheard reports whether evidence against a lesson is new and there is room for it.
func unheard(l lessons.Lesson, e lessons.Evidence) bool {
	n := 0
	for _, o := range l.Evidence {
		if !o.Opposes() {
			continue
		}
		n++
		if o.UUID != "" && o.UUID == e.UUID || o.Session == e.Session && o.Line == e.Line {
			return false
		}
	}
	return n < maxEvidence
}

// change applies do to lessons in one write and returns how many changed. It skips
// lessons that are gone or broken, and those for which do returns false. If another
// process writes at the same time, change tries again on top of that.
func (in *Intake) change(w store.Write, ids []lessons.ID, do func(lessons.Lesson) (lessons.Lesson, bool)) (changed int, err error) {
	for try := 1; len(ids) > 0; try++ {
		var ls []lessons.Lesson
		for _, id := range ids {
			l, err := in.store.Get(id)
			if err != nil {
				continue
			}
			if l, ok := do(l); ok {
				ls = append(ls, l)
			}
		}
		if len(ls) == 0 {
			return 0, nil
		}
		_, err := in.store.Put(w, ls...)
		switch {
		case err == nil:
			return len(ls), nil
		case !errors.Is(err, lessons.ErrConflict) || try == changeTries:
			return 0, err
		}
	}
	return 0, nil
}

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
