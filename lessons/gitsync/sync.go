// Package gitsync makes two copies of a corpus the same, over git.
//
// The corpus is the working folder of a git repository of its own, and the user's
// git program talks to the remote. What this package adds is what git lacks: it
// commits lessons and nothing else, settles by itself what two machines decided
// on the same lesson, takes the result into the corpus through the store, so that
// it is in the journal and one step to undo, and lets no secret out.
//
// It merges and does not rebase. A merge sees each lesson once, as it was when the
// copies parted and as either has it now, which is what lets counters add and
// lists unite; a rebase would settle it once for each commit, against states that
// no person has ever seen. The histories of both sides stay as they were, and a
// crash leaves one commit, not a row of them half moved.
//
// # What is safe when
//
// A sync commits what is here, fetches, settles, takes over, and pushes. The
// corpus is locked only while files are written, all in one write. A merge
// commit is made before that write and becomes the branch after it; the ref
// refs/learnings/pending holds it meanwhile, and the journal says whether the
// write was done, so that whatever was killed in between is finished, or begun
// again, by the next sync, and no counter is added twice.
package gitsync

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"learnings/lessons"
	"learnings/lessons/store"
)

// A Redactor takes secrets out of text.
type Redactor interface {
	Redact(string) string
	Lesson(lessons.Lesson) lessons.Lesson
}

// Options say what a Copy works with.
type Options struct {
	Dir      string       // of the corpus
	State    string       // what this machine keeps about it
	Store    *store.Store // over both
	Git      string       // the program; "" when there is none
	Env      []string     // what git's processes get
	By       string       // the person, for the journal
	Terminal bool         // whether git may ask questions
	Redactor func() (Redactor, error)
	Now      func() time.Time
}

// A Copy is one copy of a corpus, and its repository.
type Copy struct {
	o        Options
	sha256   bool // how the repository names objects
	batchSSH bool // keep ssh from asking
	branch   string
	known    map[string]*doc // decoded files, by content and path
	texts    map[string][]byte
}

// At names a copy. It reads nothing.
func At(o Options) *Copy {
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Copy{o: o, known: map[string]*doc{}, texts: map[string][]byte{}}
}

// The refs of our own in the repository.
const (
	refNext    = "refs/learnings/next"    // the commit that was made last; keeps it from being collected
	refPending = "refs/learnings/pending" // what the branch is to become once the corpus is
	refRemote  = "refs/learnings/remote"  // where the remote was when the copies last met
)

// A Report is what a sync did, or would do.
type Report struct {
	Branch    string    `json:"branch"`
	Remote    string    `json:"remote,omitempty"` // its address, without a password
	DryRun    bool      `json:"dry_run,omitempty"`
	Committed Tally     `json:"committed"`         // what was decided here
	Received  Tally     `json:"received"`          // what the corpus took over
	Settled   []Settled `json:"settled,omitempty"` // lessons that both copies had changed
	Pushed    int       `json:"pushed"`            // commits
	Held      []Held    `json:"held,omitempty"`    // files of lessons that cannot be read: they stay as they are, and here
	Left      []string  `json:"left,omitempty"`    // files that are not ours: they are not committed
	Notes     []string  `json:"notes,omitempty"`
	Squashed  bool      `json:"squashed,omitempty"` // what was not pushed yet became one commit
}

// A Held file is left alone.
type Held struct {
	Path string `json:"path"`
	Line int    `json:"line,omitempty"`
	Why  string `json:"why"`
}

// What a person may ask of a sync.
type Wish struct {
	DryRun  bool // fetch, and say what would be done
	Redact  bool // take secrets out of lessons, and out of what was not pushed yet
	Rejoin  bool // accept that the history of the remote was written anew
	Removal bool // most lessons of the corpus are gone, and that is meant
}

// tries is how often a sync begins again when somebody was faster: another
// machine at the remote, or another process in the corpus.
const tries = 5

// Sync makes this copy and that of the remote the same.
func (c *Copy) Sync(ctx context.Context, w Wish) (*Report, error) {
	unlock, err := c.lock()
	if err != nil {
		return nil, err
	}
	defer unlock()
	rep := &Report{DryRun: w.DryRun, Committed: Tally{}, Received: Tally{}}
	if err := c.ready(ctx); err != nil {
		return rep, err
	}
	rep.Branch = c.branch
	remote, url, err := c.remote(ctx)
	if err != nil {
		return rep, err
	}
	rep.Remote = masked(url)
	if err := c.finish(ctx); err != nil {
		return rep, err
	}
	now, err := c.settle(ctx, w, rep)
	if err != nil {
		return rep, err
	}
	for try := 1; ; try++ {
		err := c.round(ctx, w, rep, remote, now)
		if err == nil || try == tries || !errors.Is(err, errMoved) && !errors.Is(err, lessons.ErrConflict) {
			if errors.Is(err, errMoved) {
				err = problem("try again in a moment", "the remote %s moved %d times while we synced: others are busy there", remote, tries)
			}
			return rep, err
		}
		if now, err = c.settle(ctx, w, rep); err != nil {
			return rep, err
		}
	}
}

// errMoved is a push that came too late.
var errMoved = errors.New("the remote has moved")

// round is one try to meet the remote.
func (c *Copy) round(ctx context.Context, w Wish, rep *Report, remote string, now *present) error {
	if err := c.fetch(ctx, remote); err != nil {
		return err
	}
	theirs, err := c.theirs(ctx, remote)
	if err != nil {
		return err
	}
	if err := c.integrate(ctx, w, rep, now, theirs); err != nil {
		return err
	}
	if w.DryRun {
		return c.countOut(ctx, rep, now, theirs)
	}
	return c.push(ctx, w, rep, now, remote, theirs)
}

// lock keeps two syncs of one corpus apart. It does not lock the corpus.
func (c *Copy) lock() (unlock func(), err error) {
	if err := os.MkdirAll(c.o.State, 0o700); err != nil {
		return nil, fmt.Errorf("making the state folder: %v", err)
	}
	f := flock.New(filepath.Join(c.o.State, "sync.lock"), flock.SetPermissions(0o600))
	ok, err := f.TryLock()
	if err != nil || !ok {
		_ = f.Close()
	}
	if err != nil {
		return nil, fmt.Errorf("locking: %v", err)
	}
	if !ok {
		return nil, problem("wait for it to end", "another sync of this corpus is running")
	}
	return func() { _ = f.Close() }, nil
}
