// Package pause remembers when a person did not want to be listened to. While a
// pause lasts, hooks give and propose nothing; what was said in one is not read
// later either, so pauses are kept when they are over.
//
// They are a small file in the state folder. Without it there never was a pause;
// one that cannot be read is an error, on which nobody should listen.
package pause

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"learnings/lessons/atomicfile"
)

// name is that of the file; maxSize bounds what is read of it, some 10,000 pauses.
const (
	name    = "pauses.json"
	maxSize = 1 << 20
)

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
func Load(state string) (Pauses, error) {
	f, err := os.Open(filepath.Join(state, name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, fmt.Errorf("reading when learning was paused: %w", err)
	}
	defer f.Close()
	var out Pauses
	data, err := io.ReadAll(io.LimitReader(f, maxSize))
	if err == nil {
		err = json.Unmarshal(data, &out)
	}
	if err == nil && slices.ContainsFunc(out, func(p Pause) bool { return p.From.IsZero() }) {
		err = errors.New("a pause that never began")
	}
	if err != nil {
		return nil, fmt.Errorf("reading when learning was paused, in %s: %w", f.Name(), err)
	}
	return out, nil
}

// Begin pauses from now on, until a later time or, when that is zero, until [End].
// A pause that lasts now ends with it.
func Begin(state string, now, until time.Time) error {
	return change(state, now, func(ps Pauses) Pauses { return append(ps, Pause{From: now.UTC(), Until: utc(until)}) })
}

// End ends the pause that lasts now, if one does.
func End(state string, now time.Time) error {
	return change(state, now, func(ps Pauses) Pauses { return ps })
}

// change ends what lasts now, and writes what then becomes of all.
func change(state string, now time.Time, add func(Pauses) Pauses) error {
	ps, err := Load(state)
	if err != nil {
		return err
	}
	for i := range ps {
		if ps[i].holds(now) {
			ps[i].Until = now.UTC()
		}
	}
	ps = add(slices.DeleteFunc(ps, func(p Pause) bool { return p.From.Equal(p.Until) }))
	data, err := json.Marshal(ps)
	if err == nil {
		err = os.MkdirAll(state, 0o700)
	}
	if err == nil {
		err = atomicfile.Write(filepath.Join(state, name), func(w io.Writer) error {
			_, err := w.Write(append(data, '\n'))
			return err
		})
	}
	if err != nil {
		return fmt.Errorf("remembering the pause: %w", err)
	}
	return nil
}

func utc(t time.Time) time.Time {
	if t.IsZero() {
		return t
	}
	return t.UTC()
}
