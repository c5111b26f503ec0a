// Package gitsync makes two copies of a corpus the same, over git.
//
// The corpus is the working folder of a git repository of its own, and the user's
// git program talks to the remote. This package adds what git lacks: it commits
// lessons and nothing else; settles by itself what two machines decided on the same
// lesson, with [merge3]; takes the result into the corpus through the store, so that
// it is in the journal and undone in one step; and lets no secret out.
//
// It merges and does not rebase. A merge sees each lesson once, as it was when the
// copies parted and as either has it now, so counters can be added and lists
// joined; a rebase would settle it once for each commit, against states that no
// person has ever seen. The histories of both sides stay as they were, and a crash
// leaves one commit, not a series of them half moved.
//
// # Who decides
//
// An approval puts a text into every coming session, so one that comes in counts
// only when the person here made it, on another machine, or [Options.Trust] names
// its maker. Any other arrives as a proposal that says who approved it
// ([lessons.Lesson.Withheld]). So does a text that must be looked at
// ([lessons.Dangers]), whoever approved it, unless it was approved here already in
// the same words. A name in a file proves nothing: whoever may push can write any.
// That is why danger does not ask for names, and why the names are for people who
// share a remote and not against those who attack it.
//
// Rejections, archivings and merges are taken in from anybody. They take text out
// of sessions and put none in, the survivor of a merge is subject to the rule for
// approvals, all of it is in the journal, and one undo takes it back.
//
// What waits here is approved for those who approved it, and a sync must not tell
// them otherwise. So a withheld lesson differs in this corpus from what its commit
// says: the commit goes on saying "approved by ada", and only the file in the
// working folder is a proposal. The difference is in that file alone, because the
// proposal holds all that it takes to say what the commit says; there is no other
// record that could get lost. What is done to a proposal while it waits is
// committed as it is for any lesson, but for its words, which would go out under the
// name of somebody who has not seen them, and for a snooze. With the person's own
// decision the difference ends.
//
// What another program wrote into the corpus and nobody has confirmed
// ([lessons.Lesson.Outside]) is in nobody's name: if it is approved, it is neither
// committed nor changed by a sync until it is confirmed. Else it would arrive on the
// person's next machine as their own approval.
//
// # What is safe when
//
// A sync commits what is here, fetches, merges, takes over, and pushes. The corpus
// is locked only while files are written, all in one write. A merge commit is made
// before that write and becomes the branch after it; the ref refs/learnings/pending
// holds it meanwhile, and the journal says whether the write was done. So whatever
// was killed in between is finished, or begun again, by the next sync, and no
// counter is added twice.
package gitsync

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"learnings/lessons"
)

// tries is how often a sync starts over because another machine changed the remote,
// or another process the corpus, in the meantime.
const tries = 5

// Sync makes this copy and that of the remote the same. The report is valid, as
// far as the sync came, even when there is an error; it is nil only when another
// sync is running.
func (c *Copy) Sync(ctx context.Context, w Wish) (*Report, error) {
	unlock, err := c.lock()
	if err != nil {
		return nil, err
	}
	defer unlock()
	r := c.begin(w)
	return r.rep, r.sync(ctx)
}

func (r *run) sync(ctx context.Context) error {
	if err := r.open(ctx); err != nil {
		return err
	}
	r.rep.Branch = r.repo.branch
	remote, url, err := r.repo.remote(ctx)
	if err != nil {
		return err
	}
	r.remote, r.rep.Remote = remote, masked(url)
	if err := r.finish(ctx); err != nil {
		return err
	}
	for try := 1; ; try++ {
		if err := r.commitPresent(ctx); err != nil {
			return err
		}
		err := r.round(ctx)
		moved := errors.Is(err, errMoved)
		switch {
		case try < tries && (moved || errors.Is(err, lessons.ErrConflict)):
			continue
		case moved:
			return problem("try again in a moment", "the remote %s moved %d times while we synced: others are busy there", remote, tries)
		}
		return err
	}
}

// round is one attempt at a sync.
func (r *run) round(ctx context.Context) (err error) {
	if err := r.repo.fetch(ctx, r.remote); err != nil {
		return err
	}
	if r.theirs, err = r.repo.theirs(ctx, r.remote); err != nil {
		return err
	}
	if err := r.integrate(ctx); err != nil {
		return err
	}
	if r.wish.DryRun {
		return r.countOut(ctx)
	}
	return r.push(ctx)
}

// countOut says what a dry run would push: the commits that are here, the one of
// what is not committed, and that of a merge.
func (r *run) countOut(ctx context.Context) (err error) {
	if r.now.head != "" && r.theirs != r.now.head {
		if r.rep.Pushed, err = r.repo.countBetween(ctx, r.theirs, r.now.head); err != nil {
			return err
		}
	}
	if r.now.dirty {
		r.rep.Pushed++
	}
	if r.rep.Pushed > 0 && len(r.rep.Received) > 0 {
		r.rep.Pushed++
	}
	return nil
}

// Init makes the corpus a repository if needed, commits its contents, and sets the remote
// ("" for none). It sends nothing.
func (c *Copy) Init(ctx context.Context, remote string) (*Report, error) {
	unlock, err := c.lock()
	if err != nil {
		return nil, err
	}
	defer unlock()
	r := c.begin(Wish{})
	return r.rep, r.init(ctx, remote)
}

func (r *run) init(ctx context.Context, remote string) error {
	if remote != "" {
		if err := checkURL(remote); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(r.o.Dir, 0o700); err != nil {
		return fmt.Errorf("making the corpus: %v", err)
	}
	if err := r.repo.checkGit(); err != nil {
		return err
	}
	missing := func(name string) bool {
		_, err := os.Lstat(filepath.Join(r.o.Dir, name))
		return errors.Is(err, fs.ErrNotExist)
	}
	if missing(".git") {
		if err := r.repo.create(ctx, remote); err != nil {
			return err
		}
	}
	if err := r.open(ctx); err != nil {
		return err
	}
	r.rep.Branch = r.repo.branch
	for name, text := range map[string]string{ignoreFile: ignored, attributesFile: attributes} {
		if missing(name) {
			if err := r.writeFile(name, []byte(text)); err != nil {
				return err
			}
		}
	}
	if remote != "" {
		if err := r.repo.setRemote(ctx, remote); err != nil {
			return err
		}
		r.rep.Remote = masked(remote)
	}
	if err := r.finish(ctx); err != nil {
		return err
	}
	return r.commitPresent(ctx)
}

// Remote gives the remote another address, or names one.
func (c *Copy) Remote(ctx context.Context, url string) error {
	unlock, err := c.lock()
	if err != nil {
		return err
	}
	defer unlock()
	if err := checkURL(url); err != nil {
		return err
	}
	if err := c.open(ctx); err != nil {
		return err
	}
	return c.repo.setRemote(ctx, url)
}

// Status returns how the copy stands to the remote, without talking to it. It changes
// nothing.
func (c *Copy) Status(ctx context.Context) (*Status, error) {
	if err := c.open(ctx); err != nil {
		return nil, err
	}
	s := &Status{}
	return s, s.stopped(c.begin(Wish{DryRun: true}).status(ctx, s))
}

func (r *run) status(ctx context.Context, s *Status) error {
	s.Branch = r.repo.branch
	if err := r.commitPresent(ctx); err != nil {
		return err
	}
	s.Changed, s.Held, s.Left = r.rep.Committed, r.rep.Held, r.rep.Left
	return r.repo.distance(ctx, s, r.now.head)
}

// Standing is Status as far as git knows, without reading lessons. It returns nil if the
// corpus is not a repository.
func (c *Copy) Standing(ctx context.Context) (*Status, error) {
	if _, err := os.Lstat(c.full(".git")); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	s := &Status{}
	err := c.open(ctx)
	if err == nil {
		s.Branch = c.repo.branch
		var head string
		if head, err = c.repo.commitAt(ctx, "HEAD"); err == nil {
			err = c.repo.distance(ctx, s, head)
		}
	}
	return s, s.stopped(err)
}

// stopped notes what would stop a sync, and gives any other error.
func (s *Status) stopped(err error) error {
	stop := (*Error)(nil)
	if !errors.As(err, &stop) {
		return err
	}
	s.Problem, s.Hint = stop.Error(), stop.Hint
	return nil
}

// distance says how far a commit, "" for none, is from the remote as last fetched.
func (r *repo) distance(ctx context.Context, s *Status, head string) error {
	remote, url, err := r.remote(ctx)
	s.Remote = masked(url)
	if err != nil {
		return err
	}
	theirs, err := r.theirs(ctx, remote)
	if err != nil || head == "" {
		return err
	}
	if s.Ahead, err = r.countBetween(ctx, theirs, head); err == nil && theirs != "" {
		s.Behind, err = r.countBetween(ctx, head, theirs)
	}
	return err
}
