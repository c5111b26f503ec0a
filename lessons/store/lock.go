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
	damagedName  = "journal.damaged-"   // what earlier versions could not read, kept aside
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
	// Who is next in line has to wake up first: a process that writes in a loop would take
	// the lock again before that.
	if free := time.Since(g.released); free < lockPause {
		time.Sleep(lockPause - free)
	}
	release, err := g.tryLock()
	if err == nil && release == nil {
		release, err = g.queue()
	}
	if err != nil {
		return nil, err
	}
	return func() { release(); g.released = time.Now() }, nil
}

// queue waits for the lock where the system lines up who waits, so that nobody is passed
// over again and again. When the time is over the lock is given back as soon as it comes.
func (g *gate) queue() (release func(), err error) {
	f := flock.New(g.path(), flock.SetPermissions(0o600))
	got := make(chan error, 1)
	go func() { got <- f.Lock() }()
	late := time.NewTimer(g.wait)
	defer late.Stop()
	select {
	case err := <-got:
		if err != nil {
			_ = f.Close()
			return nil, fmt.Errorf("locking the corpus: %v", err)
		}
		return func() { _ = f.Close() }, nil
	case <-late.C:
		go func() {
			<-got
			_ = f.Close()
		}()
		return nil, fmt.Errorf("another process has been writing to the corpus for %v; try again (lock: %s)", g.wait, g.path())
	}
}

// Contended reports whether another process is writing to the corpus at this moment.
func (s *Store) Contended() bool {
	if _, err := os.Stat(s.gate.path()); err != nil {
		return false // and leave none where there is none
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
