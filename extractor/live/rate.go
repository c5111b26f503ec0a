package live

import (
	"fmt"
	"time"

	"learnings/lessons/state"
)

// A Rate bounds how often something is done in the background, across all
// processes: it is the last line of defence against anything that keeps starting
// itself.
type Rate struct {
	State string
	Name  string // key in the state
	Most  int    // within Span
	Span  time.Duration
}

// Allow counts one more and reports whether it may be done. It may not if the count
// cannot be saved.
func (r Rate) Allow(now time.Time) (allowed bool, err error) {
	err = state.At(r.State).Update(func(t state.Tx) error {
		var past, recent []time.Time
		if _, err := t.Get(r.Name, &past); err != nil {
			return err
		}
		for _, at := range past {
			if d := now.Sub(at); d >= 0 && d < r.Span {
				recent = append(recent, at)
			}
		}
		if allowed = len(recent) < r.Most; allowed {
			return t.Put(r.Name, append(recent, now.UTC()))
		}
		return nil
	})
	if err != nil {
		return false, fmt.Errorf("counting what is done: %w", err)
	}
	return allowed, nil
}
