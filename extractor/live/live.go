// Package live follows sessions while they happen. It has two ways:
//
//   - An agent's hook leaves a [Notice] in a [Spool], which takes a millisecond,
//     and starts a [Worker] unless one runs. The worker deals with what is in
//     the spool and with what no hook has told of, and ends.
//   - A [Watch] looks at the sizes of transcripts for as long as a person wants,
//     and has the worker deal with those that have grown.
//
// There is no daemon. Of all processes on a machine one at a time works for a
// corpus, by a lock that the system gives back when the process ends, however
// it ends. What to do with a transcript is the caller's to say.
//
// The package keeps the spool and a count of what was asked lately in the
// state folder. Both can be deleted: what was in them is found by the next
// worker's look around.
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

// ErrBusy says that another process works for this corpus.
var ErrBusy = errors.New("another process is taking lessons from sessions of this corpus")

// ErrLater is what [Options].Take returns when it did not deal with all files and
// wants to be asked again by a later worker.
var ErrLater = errors.New("put off to a later time")

const (
	lockName = "worker.lock"
	lockPoll = 10 * time.Millisecond
	// lockWait is for those who hold the lock to see whether it is held.
	lockWait = 200 * time.Millisecond
)

// Running reports whether a process works for the corpus of this state folder.
// What it finds wrong is no sign that one does.
func Running(state string) bool {
	if _, err := os.Stat(filepath.Join(state, lockName)); err != nil {
		return false
	}
	l := flock.New(filepath.Join(state, lockName), flock.SetPermissions(0o600))
	defer l.Close()
	ok, err := l.TryRLock() // several may look at the same time
	return err == nil && !ok
}

// lock takes the place of the one who works, or gives [ErrBusy].
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
