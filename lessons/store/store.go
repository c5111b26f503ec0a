// Package store is where lessons are kept: one Markdown file for each, which
// people, git and Octomind may read and edit beside us.
//
// The files are the truth. Beside them, in the database of a state folder of this
// machine, are a journal of every write (for undo, for history, and to finish what a crash
// interrupted) and a table of the files as last seen (to notice edits by others). Any
// number of processes may use a corpus at once, and a [Store] may be used by several
// goroutines.
//
// A lesson that others changed while it was being judged is never overwritten:
// writes name the revision that they were made from. A file that cannot be read is
// reported and left alone. What a file says takes precedence over where it lies: its
// status, project and role are those of its frontmatter, and only what that lacks
// comes from its folder.
package store

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"learnings/lessons"
	"learnings/lessons/file"
	db "learnings/lessons/state"
)

// Options say where a store keeps what is not the corpus.
type Options struct {
	State    string           // the folder for database and lock; created when needed
	Now      func() time.Time // time.Now when nil
	LockWait time.Duration    // how long to wait for another writer; a second when 0
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
	table *table // of the write that happens now, or of the last search for a lesson
	watch
}

// State is the folder of database and lock.
func (s *Store) State() string { return s.state }

// Trusting gives the same corpus for a caller that makes many calls within a moment,
// as a command does. It looks for what other programs have added and changed only once
// in every d instead of at every call, and then at the folders alone when some call, of
// whichever process, looked at all files within d. What they do in between may not be
// found yet, and a lesson with the same id as one that they add is then stored beside
// it, where the next look finds both. Files that a call reads or writes are checked as
// always.
//
// When it is time to look at all files, aside is called in place of that: it has
// another process do so, soon, with a Store that does not trust. Where that fails, or
// nobody has looked for a while after it, it is as if aside were nil: the call looks
// itself.
func (s *Store) Trusting(d time.Duration, aside func() error) *Store {
	return &Store{tree: s.tree, log: s.log, db: s.db, state: s.state, now: s.now, gate: gate{state: s.state, wait: s.gate.wait}, watch: watch{trust: d, aside: aside}}
}

// Look looks at all files, records what other programs did to them, and gives the same
// corpus for a caller that looks no further for a moment.
func (s *Store) Look() (*Store, error) {
	if _, err := s.Trusting(0, nil).current(); err != nil {
		return nil, err
	}
	return s.Trusting(trusted, nil), nil
}

// trusted is for how long a look is, by whoever has had it made for some work.
const trusted = time.Minute

// Open gives the store of a corpus. It creates nothing and reads nothing: the folder
// need not exist before the first write.
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

// Get reads a lesson from its file. The error is [lessons.ErrNotFound] when there is
// none, and a [*file.Error] when the file is broken.
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
			continue // moved this very moment
		}
		l.Outside = e.outside || l.Rev != e.rev
		return l, err
	}
}

// Path gives the path of a lesson's file, for an editor to open. The file may be
// broken.
func (s *Store) Path(id lessons.ID) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e, err := s.locate(id)
	if err != nil {
		return "", err
	}
	return s.tree.full(e.path), nil
}

// Reread is Get for a lesson of which an earlier state is known, such as the one in
// an index. It is quicker when the file is still where that state put it, because
// it does not read the table of all files.
func (s *Store) Reread(l lessons.Lesson) (lessons.Lesson, error) {
	now, err := s.tree.read(file.Name(l, 1), "")
	if err == nil && now.ID == l.ID && now.Rev == l.Rev {
		now.Outside = l.Outside
		return now, nil
	}
	return s.Get(l.ID)
}

// Holds reports that the file of a lesson of which an earlier state is known is where that
// state put it, and has not changed by a byte. It reads the file and no more of it than
// that takes; where it reports false, [Store.Reread] tells what is.
func Holds(s *Store, l lessons.Lesson) bool {
	data, err := s.tree.readFile(file.Name(l, 1))
	return err == nil && bytes.Contains(data, []byte(l.ID)) && revOf(data) == l.Rev
}

// Resolve gives the one id that begins with a prefix.
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

// All reads every file, in the order of their paths. One that cannot be read yields
// a [*file.Error]; so does the second of two with the same id, naming both.
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

// everything gives the files as they are now, and those that are named like lessons but
// are not plain files.
func (s *Store) everything() ([]entry, []string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, entries, err := s.files("")
	return entries, s.odd, err
}

// doubled says that a file has the id of another.
func doubled(e entry, entries []entry) error {
	owner, _ := fileOf(e.id, entries)
	return &file.Error{Path: e.path, Err: fmt.Errorf("its id %s is also that of %s; give one of them another", e.id, owner.path)}
}

func notPlain(path string) error {
	return &file.Error{Path: path, Err: errors.New("it is not a plain file")}
}

// Odd gives the paths of what is named like a lesson and is no plain file, as of the
// last look at the files.
func (s *Store) Odd() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.odd
}

// Broken gives what is wrong with each file that was no lesson when the corpus was last
// looked at, as [Store.All] does, without those of [Store.Odd]. It reads these files
// and no others, so it costs little and may follow every look.
func (s *Store) Broken() []error {
	s.mu.Lock()
	t, err := s.known()
	s.mu.Unlock()
	if err != nil {
		return nil // the look will have failed with it
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

// locate finds the file of an id: where the table has it, if it is still there, or else
// by a look at all files.
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
