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
	"time"

	"github.com/gofrs/flock"
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
