package outcome

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"learnings/lessons"
	"learnings/lessons/outcomes"
	"learnings/lessons/store"
)

// move lets a reading move the confidence of the lessons that its session was given, by
// the rule of [lessons.Seen], and says of how many it did.
func (t *Reader) move(r outcomes.Reading) (moved int, err error) {
	for _, c := range r.Lessons {
		if c.Held || c.Adrift {
			continue
		}
		for try := 1; ; try++ {
			done, err := t.moveOne(r, c)
			if errors.Is(err, lessons.ErrConflict) && try < putTries {
				continue
			} else if err != nil {
				return moved, fmt.Errorf("counting what came of %s in %s: %w", c.ID, r.Session, err)
			}
			if done {
				moved++
			}
			break
		}
	}
	return moved, nil
}

func (t *Reader) moveOne(r outcomes.Reading, c outcomes.Came) (bool, error) {
	o, ok := lessons.Seen(c.Has(Followed), c.Has(Contradicted) || c.Has(CameBack))
	l, known := t.survivor(c.ID)
	if !known {
		return false, nil
	}
	past, err := t.Store.History(l.ID)
	if err != nil {
		return false, err
	}
	before, closed := counted(past, r.Session)
	why := says(c)
	switch {
	case closed, before == nil && !ok, before != nil && ok && before.Why == why:
		return false, nil
	}
	if before != nil { // the session has gone on, or is read by other rules
		l = before.TakenFrom(l)
		if l, err = t.put(store.Write{Op: lessons.OpTakeBack, By: By, Session: r.Session, Why: again}, l); err != nil {
			return false, err
		}
	}
	if !ok {
		return true, nil
	}
	if o.At = signedAt(c); o.At.IsZero() || o.At.After(t.Now()) {
		o.At = t.Now()
	}
	_, err = t.put(store.Write{Op: lessons.OpOutcome, By: By, Session: r.Session, Why: why}, l.Observed(o))
	return err == nil, err
}

func (t *Reader) put(w store.Write, l lessons.Lesson) (lessons.Lesson, error) {
	stored, err := t.Store.Put(w, l)
	if err != nil || len(stored) != 1 {
		return l, err
	}
	return stored[0], nil
}

// again is why an outcome of a session is taken back that is counted anew.
const again = "the session was read again"

// counted finds the outcome that counts of a session. It is closed when somebody has said
// something of the lesson in that session, or a person has taken the outcome back.
func counted(past []lessons.Change, session string) (last *lessons.Change, closed bool) {
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

// says is what came of a lesson, for its history.
func says(c outcomes.Came) string {
	var out []string
	for _, k := range []outcomes.Kind{Followed, Contradicted, CameBack} {
		for _, s := range c.Signs {
			if s.Kind == k {
				out = append(out, fmt.Sprintf("%s, line %d: %s", k, s.Line, s.Shows))
			}
		}
	}
	return strings.Join(out, "; ")
}

func signedAt(c outcomes.Came) (at time.Time) {
	for _, s := range c.Signs {
		if s.At.After(at) {
			at = s.At
		}
	}
	return at
}

// maxMerges is how many merges are followed.
const maxMerges = 10

// survivor is the lesson that a lesson lives on in. It is false for one that is not
// active.
func (t *Reader) survivor(id lessons.ID) (lessons.Lesson, bool) {
	for range maxMerges {
		l, err := t.Store.Get(id)
		if err != nil {
			return l, false
		}
		if l.Status != lessons.Merged {
			return l, l.Status == lessons.Approved
		}
		id = l.Decided.Into
	}
	return lessons.Lesson{}, false
}

// mistakeOf says by what the mistake of a lesson is known again. Of a lesson that was
// confirmed since it was approved the journal is asked when that was, if that matters: it
// may have some KB of each lesson.
func mistakeOf(s *store.Store, b *outcomes.Book, l lessons.Lesson) (outcomes.Mistake, error) {
	approved := l.Decided.At
	if approved.IsZero() {
		approved = l.Created
	}
	if l.Proof.Confirmations > 0 && b.Reads(l) {
		past, err := s.History(l.ID)
		if err != nil {
			return outcomes.Mistake{}, err
		}
		for i := len(past) - 1; i >= 0; i-- {
			ch := past[i]
			if ch.After != nil && ch.After.Status == lessons.Approved && (ch.Before == nil || ch.Before.Status != lessons.Approved) {
				approved = ch.At
				break
			}
		}
	}
	return outcomes.MistakeOf(l, printsOf(l), approved), nil
}

// Of gives the figures of one lesson.
func Of(s *store.Store, b *outcomes.Book, l lessons.Lesson) (outcomes.About, error) {
	m, err := mistakeOf(s, b, l)
	return outcomes.About{Lesson: l, Figures: b.Of(l, m)}, err
}

// All gives the lessons that are wanted of those of which a book knows anything, those that
// were given most often first. One that is gone is passed over.
func All(s *store.Store, b *outcomes.Book, wanted func(lessons.Lesson) bool) (out []outcomes.About, err error) {
	for _, id := range b.IDs() {
		l, err := s.Get(id)
		if err != nil || !wanted(l) {
			continue
		}
		x, err := Of(s, b, l)
		if err != nil {
			return nil, err
		}
		out = append(out, x)
	}
	slices.SortStableFunc(out, func(a, b outcomes.About) int { return b.Times - a.Times })
	return out, nil
}
