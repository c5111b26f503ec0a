package gitsync

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"learnings/lessons"
	db "learnings/lessons/state"
)

// Whatever can write into the corpus can write the settings of its repository, and git runs
// the programs that these name. So nothing of git runs before a person has agreed to them.

// namesProgram matches the settings, in lower case, whose value git runs.
var namesProgram = lessons.LazyRegexp(`^(?:core\.(?:sshcommand|gitproxy|askpass|editor|pager|fsmonitor|alternaterefscommand)|(?:credential|credential\..*)\.helper|remote\..*\.(?:uploadpack|receivepack|vcs)` +
	`|filter\..*\.(?:clean|smudge|process)|gpg\.(?:.*\.)?(?:program|defaultkeycommand)|diff\.(?:external|.*\.(?:command|textconv))|merge\..*\.driver|uploadpack\.packobjectshook|sequence\.editor|protocol\..*|url\..*\.(?:push)?insteadof)$`)

// ownSettings returns the settings of the repository itself, not those of the person, in
// the order of the files.
func (r *repo) ownSettings(ctx context.Context) (out [][2]string, err error) {
	for _, file := range []string{"--local", "--worktree"} {
		text, err := r.git(ctx, "config", file, "--includes", "--list", "-z")
		if err != nil {
			return nil, fmt.Errorf("reading the settings of the repository %s: %w", r.dir, err)
		}
		for rec := range strings.SplitSeq(strings.TrimSuffix(text, "\x00"), "\x00") {
			key, value, _ := strings.Cut(rec, "\n")
			out = append(out, [2]string{strings.ToLower(key), value})
		}
		if !slices.ContainsFunc(out, func(s [2]string) bool { return s[0] == "extensions.worktreeconfig" }) {
			break // --worktree is the same file
		}
	}
	return out, nil
}

// keptPrograms is the key, in the state database, of the programs that a person agreed to.
const keptPrograms = "git programs"

// checkPrograms refuses settings of the repository that name programs, unless a person has
// agreed to just these.
func (c *Copy) checkPrograms(own [][2]string, agreed bool) error {
	var named []string
	for _, s := range own {
		if namesProgram().MatchString(s[0]) {
			named = append(named, s[0]+" = "+s[1])
		}
	}
	if named == nil {
		return nil
	}
	sum, known := fmt.Sprintf("%x", sha256.Sum256([]byte(strings.Join(named, "\x00")))), ""
	if agreed {
		return db.At(c.o.State).Put(keptPrograms, sum)
	}
	if _, err := db.At(c.o.State).Get(keptPrograms, &known); err != nil || known == sum {
		return err
	}
	e := problem("`git -C "+c.o.Dir+" config --edit` takes it out; if you put it there, `learnings sync` on a terminal asks whether git may run it",
		"the settings of the repository, in the corpus itself, name what git would run or talk to: %s", lessons.Line(masked(strings.Join(named, "; ")))).(*Error)
	e.Programs = true
	return e
}

// begun is the file that says that a sync is under way. Its modification time is that of
// the last call of git. It stays if the sync or a git of its was killed.
func (c *Copy) begun() string { return filepath.Join(c.o.State, "sync.begun") }

// lockAge is how old git's lock must be to count as left behind. Git holds those that a sync
// needs for a small part of that, and a git whose parent was killed runs on for a while.
const lockAge = 3 * time.Second

// mend removes the locks that git left in the repository when the last sync, or its git, was
// killed. Locks from any other time belong to somebody else's git, and stay.
func (c *Copy) mend() error {
	record, err := os.ReadFile(c.begun())
	if err != nil {
		return nil // the last sync ended by itself
	}
	info, err := os.Stat(c.begun())
	from, bad := time.Parse(time.RFC3339Nano, string(record))
	if err != nil || bad != nil {
		return err
	}
	until := info.ModTime().Add(networkTime)
	for _, l := range c.repo.locks() {
		if l.at.Before(from.Add(-lockAge)) || l.at.After(until) {
			continue
		}
		time.Sleep(time.Until(l.at.Add(lockAge)))
		if err := os.Remove(l.path); err != nil && !os.IsNotExist(err) {
			return fmt.Errorf("removing the lock of a git that was killed: %v", err)
		}
	}
	return nil
}

// A gitLock is a lock of git's on one of its files.
type gitLock struct {
	path string
	at   time.Time
}

// locks returns the locks on the repository's refs, index and settings.
func (r *repo) locks() (out []gitLock) {
	top := filepath.Join(r.dir, ".git")
	_ = filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		if d.IsDir() && path != top && filepath.Dir(path) == top && d.Name() != "refs" {
			return fs.SkipDir
		}
		if info, err := d.Info(); err == nil && d.Type().IsRegular() && strings.HasSuffix(path, ".lock") {
			out = append(out, gitLock{path, info.ModTime()})
		}
		return nil
	})
	return out
}

// record notes in [Copy.begun] that a sync is under way; done ends that.
func (c *Copy) record() (done func(), err error) {
	if err := c.mend(); err != nil {
		return nil, err
	}
	if err := os.WriteFile(c.begun(), []byte(time.Now().Format(time.RFC3339Nano)), 0o600); err != nil {
		return nil, fmt.Errorf("noting that a sync begins: %v", err)
	}
	c.repo.killed, c.repo.called = false, func() { _ = os.Chtimes(c.begun(), time.Time{}, time.Now()) }
	return func() {
		if c.repo.called = nil; !c.repo.killed {
			_ = os.Remove(c.begun())
		}
	}, nil
}

// whose adds to an error of git about a lock which file it is, for git says it in many
// lines.
func (r *repo) whose(err error) error {
	left := r.locks()
	f := (*failure)(nil)
	if len(left) == 0 || !errors.As(err, &f) || !strings.Contains(f.stderr, ".lock") {
		return err
	}
	return &Error{Err: fmt.Errorf("git %s: %s is locked by another git, or was left by one", f.verb, strings.TrimSuffix(left[0].path, ".lock")),
		Hint: "wait for the other git to end; if none runs, remove " + left[0].path}
}
