// Package gitsync syncs two copies of a corpus over git.
//
// The corpus is the working folder of its own git repository, and the user's git program
// talks to the remote. This package adds what git lacks: it commits only lessons; merges
// what two machines decided on the same lesson; applies the result through the store, so
// that it is journaled and undone in one step; and sends no secrets.
//
// It merges and does not rebase. A merge sees each lesson once, as it was when the copies
// parted and as each has it now, so counters can be added and lists joined. A rebase would
// settle it once per commit, against states that no person has ever seen. Both histories
// stay as they were, and a crash leaves one commit, not half of a series.
//
// # Who decides
//
// An approval puts a text into every coming session, so an arriving one counts only if it
// is signed: by the key of this machine, or by one that [Options.Trust] lists. The
// signature must cover all that changes what sessions are given ([lessons.Lesson.Given]).
// Any other arrives as a proposal that says who approved it ([lessons.Lesson.Withheld]), as
// does what was signed before the last decision here, and so does a change to what is in
// force. So does a text with [lessons.Dangers], unless the same was already approved here.
// A name in a file proves nothing, since anyone who can push can write any name.
//
// A sync signs what is in force here and has no signature that covers it: what was decided
// or changed here, and what a merge has put together of two versions that count.
//
// Rejections, archivings and merges are accepted from anybody. They only take text out of
// sessions, the survivor of a merge is subject to the rule for approvals, all of it is
// journaled, and one undo reverts it.
//
// A lesson that waits here is approved for those who approved it, and a sync must not
// change that for them. So a withheld lesson differs from its commit: the commit still
// says "approved by ada", and only the file in the working folder is a proposal, which
// holds all that is needed to restore the commit's text. Of changes to a waiting proposal,
// only evidence and uses are committed: the rest would go out in the name of somebody who
// has not seen it. The person's own decision ends the difference.
//
// An approved lesson that another program wrote into the corpus and nobody has confirmed
// ([lessons.Lesson.Outside]) is neither committed nor changed by a sync. Otherwise it would
// arrive on the person's next machine as their own approval.
//
// # What is safe when
//
// A sync commits, fetches, merges, applies the result, and pushes. The corpus is locked
// only while files are written, all in one write. A merge commit is made before that write
// and becomes the branch after it. Meanwhile the ref refs/learnings/pending holds it, and
// the journal says whether the write was done. So the next sync finishes or restarts an
// interrupted one, and no counter is added twice.
package gitsync

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

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
	return r.rep, r.recorded(func() error { return r.sync(ctx) })
}

// recorded does what calls git to change the repository, so that the next call mends what
// a kill leaves.
func (c *Copy) recorded(do func() error) error {
	done, err := c.record()
	if err != nil {
		return err
	}
	defer done()
	return c.repo.whose(do())
}

func (r *run) sync(ctx context.Context) error {
	if err := r.open(ctx, r.wish.Programs); err != nil {
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
		err := r.commitPresent(ctx) // in conflict with what the store finishes of a write that was killed
		if err == nil {
			err = r.round(ctx)
		}
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
	return r.rep, r.recorded(func() error { return r.init(ctx, remote) })
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
	if err := r.open(ctx, false); err != nil {
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
	if err := c.open(ctx, false); err != nil {
		return err
	}
	return c.recorded(func() error { return c.repo.setRemote(ctx, url) })
}

// Status returns how the copy stands to the remote, without talking to it. It changes
// nothing.
func (c *Copy) Status(ctx context.Context) (*Status, error) {
	if err := c.open(ctx, false); err != nil {
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
	err := c.open(ctx, false)
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

// A Report says what a sync did, or would do.
type Report struct {
	Branch    string     `json:"branch"`
	Remote    string     `json:"remote,omitempty"` // its address, without a password
	DryRun    bool       `json:"dry_run,omitempty"`
	Committed Tally      `json:"committed"`          // what was decided here
	Received  Tally      `json:"received"`           // what the corpus took over
	Awaiting  []Awaiting `json:"awaiting,omitempty"` // approvals of others, which arrived as proposals
	Settled   []Settled  `json:"settled,omitempty"`  // lessons that both copies had changed
	Pushed    int        `json:"pushed"`             // commits
	Held      []Held     `json:"held,omitempty"`     // unreadable lesson files, left unchanged and not sent
	Left      []string   `json:"left,omitempty"`     // files of others, which are not committed
	Notes     []string   `json:"notes,omitempty"`
	Squashed  bool       `json:"squashed,omitempty"` // what was not pushed yet became one commit
}

// A Held is a file that a sync does not touch.
type Held struct {
	Path string `json:"path"`
	Line int    `json:"line,omitempty"`
	Why  string `json:"why"`
}

// A Wish is what a person may ask of a sync.
type Wish struct {
	DryRun  bool // fetch, and say what would be done
	Redact  bool // take secrets out of lessons, and out of what was not pushed yet
	Rejoin  bool // accept that the history of the remote was rewritten
	Removal bool // accept that many lessons are gone, here or at the remote

	Programs bool // let git run the programs that the repository's own settings name, from now on
}

// A Status compares a copy with its remote, as far as this machine knows.
type Status struct {
	Branch  string   `json:"branch"`
	Remote  string   `json:"remote,omitempty"`
	Changed Tally    `json:"changed"`        // decided here and not committed
	Ahead   int      `json:"ahead"`          // commits that the remote lacks
	Behind  int      `json:"behind"`         // commits of the remote that are not here, as last fetched
	Held    []Held   `json:"held,omitempty"` // see Report
	Left    []string `json:"left,omitempty"`
	Problem string   `json:"problem,omitempty"` // why a sync would stop
	Hint    string   `json:"hint,omitempty"`
}

// A Tally counts lessons by what was done to them: "approved", "edited", and so on.
type Tally map[string]int

// counted are all that a Tally counts, in the order in which it is told.
var counted = []string{"approved", "rejected", "merged", "archived", "reopened", "proposed", "edited", "used", "removed", "forgotten", "moved"}

func (t Tally) String() string {
	var out []string
	for _, what := range counted {
		if t[what] > 0 {
			out = append(out, fmt.Sprintf("%d %s", t[what], what))
		}
	}
	return strings.Join(out, ", ")
}

// Add adds another tally to this one.
func (t Tally) Add(more Tally) {
	for what, n := range more {
		t[what] += n
	}
}

// changesOf counts how a state differs from an earlier one.
func changesOf(was, is *snapshot) Tally {
	t := Tally{}
	for id, d := range is.Docs {
		if what := changeOf(was.Docs[id], d); what != "" {
			t[what]++
		}
	}
	for id := range was.Docs {
		switch {
		case is.Docs[id] != nil:
		case is.Gone[id]:
			t["forgotten"]++
		default:
			t["removed"]++
		}
	}
	return t
}

var became = map[lessons.Status]string{
	lessons.Approved: "approved", lessons.Rejected: "rejected", lessons.Merged: "merged", lessons.Archived: "archived", lessons.Pending: "reopened",
}

func changeOf(was, is *doc) string {
	switch {
	case was == nil && is.Lesson.Status == lessons.Pending:
		return "proposed"
	case was == nil || was.Lesson.Status != is.Lesson.Status:
		return became[is.Lesson.Status]
	case was.is(is):
		return ""
	case was.Name == is.Name:
		return "moved"
	}
	a, b := was.Lesson, is.Lesson
	a.Decided.Signed, b.Decided.Signed = "", ""
	if a.Decided != b.Decided && b.Status != lessons.Pending {
		return became[b.Status]
	}
	a.Use, a.Proof, b.Use, b.Proof = lessons.Use{}, lessons.Proof{}, lessons.Use{}, lessons.Proof{}
	a.Confidence, b.Confidence = 0, 0
	if same(a, b) {
		return "used"
	}
	return "edited"
}
