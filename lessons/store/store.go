// Package store keeps lessons as Markdown files, one each, which people, git and Octomind
// may read and edit too.
//
// The files are the truth. A database in a state folder of this machine has a journal of
// every write (for undo, history and crash recovery) and a table of the files as last
// seen (to notice edits by others). Any number of processes may use a corpus at once, and
// a [Store] is safe for concurrent use.
//
// A lesson that others have changed is never overwritten: writes name the revision that
// they are based on. Unreadable files are reported and not touched. The content of a file
// takes precedence over its path, which only supplies a missing status, project or role.
package store

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"learnings/lessons"
	"learnings/lessons/file"
	db "learnings/lessons/state"
)

// Options say where a store keeps its state, and how it works.
type Options struct {
	State    string           // the folder for database and lock; created on demand
	Now      func() time.Time // time.Now if nil
	LockWait time.Duration    // how long to wait for another writer; a second if 0
}

// A Store is a corpus of lessons.
type Store struct {
	tree  tree
	log   journal
	db    db.DB
	state string // the folder of database and lock
	now   func() time.Time

	mu    sync.Mutex
	gate  gate
	table *table          // of the write under way, or of the last lookup of a lesson
	made  map[uint64]bool // the writes made through this Store
	watch
}

// State returns the folder of database and lock.
func (s *Store) State() string { return s.state }

// Trusting returns the same corpus for a caller that makes many calls in a short time, as
// a command does. It checks for changes by other programs only once every d, and then
// only the folders if any process scanned all files within d. Changes made in between may
// be missed; a lesson whose id another program has just used is then stored beside the
// other, and the next scan finds both. Files that a call reads or writes are always
// checked.
//
// When a full scan is due, aside is called instead: it has another process do one soon,
// with a Store that does not trust. If aside is nil or fails, or no scan happens for a
// while, the call scans itself.
func (s *Store) Trusting(d time.Duration, aside func() error) *Store {
	return &Store{tree: s.tree, log: s.log, db: s.db, state: s.state, now: s.now, gate: gate{state: s.state, wait: s.gate.wait}, watch: watch{trust: d, aside: aside}}
}

// Look scans all files, records what other programs did, and returns the same corpus for
// a caller that needs no further scans for a moment.
func (s *Store) Look() (*Store, error) {
	if _, err := s.Trusting(0, nil).current(); err != nil {
		return nil, err
	}
	return s.Trusting(trusted, nil), nil
}

// trusted is how long the Store from Look trusts its scan.
const trusted = time.Minute

// Open returns the store of a corpus. It creates and reads nothing: the folder need not
// exist before the first write.
func Open(dir string, o Options) (*Store, error) {
	if dir == "" || o.State == "" {
		return nil, errors.New("opening a corpus: it needs a folder and one for its state")
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("opening the corpus: %v", err)
	}
	state, err := filepath.Abs(o.State)
	if err != nil {
		return nil, fmt.Errorf("opening the corpus: %v", err)
	}
	if info, err := os.Stat(abs); err == nil && !info.IsDir() {
		return nil, fmt.Errorf("opening the corpus: %s is not a folder", abs)
	}
	s := &Store{tree: tree{abs}, log: journal{db.At(state)}, db: db.At(state), state: state, now: o.Now, gate: gate{state: state, wait: cmp.Or(o.LockWait, lockPatience)}}
	if s.now == nil {
		s.now = time.Now
	}
	return s, nil
}

// Get reads a lesson from its file. The error is [lessons.ErrNotFound] if there is none,
// and a [*file.Error] if the file is broken.
func (s *Store) Get(id lessons.ID) (lessons.Lesson, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for try := 1; ; try++ {
		e, err := s.locate(id)
		if err != nil {
			return lessons.Lesson{}, err
		}
		l, err := s.tree.read(e.path, e.id)
		if errors.Is(err, lessons.ErrNotFound) && try < tries {
			continue // just moved
		}
		l.Outside = e.outside || l.Rev != e.rev
		return l, err
	}
}

// Path returns the path of a lesson's file, for an editor. The file may be broken.
func (s *Store) Path(id lessons.ID) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e, err := s.locate(id)
	if err != nil {
		return "", err
	}
	return s.tree.full(e.path), nil
}

// Reread is Get for a caller that has an earlier state of the lesson, such as from an
// index. If the file is still at that state's path it is faster, because it does not read
// the table.
func (s *Store) Reread(l lessons.Lesson) (lessons.Lesson, error) {
	now, err := s.tree.read(file.Name(l, 1), "")
	if err == nil && now.ID == l.ID && now.Rev == l.Rev {
		now.Outside = l.Outside
		return now, nil
	}
	return s.Get(l.ID)
}

// Holds reports whether the file of l is where l's state put it and unchanged to the
// byte. It reads only that file. If it returns false, [Store.Reread] tells what changed.
func Holds(s *Store, l lessons.Lesson) bool {
	data, err := s.tree.readFile(file.Name(l, 1))
	return err == nil && bytes.Contains(data, []byte(l.ID)) && revOf(data) == l.Rev
}

// Resolve returns the only id that begins with a prefix.
func (s *Store) Resolve(prefix string) (lessons.ID, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if prefix == "" {
		return "", fmt.Errorf("%w: an empty id", lessons.ErrNotFound)
	}
	prefix = lessons.Cited(prefix)
	if e, err := s.locate(lessons.ID(prefix)); err == nil {
		return e.id, nil
	} else if !errors.Is(err, lessons.ErrNotFound) {
		return "", err
	}
	_, entries, err := s.files("")
	if err != nil {
		return "", err
	}
	var ids []string
	for _, e := range entries {
		if strings.HasPrefix(string(e.id), prefix) && e.kind != double {
			ids = append(ids, string(e.id))
		}
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	switch len(ids) {
	case 0:
		return "", fmt.Errorf("%w: %s", lessons.ErrNotFound, prefix)
	case 1:
		return lessons.ID(ids[0]), nil
	}
	more := ""
	if len(ids) > 5 {
		ids, more = ids[:5], " and more"
	}
	return "", fmt.Errorf("%q is the beginning of several lessons: %s%s", prefix, strings.Join(ids, ", "), more)
}

// All yields the lessons of all files, in path order. An unreadable file yields a
// [*file.Error]; so does the second of two with the same id, naming both.
func (s *Store) All() iter.Seq2[lessons.Lesson, error] {
	return func(yield func(lessons.Lesson, error) bool) {
		entries, odd, err := s.everything()
		if err != nil {
			yield(lessons.Lesson{}, err)
			return
		}
		for e, r := range s.tree.readEach(entries) {
			l, err := r.lesson, r.err
			if errors.Is(err, lessons.ErrNotFound) && e.kind == good {
				l, err = s.Get(e.id) // moved meanwhile
			}
			if errors.Is(err, lessons.ErrNotFound) {
				continue // gone
			}
			l.Outside = l.Outside || e.outside || l.Rev != e.rev
			if err == nil && e.kind == double {
				err = doubled(e, entries)
			}
			if !yield(l, err) {
				return
			}
		}
		for _, p := range odd {
			if !yield(lessons.Lesson{}, notPlain(p)) {
				return
			}
		}
	}
}

// everything returns the files as they are now, and the paths that are named like lessons
// but are not regular files.
func (s *Store) everything() ([]entry, []string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, entries, err := s.files("")
	return entries, s.odd, err
}

// doubled returns the error for a file with the id of another.
func doubled(e entry, entries []entry) error {
	owner, _ := fileOf(e.id, entries)
	return &file.Error{Path: e.path, Err: fmt.Errorf("its id %s is also that of %s; give one of them another", e.id, owner.path)}
}

func notPlain(path string) error {
	return &file.Error{Path: path, Err: errors.New("it is not a plain file")}
}

// Odd returns the paths that are named like a lesson but are not regular files, as of the
// last scan.
func (s *Store) Odd() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.odd
}

// Broken returns the errors of the files that were invalid at the last scan, as
// [Store.All] does, without those of [Store.Odd]. It reads only these files, so it is
// cheap enough to call after every scan.
func (s *Store) Broken() []error {
	s.mu.Lock()
	t, err := s.known()
	s.mu.Unlock()
	if err != nil {
		return nil // the scan has reported it
	}
	var out []error
	for _, e := range t.entries("WHERE kind <> ?", string(good)) {
		if e.kind == double {
			out = append(out, doubled(e, t.of(e.id)))
		} else if _, err := s.tree.read(e.path, e.id); errors.As(err, new(*file.Error)) {
			out = append(out, err)
		}
	}
	return out
}

// locate finds the file of an id: where the table has it or else by a full scan.
func (s *Store) locate(id lessons.ID) (entry, error) {
	none := fmt.Errorf("%w: %s", lessons.ErrNotFound, id)
	t, err := s.known()
	if err != nil {
		return entry{}, err
	}
	if e, ok := t.find(id); ok {
		if got, err := s.tree.identify(e); err == nil && got == id {
			return e, nil
		}
	} else if s.justLooked() {
		return entry{}, none
	}
	_, entries, err := s.files(id)
	if err != nil {
		return entry{}, err
	}
	if e, ok := fileOf(id, entries); ok {
		return e, nil
	}
	return entry{}, none
}

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
