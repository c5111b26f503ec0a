package live

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"learnings/lessons/state"
)

// pausesName is the name under which the state keeps the pauses.
const pausesName = "pauses"

// A Pause is a time in which a person does not want to be listened to: hooks give and
// propose nothing, and what is said in it is not read later either. So pauses are kept
// when they are over.
type Pause struct {
	From  time.Time `json:"from"`
	Until time.Time `json:"until,omitzero"` // the first moment after it; zero: until it is ended
}

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

// Holds reports whether a time lies in a pause.
func (ps Pauses) Holds(t time.Time) bool { _, ok := ps.At(t); return ok }

// LoadPauses reads the pauses of a state folder. After an error nobody should listen.
func LoadPauses(dir string) (out Pauses, err error) {
	err = state.At(dir).View(func(t state.Tx) error { return out.load(t) })
	return out, err
}

func (ps *Pauses) load(t state.Tx) error {
	_, err := t.Get(pausesName, ps)
	if err == nil && slices.ContainsFunc(*ps, func(p Pause) bool { return p.From.IsZero() }) {
		err = errors.New("a pause that never began")
	}
	if err != nil {
		return fmt.Errorf("reading when learning was paused: %w", err)
	}
	return nil
}

// BeginPause pauses from now on, until a later time or, when that is zero, until
// [EndPause]. A pause that lasts now ends.
func BeginPause(dir string, now, until time.Time) error {
	if !until.IsZero() {
		until = until.UTC()
	}
	return changePauses(dir, now, Pause{From: now.UTC(), Until: until})
}

// EndPause ends the pause that lasts now, if one does. It forgets all pauses if they cannot
// be read.
func EndPause(dir string, now time.Time) error {
	if _, err := LoadPauses(dir); err != nil {
		return state.At(dir).Put(pausesName, Pauses{})
	}
	return changePauses(dir, now)
}

// changePauses ends what lasts now, and adds to what is left.
func changePauses(dir string, now time.Time, add ...Pause) error {
	return state.At(dir).Update(func(t state.Tx) error {
		var ps Pauses
		if err := ps.load(t); err != nil {
			return err
		}
		for i := range ps {
			if ps[i].holds(now) {
				ps[i].Until = now.UTC()
			}
		}
		ps = slices.DeleteFunc(ps, func(p Pause) bool { return p.From.Equal(p.Until) })
		if err := t.Put(pausesName, append(ps, add...)); err != nil {
			return fmt.Errorf("remembering the pause: %w", err)
		}
		return nil
	})
}
