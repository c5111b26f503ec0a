package store

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

const (
	lockName     = "lock"
	journalName  = "journal.jsonl"
	tableName    = "files"
	tornName     = "journal.torn"     // what a crash left half written, kept aside
	damagedName  = "journal.damaged-" // what could not be read, kept aside
	lockPoll     = time.Millisecond
	lockPause    = 3 * time.Millisecond // between two writes, for others to get the lock
	lockPatience = time.Second
)

// A gate is the lock of a corpus as one Store takes it.
type gate struct {
	state    string
	wait     time.Duration
	released time.Time // when this Store last released it
}

// lock locks the corpus for writing; Store.mu must be held. It waits for other
// processes, and other Stores of this one, up to Options.LockWait. The lock's file is
// never removed, because then two processes could hold two locks.
func (g *gate) lock() (unlock func(), err error) {
	if err := os.MkdirAll(g.state, 0o700); err != nil {
		return nil, fmt.Errorf("making the state folder: %v", err)
	}
	// A lock that is polled for has no queue: a process that writes in a loop would
	// take it again before any other had looked.
	if free := time.Since(g.released); free < lockPause {
		time.Sleep(lockPause - free)
	}
	for end := time.Now().Add(g.wait); ; time.Sleep(lockPoll) {
		unlock, err := g.tryLock()
		if err != nil {
			return nil, err
		}
		if unlock != nil {
			return func() { unlock(); g.released = time.Now() }, nil
		}
		if time.Now().After(end) {
			return nil, fmt.Errorf("another process has been writing to the corpus for %v; try again (lock: %s)", g.wait, filepath.Join(g.state, lockName))
		}
	}
}

// insist locks if so told. If the lock cannot be had, it goes on without it.
func (g *gate) insist(really bool) (unlock func()) {
	if really {
		if unlock, err := g.lock(); err == nil {
			return unlock
		}
	}
	return func() {}
}

// tryLock gives neither a lock nor an error when another process has it.
func (g *gate) tryLock() (unlock func(), err error) {
	f := flock.New(filepath.Join(g.state, lockName), flock.SetPermissions(0o600))
	ok, err := f.TryLock()
	if err != nil {
		_ = f.Close()
		return nil, fmt.Errorf("locking the corpus: %v", err)
	}
	if !ok {
		_ = f.Close()
		return nil, nil
	}
	return func() { _ = f.Close() }, nil
}
