package gitsync

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"learnings/lessons"
	"learnings/lessons/file"
	"learnings/lessons/store"
)

// Options say what a Copy works with.
type Options struct {
	Dir   string             // of the corpus
	State string             // the folder of what this machine keeps about it
	Store *store.Store       // over both
	Git   string             // the program; "" if not installed
	Env   []string           // the environment of git's processes
	By    string             // the person, for the journal
	Trust []string           // the keys whose approvals count, beside Key
	Key   ed25519.PrivateKey // of this machine; nil signs nothing

	TrustEdits bool // whether what other programs wrote into the corpus needs no confirmation
	Terminal   bool // whether git may ask questions
	Redactor   Redactor
	MayLeave   func(context.Context, []lessons.Lesson) error // asked about the lessons of a push that hold no known secret; an error stops it; may be nil
	Now        func() time.Time                              // time.Now when nil

	Patience time.Duration       // with a remote that says nothing; 0 for 30 seconds, or 60 where git may ask questions
	Waiting  func(remote string) // called, at most once for each exchange, when a remote takes more than a second; may be nil
}

// A Copy is one copy of a corpus, with its repository.
type Copy struct {
	o     Options
	repo  repo
	blobs blobs
}

// At names a copy. It reads nothing.
func At(o Options) *Copy {
	if o.Now == nil {
		o.Now = time.Now
	}
	switch {
	case o.Patience != 0:
	case o.Terminal:
		o.Patience = askingTime
	default:
		o.Patience = silentTime
	}
	return &Copy{o: o, repo: repo{dir: o.Dir, program: o.Git, env: o.Env, terminal: o.Terminal, now: o.Now, patience: o.Patience, waiting: o.Waiting}}
}

// lock keeps two syncs of one corpus apart. It does not lock the corpus.
func (c *Copy) lock() (unlock func(), err error) {
	if err := os.MkdirAll(c.o.State, 0o700); err != nil {
		return nil, fmt.Errorf("making the state folder: %v", err)
	}
	f := flock.New(filepath.Join(c.o.State, "sync.lock"), flock.SetPermissions(0o600))
	ok, err := f.TryLock()
	if err == nil && ok {
		return func() { _ = f.Close() }, nil
	}
	_ = f.Close()
	if err != nil {
		return nil, fmt.Errorf("locking: %v", err)
	}
	return nil, problem("wait for it to end", "another sync of this corpus is running")
}

// open readies the repository. agreed says that a person lets git run what its own settings
// name.
func (c *Copy) open(ctx context.Context, agreed bool) error {
	err := c.repo.exists()
	if err != nil {
		return err
	}
	own, err := c.repo.ownSettings(ctx)
	if err == nil {
		err = c.checkPrograms(own, agreed)
	}
	if err == nil {
		err = c.repo.open(ctx, own)
	}
	c.blobs.SHA256 = c.repo.sha256
	return err
}

// stateAt reads the state of the corpus that a commit holds; "" is the commit
// before the first.
func (c *Copy) stateAt(ctx context.Context, commit string) (fileTree, *snapshot, error) {
	t, err := c.repo.treeOf(ctx, commit)
	if err != nil {
		return nil, nil, err
	}
	var names []string
	for p, o := range t {
		if _, have := c.blobs.Text(o.Name); !have && o.IsPlain() && (file.Is(p) || p == goneFile) {
			names = append(names, o.Name)
		}
	}
	err = c.repo.read(ctx, names, func(_ int, kind string, text []byte, err error) error {
		if err == nil && kind == "blob" {
			c.blobs.Add(text)
		}
		return nil
	})
	return t, c.blobs.State(t), err
}

func (c *Copy) commit(ctx context.Context, message string, was, is fileTree, parents ...string) (string, error) {
	return c.repo.commit(ctx, message, was, is, &c.blobs, parents...)
}

func (c *Copy) full(p string) string { return filepath.Join(c.o.Dir, filepath.FromSlash(p)) }

// readFile reads a regular file of the corpus. It returns false for anything else, such
// as a symlink, which could lead anywhere.
func (c *Copy) readFile(p string) ([]byte, bool) {
	info, err := os.Lstat(c.full(p))
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxBlob {
		return nil, false
	}
	text, err := os.ReadFile(c.full(p))
	return text, err == nil
}

// isHere reports whether a file of the corpus has the content of an object.
func (c *Copy) isHere(p string, o object) bool {
	if o == (object{}) || !safePath(p) {
		return false
	}
	text, ok := c.readFile(p)
	return ok && c.blobs.Name(text) == o.Name
}

// writeFile writes a file that is not a lesson: whole or not at all, and never
// through a symlink.
func (c *Copy) writeFile(p string, text []byte) error {
	root, err := os.OpenRoot(c.o.Dir)
	if err != nil {
		return fmt.Errorf("opening the corpus: %v", err)
	}
	defer root.Close()
	p = filepath.FromSlash(p)
	if old, err := root.ReadFile(p); err == nil && bytes.Equal(old, text) {
		return nil
	}
	temp := filepath.Join(filepath.Dir(p), ".learnings-sync.tmp")
	if err = root.MkdirAll(filepath.Dir(p), 0o700); err == nil {
		err = root.WriteFile(temp, text, 0o600)
	}
	if err == nil {
		err = root.Rename(temp, p)
	}
	if err != nil {
		return fmt.Errorf("writing %s: %v", p, err)
	}
	return nil
}

func (c *Copy) removeFile(p string) error {
	root, err := os.OpenRoot(c.o.Dir)
	if err != nil {
		return fmt.Errorf("opening the corpus: %v", err)
	}
	defer root.Close()
	if err := root.Remove(filepath.FromSlash(p)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("removing %s: %v", p, err)
	}
	return nil
}

// writeGone writes the list of what was forgotten into the corpus.
func (c *Copy) writeGone(gone map[lessons.ID]bool) error {
	if len(gone) == 0 {
		return nil
	}
	return c.writeFile(goneFile, formatGone(gone))
}
