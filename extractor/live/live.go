// Package live follows sessions while they happen. It has two ways:
//
//   - An agent's hook leaves a [Notice] in a [Spool], which takes a millisecond,
//     and starts a [Worker] unless one runs. The worker handles the notices in
//     the spool and the sessions that no hook reported, and exits.
//   - A [Watch] checks the sizes of transcripts for as long as a person wants,
//     and has the worker handle those that have grown.
//
// There is no daemon. On each machine, one process at a time works for a corpus.
// It holds a lock that the system releases when the process ends, however it
// ends. The caller decides what to do with a transcript.
//
// The package keeps the spool and a record of recent model calls in the state
// folder. Both can be deleted: the next worker finds the sessions itself.
package live

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/gofrs/flock"

	"learnings/lessons/state"
)

// ErrBusy means that another process is working for this corpus.
var ErrBusy = errors.New("another process is taking lessons from sessions of this corpus")

// ErrLater is what [Options].Take returns if it did not handle all files and a
// later worker is to call it again.
var ErrLater = errors.New("put off to a later time")

const (
	lockName = "worker.lock"
	lockPoll = 10 * time.Millisecond
	// lockWait outlasts a process that takes the lock only to see whether it is held.
	lockWait = 200 * time.Millisecond
)

// Running reports whether a process is working for the corpus of this state folder.
// If that cannot be found out, it reports false.
func Running(state string) bool {
	if _, err := os.Stat(filepath.Join(state, lockName)); err != nil {
		return false
	}
	l := flock.New(filepath.Join(state, lockName), flock.SetPermissions(0o600))
	defer l.Close()
	ok, err := l.TryRLock() // several processes may check at the same time
	return err == nil && !ok
}

// lock makes this the process that works, or returns [ErrBusy].
func lock(ctx context.Context, state string) (unlock func(), err error) {
	if err := os.MkdirAll(state, 0o700); err != nil {
		return nil, fmt.Errorf("making the state folder: %w", err)
	}
	l := flock.New(filepath.Join(state, lockName), flock.SetPermissions(0o600))
	wait, cancel := context.WithTimeout(ctx, lockWait)
	defer cancel()
	ok, err := l.TryLockContext(wait, lockPoll)
	switch {
	case ok:
		return func() { _ = l.Close() }, nil
	case ctx.Err() != nil:
		err = ctx.Err()
	case err == nil || errors.Is(err, context.DeadlineExceeded):
		err = ErrBusy
	default:
		err = fmt.Errorf("locking %s: %w", lockName, err)
	}
	_ = l.Close()
	return nil, err
}

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
