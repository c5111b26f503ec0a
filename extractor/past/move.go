package past

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"learnings/lessons"
	"learnings/lessons/proof"
	"learnings/lessons/store"
)

// move applies a reading to the confidence of the lessons that its session was given,
// by the rule of [lessons.Seen], and returns how many moved.
func (t *OutcomeReader) move(r proof.Reading) (moved int, err error) {
	for _, c := range r.Lessons {
		if c.Held || c.Adrift {
			continue
		}
		done, err := t.moveOne(r, c)
		for try := 1; try < putTries && errors.Is(err, lessons.ErrConflict); try++ {
			done, err = t.moveOne(r, c)
		}
		if err != nil {
			return moved, fmt.Errorf("counting what came of %s in %s: %w", c.ID, r.Session, err)
		}
		if done {
			moved++
		}
	}
	return moved, nil
}

func (t *OutcomeReader) moveOne(r proof.Reading, c proof.Came) (bool, error) {
	o, ok := lessons.Seen(c.Has(Followed), c.Has(Contradicted) || c.Has(CameBack))
	l, known := lessons.Living(t.Store.Get, c.ID)
	if !known || l.Status != lessons.Approved {
		return false, nil
	}
	past, err := t.Store.History(l.ID)
	if err != nil {
		return false, err
	}
	before, closed := countedOf(past, r.Session)
	why, at := says(c)
	switch {
	case closed, before == nil && !ok, before != nil && ok && before.Why == why:
		return false, nil
	}
	if before != nil { // the session went on, or the rules have changed
		l = before.TakenFrom(l)
		if l, err = t.put(store.Write{Op: lessons.OpTakeBack, By: By, Session: r.Session, Why: again}, l); err != nil {
			return false, err
		}
	}
	if !ok {
		return true, nil
	}
	if o.At = at; at.IsZero() || at.After(t.Now()) {
		o.At = t.Now()
	}
	_, err = t.put(store.Write{Op: lessons.OpOutcome, By: By, Session: r.Session, Why: why}, l.Observed(o))
	return err == nil, err
}

func (t *OutcomeReader) put(w store.Write, l lessons.Lesson) (lessons.Lesson, error) {
	stored, err := t.Store.Put(w, l)
	if err != nil || len(stored) != 1 {
		return l, err
	}
	return stored[0], nil
}

// again is the reason for undoing an outcome that is counted again.
const again = "the session was read again"

// countedOf finds the outcome that counts for a session. closed reports that somebody
// judged the lesson in that session, or a person undid the outcome.
func countedOf(past []lessons.Change, session string) (last *lessons.Change, closed bool) {
	for i := range past {
		ch := &past[i]
		version := 0
		if ch.Op == lessons.OpTakeBack && last != nil {
			_, _ = fmt.Sscanf(ch.Why, "what version %d reported", &version)
		}
		switch {
		case version > 0:
			closed = closed || &past[min(version, i)-1] == last
		case ch.Session != session:
		case ch.Op == lessons.OpFeedback, ch.Op == lessons.OpCorrected:
			closed = true
		case ch.Op == lessons.OpTakeBack && ch.Why == again:
			last = nil
		case ch.Op == lessons.OpOutcome && ch.Before != nil && ch.After != nil:
			last = ch
		}
	}
	return last, closed
}

// says describes what came of a lesson, for its history, and when that was seen last.
func says(c proof.Came) (why string, at time.Time) {
	var out []string
	for _, k := range []proof.Kind{Followed, Contradicted, CameBack} {
		for _, s := range c.Signs {
			if s.Kind == k {
				out = append(out, fmt.Sprintf("%s, line %d: %s", k, s.Line, s.Shows))
			}
		}
	}
	for _, s := range c.Signs {
		if s.At.After(at) {
			at = s.At
		}
	}
	return strings.Join(out, "; "), at
}

// OutcomeOf returns the figures of one lesson.
func OutcomeOf(s *store.Store, b *proof.Book, l lessons.Lesson) (proof.About, error) {
	approved := l.Decided.At
	if approved.IsZero() {
		approved = l.Created
	}
	if l.Proof.Confirmations > 0 && b.Reads(l) { // it was decided again; its journal may have some KB
		past, err := s.History(l.ID)
		if err != nil {
			return proof.About{}, err
		}
		for _, ch := range slices.Backward(past) {
			if ch.After != nil && ch.After.Status == lessons.Approved && (ch.Before == nil || ch.Before.Status != lessons.Approved) {
				approved = ch.At
				break
			}
		}
	}
	return proof.About{Lesson: l, Figures: b.Of(l, printsOf(l), approved)}, nil
}

// Outcomes returns the wanted lessons that a book has figures for, those given most
// often first. It skips lessons that are gone.
func Outcomes(s *store.Store, b *proof.Book, wanted func(lessons.Lesson) bool) (out []proof.About, err error) {
	for _, id := range b.IDs() {
		l, err := s.Get(id)
		if err != nil || !wanted(l) {
			continue
		}
		x, err := OutcomeOf(s, b, l)
		if err != nil {
			return nil, err
		}
		out = append(out, x)
	}
	slices.SortStableFunc(out, func(a, b proof.About) int { return b.Times - a.Times })
	return out, nil
}
