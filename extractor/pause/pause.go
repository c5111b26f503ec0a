// Package pause remembers when a person did not want to be listened to. While a
// pause lasts, hooks give and propose nothing; what was said in one is not read
// later either, so pauses are kept when they are over.
//
// They are in the database of the state folder. Without it there never was a pause; one
// that cannot be read is an error, on which nobody should listen.
package pause

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"learnings/lessons/state"
)

// kept is the name under which they are kept.
const kept = "pauses"

// A Pause is a time in which nobody listens: from From on, and before Until.
type Pause struct {
	From  time.Time `json:"from"`
	Until time.Time `json:"until,omitzero"` // zero: until it is ended
}

// holds reports that a time lies in the pause.
func (p Pause) holds(t time.Time) bool {
	return !t.Before(p.From) && (p.Until.IsZero() || t.Before(p.Until))
}

// Pauses are all that there were, in no order.
type Pauses []Pause

// At gives the pause in which a time lies, the one that lasts longest.
func (ps Pauses) At(t time.Time) (found Pause, ok bool) {
	for _, p := range ps {
		if p.holds(t) && (!ok || p.Until.IsZero() || !found.Until.IsZero() && p.Until.After(found.Until)) {
			found, ok = p, true
		}
	}
	return found, ok
}

// Holds reports that a time lies in a pause.
func (ps Pauses) Holds(t time.Time) bool { _, ok := ps.At(t); return ok }

// Load reads the pauses of a state folder.
func Load(dir string) (out Pauses, err error) {
	_, err = state.At(dir).Get(kept, &out)
	return out, checked(out, err)
}

func checked(ps Pauses, err error) error {
	if err == nil && slices.ContainsFunc(ps, func(p Pause) bool { return p.From.IsZero() }) {
		err = errors.New("a pause that never began")
	}
	if err != nil {
		return fmt.Errorf("reading when learning was paused: %w", err)
	}
	return nil
}

// Begin pauses from now on, until a later time or, when that is zero, until [End].
// A pause that lasts now ends with it.
func Begin(dir string, now, until time.Time) error {
	return change(dir, now, func(ps Pauses) Pauses { return append(ps, Pause{From: now.UTC(), Until: utc(until)}) })
}

// End ends the pause that lasts now, if one does, and forgets all pauses if they cannot be
// read.
func End(dir string, now time.Time) error {
	if _, err := Load(dir); err != nil {
		return state.At(dir).Put(kept, Pauses{})
	}
	return change(dir, now, func(ps Pauses) Pauses { return ps })
}

// change ends what lasts now, and stores what then becomes of all.
func change(dir string, now time.Time, add func(Pauses) Pauses) error {
	return state.At(dir).Update(func(t state.Tx) error {
		var ps Pauses
		if _, err := t.Get(kept, &ps); checked(ps, err) != nil {
			return checked(ps, err)
		}
		for i := range ps {
			if ps[i].holds(now) {
				ps[i].Until = now.UTC()
			}
		}
		ps = add(slices.DeleteFunc(ps, func(p Pause) bool { return p.From.Equal(p.Until) }))
		if err := t.Put(kept, ps); err != nil {
			return fmt.Errorf("remembering the pause: %w", err)
		}
		return nil
	})
}

func utc(t time.Time) time.Time {
	if t.IsZero() {
		return t
	}
	return t.UTC()
}
