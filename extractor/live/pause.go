package live

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"learnings/lessons/state"
)

// pausesName is the key of the pauses in the state.
const pausesName = "pauses"

// A Pause is a time in which a person does not want to be listened to: hooks give and
// propose nothing, and what was said is not read later either. So pauses are kept after
// they end.
type Pause struct {
	From  time.Time `json:"from"`
	Until time.Time `json:"until,omitzero"` // the first moment after it; zero if it has not ended
}

func (p Pause) holds(t time.Time) bool {
	return !t.Before(p.From) && (p.Until.IsZero() || t.Before(p.Until))
}

// Pauses are all pauses so far, unordered.
type Pauses []Pause

// At returns the pause that contains a time; of several, the one that ends last.
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

// LoadPauses reads the pauses of a state folder. After an error the caller should not
// listen.
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

// BeginPause starts a pause that lasts until a time, or until [EndPause] if that is
// zero. It ends the current pause.
func BeginPause(dir string, now, until time.Time) error {
	if !until.IsZero() {
		until = until.UTC()
	}
	return changePauses(dir, now, Pause{From: now.UTC(), Until: until})
}

// EndPause ends the current pause, if any. It deletes all pauses if they cannot be
// read.
func EndPause(dir string, now time.Time) error {
	if _, err := LoadPauses(dir); err != nil {
		return state.At(dir).Put(pausesName, Pauses{})
	}
	return changePauses(dir, now)
}

// changePauses ends the current pause and adds others.
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
