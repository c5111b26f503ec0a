package store

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

const (
	lockName     = "lock"
	damagedName  = "journal.damaged-"   // unreadable journals of earlier versions
	lockPause    = 3 * time.Millisecond // between two writes, so that others can get the lock
	lockPoll     = time.Millisecond     // between two attempts
	lockPatience = time.Second
)

// A gate is one Store's handle on the lock of a corpus.
type gate struct {
	state    string
	wait     time.Duration
	released time.Time // when this Store last released it
}

// lock locks the corpus for writing; Store.mu must be held. It waits for other processes
// and Stores up to Options.LockWait. The lock's file is never removed, because then two
// processes could each hold a lock.
func (g *gate) lock() (unlock func(), err error) {
	if err := os.MkdirAll(g.state, 0o700); err != nil {
		return nil, fmt.Errorf("making the state folder: %v", err)
	}
	// Others poll for the lock: a process that writes in a loop would starve them.
	if free := time.Since(g.released); free < lockPause {
		time.Sleep(lockPause - free)
	}
	ctx, cancel := context.WithTimeout(context.Background(), g.wait)
	defer cancel()
	f := flock.New(g.path(), flock.SetPermissions(0o600))
	if ok, err := f.TryLockContext(ctx, lockPoll); !ok {
		_ = f.Close()
		if ctx.Err() != nil {
			return nil, fmt.Errorf("another process has been writing to the corpus for %v; try again (lock: %s)", g.wait, g.path())
		}
		return nil, fmt.Errorf("locking the corpus: %v", err)
	}
	return func() { _ = f.Close(); g.released = time.Now() }, nil
}

// Contended reports whether another process is writing to the corpus at this moment.
func (s *Store) Contended() bool {
	if _, err := os.Stat(s.gate.path()); err != nil {
		return false // create no lock file
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	unlock, err := s.gate.tryLock()
	if unlock != nil {
		unlock()
	}
	return err == nil && unlock == nil
}

func (g *gate) path() string { return filepath.Join(g.state, lockName) }

// insist takes the lock if really is set. If it cannot, it continues without.
func (g *gate) insist(really bool) (unlock func()) {
	if really {
		if unlock, err := g.lock(); err == nil {
			return unlock
		}
	}
	return func() {}
}

// tryLock returns a nil unlock and no error if another process has the lock.
func (g *gate) tryLock() (unlock func(), err error) {
	f := flock.New(g.path(), flock.SetPermissions(0o600))
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
