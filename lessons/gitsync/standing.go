package gitsync

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// A Standing is how a copy stands as far as git alone tells, without a look at lessons.
type Standing struct {
	Status          // without Changed, Held and Left
	None       bool // the corpus is no repository: it is not synced
	Unfinished bool // a sync was cut short; the next one finishes it
	Locks      []string
}

// oldLock is how long a lock of git's must lie to be one that a crash has left: git holds
// none for longer than it takes to write a file.
const oldLock = 10 * time.Minute

// Standing returns how the copy stands. It is quick, whatever is in the corpus, talks to
// no remote and changes nothing. Locks are paths of files that keep every git from
// writing, and that no git holds any more.
func (c *Copy) Standing(ctx context.Context) (*Standing, error) {
	s := &Standing{}
	if _, err := os.Lstat(filepath.Join(c.o.Dir, ".git")); errors.Is(err, fs.ErrNotExist) {
		s.None = true
		return s, nil
	}
	err := c.stand(ctx, s)
	if stop := (*Error)(nil); errors.As(err, &stop) {
		s.Problem, s.Hint = stop.Error(), stop.Hint
		err = nil
	}
	return s, err
}

func (c *Copy) stand(ctx context.Context, s *Standing) error {
	if err := c.open(ctx); err != nil {
		return err
	}
	s.Branch = c.repo.branch
	dir, err := c.repo.line(ctx, "rev-parse", "--absolute-git-dir")
	if err != nil {
		return err
	}
	for _, name := range []string{"index.lock", "HEAD.lock", "config.lock", "packed-refs.lock"} {
		path := filepath.Join(dir, name)
		if info, err := os.Lstat(path); err == nil && time.Since(info.ModTime()) > oldLock {
			s.Locks = append(s.Locks, path)
		}
	}
	pending, err := c.repo.commitAt(ctx, refPending)
	if err != nil {
		return err
	}
	s.Unfinished = pending != ""
	head, err := c.repo.commitAt(ctx, "HEAD")
	if err != nil {
		return err
	}
	return c.repo.distance(ctx, &s.Status, head)
}
