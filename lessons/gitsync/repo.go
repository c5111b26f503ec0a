package gitsync

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"learnings/lessons/lazy"
)

// This file is about the repository itself: whether there is one that may be
// used, and with what remote.

const (
	firstBranch = "main"
	firstRemote = "origin"

	ignored    = "# What a write leaves behind when it is cut short.\n.learnings-*.tmp\n"
	attributes = "# Lessons are kept to the byte; `learnings sync` settles what two copies have changed.\n* -text\n"
)

// Init makes the corpus a repository, if it is none yet, commits what is in it,
// and names the remote ("" for none). Nothing is sent.
func (c *Copy) Init(ctx context.Context, remote string) (*Report, error) {
	unlock, err := c.lock()
	if err != nil {
		return nil, err
	}
	defer unlock()
	rep := &Report{Committed: Tally{}, Received: Tally{}}
	if remote != "" {
		if err := checkURL(remote); err != nil {
			return rep, err
		}
	}
	if err := os.MkdirAll(c.o.Dir, 0o700); err != nil {
		return rep, fmt.Errorf("making the corpus: %v", err)
	}
	if err := c.checkGit(ctx); err != nil {
		return rep, err
	}
	if _, err := os.Lstat(filepath.Join(c.o.Dir, ".git")); errors.Is(err, fs.ErrNotExist) {
		if err := c.create(ctx, remote); err != nil {
			return rep, err
		}
	}
	if err := c.ready(ctx); err != nil {
		return rep, err
	}
	rep.Branch = c.branch
	for name, text := range map[string]string{ignoreFile: ignored, attributesFile: attributes} {
		if _, err := os.Lstat(filepath.Join(c.o.Dir, name)); !errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err := os.WriteFile(filepath.Join(c.o.Dir, name), []byte(text), 0o600); err != nil {
			return rep, fmt.Errorf("writing %s: %v", name, err)
		}
	}
	if remote != "" {
		if err := c.setRemote(ctx, remote); err != nil {
			return rep, err
		}
		rep.Remote = masked(remote)
	}
	if err := c.finish(ctx); err != nil {
		return rep, err
	}
	_, err = c.settle(ctx, Wish{}, rep)
	return rep, err
}

// create makes the repository, with the branch that the remote has.
func (c *Copy) create(ctx context.Context, remote string) error {
	if outer := enclosing(c.o.Dir); outer != "" && !c.ignoredIn(ctx, outer) {
		return insideOf(c.o.Dir, outer)
	}
	branch := firstBranch
	if remote != "" {
		out, err := c.network(ctx, "ls-remote", "--symref", "--", remote, "HEAD")
		if err != nil {
			return c.blame(err, masked(remote))
		}
		if m := regexp.MustCompile(`(?m)^ref: refs/heads/(\S+)\tHEAD$`).FindStringSubmatch(out); m != nil {
			branch = m[1]
		}
	}
	// Not by way of c.git: with a work tree named, init would write it down.
	cmd := exec.CommandContext(ctx, c.o.Git, "init", "--quiet")
	cmd.Dir, cmd.Env = c.o.Dir, append(slices.Clone(c.o.Env), "LC_ALL=C")
	if out, err := cmd.CombinedOutput(); err != nil {
		return &failure{"init", cmd.ProcessState.ExitCode(), string(out)}
	}
	_, err := c.git(ctx, "symbolic-ref", "HEAD", "refs/heads/"+branch)
	return err
}

// enclosing finds the repository that a folder lies in, "" for none.
func enclosing(dir string) string {
	for up := filepath.Dir(dir); ; up = filepath.Dir(up) {
		if _, err := os.Lstat(filepath.Join(up, ".git")); err == nil {
			return up
		}
		if up == filepath.Dir(up) {
			return ""
		}
	}
}

// ignoredIn reports that a repository further up wants nothing to do with the
// corpus: many people keep their home folder in one.
func (c *Copy) ignoredIn(ctx context.Context, outer string) bool {
	cmd := exec.CommandContext(ctx, c.o.Git, "check-ignore", "--quiet", "--", c.o.Dir)
	cmd.Dir, cmd.Env = outer, append(slices.Clone(c.o.Env), "LC_ALL=C")
	return cmd.Run() == nil
}

func insideOf(dir, outer string) error {
	return problem("commit and push it with that repository; or put the corpus into the .gitignore there, or elsewhere (LEARNINGS_DIR, --dir), and `learnings sync init`",
		"the corpus %s lies within another git repository, %s, which is left alone", dir, outer)
}

// ready checks that the repository is in a state to be synced.
func (c *Copy) ready(ctx context.Context) error {
	if _, err := os.Lstat(filepath.Join(c.o.Dir, ".git")); errors.Is(err, fs.ErrNotExist) {
		if outer := enclosing(c.o.Dir); outer != "" {
			return insideOf(c.o.Dir, outer)
		}
		return problem("`learnings sync init REMOTE` makes it one; REMOTE is the address of an empty repository, or of your other machine's",
			"the corpus %s is not a git repository yet", c.o.Dir)
	}
	if err := c.checkGit(ctx); err != nil {
		return err
	}
	dir, err := c.line(ctx, "rev-parse", "--absolute-git-dir")
	if err != nil {
		return fmt.Errorf("opening the repository of %s: %w", c.o.Dir, err)
	}
	for _, state := range []struct{ file, doing, verb string }{
		{"rebase-merge", "a rebase", "rebase"}, {"rebase-apply", "a rebase", "rebase"}, {"MERGE_HEAD", "a merge", "merge"},
		{"CHERRY_PICK_HEAD", "a cherry-pick", "cherry-pick"}, {"REVERT_HEAD", "a revert", "revert"},
	} {
		if _, err := os.Lstat(filepath.Join(dir, state.file)); err == nil {
			return problem(fmt.Sprintf("finish it with git, or `git -C %s %s --abort`; `learnings sync` settles conflicts by itself", c.o.Dir, state.verb),
				"%s that was begun by hand is not finished in %s", state.doing, c.o.Dir)
		}
	}
	head, err := c.line(ctx, "symbolic-ref", "-q", "HEAD")
	if err != nil {
		return err
	}
	var ok bool
	if c.branch, ok = strings.CutPrefix(head, "refs/heads/"); !ok {
		return problem(fmt.Sprintf("`git -C %s switch %s` goes back to the branch; `git -C %s branch NAME` first keeps what was committed without one", c.o.Dir, firstBranch, c.o.Dir),
			"the repository %s is on no branch (detached head)", c.o.Dir)
	}
	format, err := c.line(ctx, "config", "--get", "extensions.objectformat")
	if err != nil {
		return err
	}
	c.sha256 = strings.EqualFold(format, "sha256")
	ssh, err := c.line(ctx, "config", "--get", "core.sshCommand")
	c.batchSSH = ssh == "" && !slices.ContainsFunc(c.o.Env, func(s string) bool {
		return strings.HasPrefix(s, "GIT_SSH=") || strings.HasPrefix(s, "GIT_SSH_COMMAND=")
	})
	return err
}

// remote gives the name and address of what we sync with: that of the branch,
// else origin, else the only one.
func (c *Copy) remote(ctx context.Context) (name, url string, err error) {
	out, err := c.git(ctx, "remote")
	if err != nil {
		return "", "", err
	}
	all := strings.Fields(out)
	name, err = c.line(ctx, "config", "--get", "branch."+c.branch+".remote")
	if err != nil {
		return "", "", err
	}
	switch {
	case slices.Contains(all, name):
	case slices.Contains(all, firstRemote):
		name = firstRemote
	case len(all) == 1:
		name = all[0]
	case len(all) == 0:
		return "", "", problem("`learnings sync remote URL` names one", "the corpus has no remote to sync with; what was decided is committed here")
	default:
		return "", "", problem(fmt.Sprintf("`git -C %s config branch.%s.remote NAME` chooses", c.o.Dir, c.branch),
			"the corpus has several remotes (%s), and none is chosen", strings.Join(all, ", "))
	}
	url, err = c.line(ctx, "config", "--get", "remote."+name+".url")
	if err != nil {
		return "", "", err
	}
	if strings.HasPrefix(name, "-") {
		return "", "", problem("rename it with git", "the remote's name %q looks like an option", name)
	}
	return name, url, checkURL(url)
}

// Remote names the remote, or another one.
func (c *Copy) Remote(ctx context.Context, url string) error {
	unlock, err := c.lock()
	if err != nil {
		return err
	}
	defer unlock()
	if err := checkURL(url); err != nil {
		return err
	}
	if err := c.ready(ctx); err != nil {
		return err
	}
	return c.setRemote(ctx, url)
}

func (c *Copy) setRemote(ctx context.Context, url string) error {
	name, old, err := c.remote(ctx)
	if old == url {
		return nil
	}
	if err == nil || old != "" {
		_, err = c.git(ctx, "remote", "set-url", "--", name, url)
	} else {
		_, err = c.git(ctx, "remote", "add", "--", firstRemote, url)
	}
	if err != nil {
		return fmt.Errorf("naming the remote: %w", err)
	}
	_, err = c.git(ctx, "update-ref", "-d", refRemote) // what the old one had says nothing of this one
	return err
}

var transport = lazy.Regexp(`^[A-Za-z0-9+.-]+::`)

// checkURL refuses an address that git could take for something else.
func checkURL(url string) error {
	hint := "give an address such as git@host:me/lessons.git, https://host/me/lessons.git, or a folder"
	switch {
	case strings.TrimSpace(url) == "":
		return problem(hint, "the remote has no address")
	case strings.HasPrefix(url, "-"):
		return problem(hint, "the remote %q looks like an option", url)
	case strings.ContainsFunc(url, func(r rune) bool { return r < ' ' || r == 0x7f }):
		return problem(hint, "the remote %q has control characters in it", url)
	case transport().MatchString(url):
		return problem(hint, "the remote %q names a program to run, which is not allowed", masked(url))
	}
	return nil
}

// commitAt is what a ref points to, "" when there is no such ref.
func (c *Copy) commitAt(ctx context.Context, ref string) (string, error) {
	return c.line(ctx, "rev-parse", "-q", "--verify", ref+"^{commit}")
}

// ancestor reports that a is b, or came before it.
func (c *Copy) ancestor(ctx context.Context, a, b string) (bool, error) {
	_, err := c.git(ctx, "merge-base", "--is-ancestor", a, b)
	if f := (*failure)(nil); errors.As(err, &f) && f.code == 1 {
		return false, nil
	}
	return err == nil, err
}

// fetch brings in what the remote has.
func (c *Copy) fetch(ctx context.Context, remote string) error {
	_, err := c.network(ctx, "fetch", "--quiet", "--no-tags", "--prune", "--no-recurse-submodules", "--", remote, "+refs/heads/*:refs/remotes/"+remote+"/*")
	if err != nil {
		return c.blame(err, remote)
	}
	return nil
}

// theirs is the commit of the remote's branch as last fetched; "" when the
// remote is empty.
func (c *Copy) theirs(ctx context.Context, remote string) (string, error) {
	at, err := c.commitAt(ctx, "refs/remotes/"+remote+"/"+c.branch)
	if err != nil || at != "" {
		return at, err
	}
	out, err := c.git(ctx, "for-each-ref", "--format=%(refname:strip=3)", "refs/remotes/"+remote)
	if err != nil {
		return "", err
	}
	var others []string
	for _, b := range strings.Fields(out) {
		if b != "HEAD" {
			others = append(others, b)
		}
	}
	if len(others) > 0 {
		return "", problem(fmt.Sprintf("`git -C %s branch -m %s` gives ours the name of theirs", c.o.Dir, others[0]),
			"the remote %s has no branch %s, but %s", remote, c.branch, strings.Join(others, ", "))
	}
	return "", nil
}
