package gitsync

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"learnings/lessons"
	"learnings/lessons/file"
	"learnings/lessons/store"
)

const (
	firstBranch = "main"
	firstRemote = "origin"

	ignored    = "# What a write leaves behind when it is cut short.\n.learnings-*.tmp\n"
	attributes = "# Lessons are kept to the byte; `learnings sync` settles what two copies have changed.\n* -text\n"
)

// create makes the repository, with the branch that the remote has.
func (r *repo) create(ctx context.Context, remote string) error {
	if outer := enclosing(r.dir); outer != "" && !r.ignoredIn(ctx, outer) {
		return insideOf(r.dir, outer)
	}
	branch := firstBranch
	if remote != "" {
		out, err := r.network(ctx, masked(remote), "ls-remote", "--symref", "--", remote, "HEAD")
		if err != nil {
			return r.blame(err, masked(remote))
		}
		if m := regexp.MustCompile(`(?m)^ref: refs/heads/(\S+)\tHEAD$`).FindStringSubmatch(out); m != nil {
			branch = m[1]
		}
	}
	// Not by way of c.git: with a work tree named, init would write it down.
	cmd := r.outside(ctx, r.dir, "init", "--quiet")
	if out, err := cmd.CombinedOutput(); err != nil {
		return &failure{"init", cmd.ProcessState.ExitCode(), string(out)}
	}
	_, err := r.git(ctx, "symbolic-ref", "HEAD", "refs/heads/"+branch)
	return err
}

// enclosing returns the repository that a folder lies in, "" for none.
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

// ignoredIn reports whether a repository further up ignores the corpus: many people
// keep their home folder in a repository.
func (r *repo) ignoredIn(ctx context.Context, outer string) bool {
	return r.outside(ctx, outer, "check-ignore", "--quiet", "--", r.dir).Run() == nil
}

// outside readies a git that is not told which repository to use.
func (r *repo) outside(ctx context.Context, dir string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, r.program, append([]string{"-c", noHooks}, args...)...)
	cmd.Dir, cmd.Env = dir, append(slices.Clone(r.env), "LC_ALL=C")
	return cmd
}

func insideOf(dir, outer string) error {
	return problem("commit and push it with that repository; or put the corpus into the .gitignore there, or elsewhere (LEARNINGS_DIR, --dir), and `learnings sync init`",
		"the corpus %s lies within another git repository, %s, which is left alone", dir, outer)
}

// exists reports that the corpus is not a repository, or that there is no git.
func (r *repo) exists() error {
	if _, err := os.Lstat(filepath.Join(r.dir, ".git")); errors.Is(err, fs.ErrNotExist) {
		if outer := enclosing(r.dir); outer != "" {
			return insideOf(r.dir, outer)
		}
		return problem("`learnings sync init REMOTE` makes it one; REMOTE is the address of an empty repository, or of your other machine's",
			"the corpus %s is not a git repository yet", r.dir)
	}
	return r.checkGit()
}

// open checks that the repository can be synced, and reads its settings. own are its own.
func (r *repo) open(ctx context.Context, own [][2]string) error {
	dir, err := r.line(ctx, "rev-parse", "--absolute-git-dir")
	if err != nil {
		return fmt.Errorf("opening the repository of %s: %w", r.dir, err)
	}
	for _, state := range []struct{ file, doing, verb string }{
		{"rebase-merge", "a rebase", "rebase"}, {"rebase-apply", "a rebase", "rebase"}, {"MERGE_HEAD", "a merge", "merge"},
		{"CHERRY_PICK_HEAD", "a cherry-pick", "cherry-pick"}, {"REVERT_HEAD", "a revert", "revert"},
	} {
		if _, err := os.Lstat(filepath.Join(dir, state.file)); err == nil {
			return problem(fmt.Sprintf("finish it with git, or `git -C %s %s --abort`; `learnings sync` settles conflicts by itself", r.dir, state.verb),
				"%s that was begun by hand is not finished in %s", state.doing, r.dir)
		}
	}
	head, err := r.line(ctx, "symbolic-ref", "-q", "HEAD")
	if err != nil {
		return err
	}
	var ok bool
	if r.branch, ok = strings.CutPrefix(head, "refs/heads/"); !ok {
		return problem(fmt.Sprintf("`git -C %s switch %s` goes back to the branch; `git -C %s branch NAME` first keeps what was committed without one", r.dir, firstBranch, r.dir),
			"the repository %s is on no branch (detached head)", r.dir)
	}
	r.sha256 = slices.ContainsFunc(own, func(s [2]string) bool { return s[0] == "extensions.objectformat" && strings.EqualFold(s[1], "sha256") })
	ssh, err := r.line(ctx, "config", "--get", "core.sshCommand")
	r.batchSSH = ssh == "" && !slices.ContainsFunc(r.env, func(s string) bool {
		return strings.HasPrefix(s, "GIT_SSH=") || strings.HasPrefix(s, "GIT_SSH_COMMAND=")
	})
	return err
}

// remote returns the name and address of the remote to sync with: that of the branch,
// else origin, else the only one.
func (r *repo) remote(ctx context.Context) (name, url string, err error) {
	out, err := r.git(ctx, "remote")
	if err != nil {
		return "", "", err
	}
	all := strings.Fields(out)
	name, err = r.line(ctx, "config", "--get", "branch."+r.branch+".remote")
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
		return "", "", problem(fmt.Sprintf("`git -C %s config branch.%s.remote NAME` chooses", r.dir, r.branch),
			"the corpus has several remotes (%s), and none is chosen", strings.Join(all, ", "))
	}
	url, err = r.line(ctx, "config", "--get", "remote."+name+".url")
	if err != nil {
		return "", "", err
	}
	if strings.HasPrefix(name, "-") {
		return "", "", problem("rename it with git", "the remote's name %q looks like an option", name)
	}
	return name, url, checkURL(url)
}

// setRemote gives the remote another address, or makes one.
func (r *repo) setRemote(ctx context.Context, url string) error {
	name, old, err := r.remote(ctx)
	if old == url {
		return nil
	}
	if err == nil || old != "" {
		_, err = r.git(ctx, "remote", "set-url", "--", name, url)
	} else {
		_, err = r.git(ctx, "remote", "add", "--", firstRemote, url)
	}
	if err != nil {
		return fmt.Errorf("naming the remote: %w", err)
	}
	_, err = r.git(ctx, "update-ref", "-d", refRemote) // what the old one had says nothing of this one
	return err
}

var transport = lessons.LazyRegexp(`^[A-Za-z0-9+.-]+::`)

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

// fetch gets the commits of the remote.
func (r *repo) fetch(ctx context.Context, remote string) error {
	_, err := r.network(ctx, remote, "fetch", "--quiet", "--progress", "--no-tags", "--prune", "--no-recurse-submodules", "--", remote, "+refs/heads/*:refs/remotes/"+remote+"/*")
	if err != nil {
		return r.blame(err, remote)
	}
	return nil
}

// theirs returns the commit of the remote's branch as last fetched, "" when the
// remote is empty.
func (r *repo) theirs(ctx context.Context, remote string) (string, error) {
	at, err := r.commitAt(ctx, "refs/remotes/"+remote+"/"+r.branch)
	if err != nil || at != "" {
		return at, err
	}
	out, err := r.git(ctx, "for-each-ref", "--format=%(refname:strip=3)", "refs/remotes/"+remote)
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
		return "", problem(fmt.Sprintf("`git -C %s branch -m %s` gives ours the name of theirs", r.dir, others[0]),
			"the remote %s has no branch %s, but %s", remote, r.branch, strings.Join(others, ", "))
	}
	return "", nil
}

// moveBranch points the branch from one commit, "" for none, to another.
func (r *repo) moveBranch(ctx context.Context, why, from, to string) error {
	from = cmp.Or(from, strings.Repeat("0", len(to))) // zeros tell git that the ref must not exist yet
	_, err := r.git(ctx, "update-ref", "-m", why, "refs/heads/"+r.branch, to, from)
	return err
}

// stage brings git's index, in which a person may have staged other files, up to
// what was committed. It is a courtesy: without it `git status` shows too much and
// nothing else happens. So its failures are ignored, and the next sync tries again.
func (r *repo) stage(ctx context.Context, was, is fileTree) {
	out, err := r.git(ctx, "ls-files", "--stage", "-z")
	if err != nil {
		return
	}
	index := fileTree{}
	for rec := range strings.SplitSeq(out, "\x00") {
		head, path, ok := strings.Cut(rec, "\t")
		if words := strings.Fields(head); ok && len(words) == 3 {
			index[path] = object{Mode: words[0], Name: words[1]}
		}
	}
	var b strings.Builder
	for p, o := range index {
		if _, stays := is[p]; !stays && (ours(p) || was[p] != (object{})) {
			fmt.Fprintf(&b, "0 %s\t%s\x00", strings.Repeat("0", len(o.Name)), p)
		}
	}
	for p, o := range is {
		if index[p] != o && (ours(p) || was[p] != o) {
			fmt.Fprintf(&b, "%s %s\t%s\x00", o.Mode, o.Name, p)
		}
	}
	if b.Len() == 0 {
		return
	}
	if _, err := r.feed(ctx, strings.NewReader(b.String()), "update-index", "-z", "--index-info"); err == nil {
		_, _ = r.git(ctx, "update-index", "-q", "--refresh")
	}
}

// mostLeft is how many files that are not ours are named.
const mostLeft = 50

// left names the files in the corpus that are not ours, and not committed.
func (r *repo) left(ctx context.Context) ([]string, error) {
	out, err := r.git(ctx, "status", "--porcelain", "-z", "--untracked-files=all", "--no-renames", "--ignore-submodules=all")
	if err != nil {
		return nil, err
	}
	var names []string
	for rec := range strings.SplitSeq(out, "\x00") {
		if len(rec) > 3 && !ours(rec[3:]) && len(names) < mostLeft {
			names = append(names, rec[3:])
		}
	}
	slices.Sort(names)
	return names, nil
}

// The refs of our own in the repository, beside refNext.
const (
	refPending = "refs/learnings/pending" // what the branch is to become once the corpus is
	refRemote  = "refs/learnings/remote"  // where the remote was when the copies last met
)

// The files that a synced corpus has beside its lessons, and goneFile.
const (
	ignoreFile     = ".gitignore"
	attributesFile = ".gitattributes"
)

// ours reports whether syncing writes and commits a path.
func ours(path string) bool {
	return path == goneFile || path == ignoreFile || path == attributesFile || file.Is(path)
}

// safePath reports whether a path of a commit may be written to. A commit can
// hold any path.
func safePath(p string) bool {
	for part := range strings.SplitSeq(p, "/") {
		low := strings.ToLower(strings.TrimRight(part, " ."))
		if low == "" || low == ".git" || strings.HasPrefix(low, "git~") || strings.ContainsAny(part, "\\:\x00") {
			return false
		}
	}
	return true
}

// push sends what the remote lacks.
func (r *run) push(ctx context.Context) error {
	if r.now.head != r.theirs {
		if err := r.clean(ctx); err != nil {
			return err
		}
	}
	if r.now.head == r.theirs {
		return r.met(ctx)
	}
	n, err := r.repo.countBetween(ctx, r.theirs, r.now.head)
	if err != nil {
		return err
	}
	out, err := r.repo.network(ctx, r.remote, "push", "--porcelain", "--progress", "--no-follow-tags", "--recurse-submodules=no", "--", r.remote, r.now.head+":refs/heads/"+r.repo.branch)
	if f := (*failure)(nil); errors.As(err, &f) {
		if late().MatchString(out) || late().MatchString(f.stderr) {
			return errMoved
		}
		for line := range strings.Lines(out) {
			if strings.HasPrefix(line, "!") { // here git says why; on standard error, only that something failed
				f.stderr = f.stderr + "\n" + strings.TrimSpace(line[1:])
			}
		}
		return r.repo.blame(f, r.remote)
	}
	if err != nil {
		return r.repo.blame(err, r.remote)
	}
	r.rep.Pushed += n
	return r.met(ctx)
}

// errMoved is a push that came too late.
var errMoved = errors.New("the remote has moved")

// late matches what git says when somebody else pushed first.
var late = lessons.LazyRegexp(`fetch first|non-fast-forward|cannot lock ref|incorrect old value|failed to update ref|remote ref updated since`)

// met records where the copies met.
func (r *run) met(ctx context.Context) error {
	ctx = context.WithoutCancel(ctx)
	for _, ref := range []string{refRemote, "refs/remotes/" + r.remote + "/" + r.repo.branch} {
		if _, err := r.repo.git(ctx, "update-ref", ref, r.now.head); err != nil {
			return err
		}
	}
	for key, value := range map[string]string{"remote": r.remote, "merge": "refs/heads/" + r.repo.branch} {
		key = "branch." + r.repo.branch + "." + key
		if old, err := r.repo.line(ctx, "config", "--get", key); err != nil || old != "" {
			continue
		}
		if _, err := r.repo.git(ctx, "config", key, value); err != nil {
			return err
		}
	}
	return nil
}

// clean searches what would be sent, and takes out of it what may not be.
func (r *run) clean(ctx context.Context) error {
	forgot, err := r.forgotUnsent(ctx)
	if err != nil {
		return err
	}
	if forgot {
		if err := r.squash(ctx); err != nil {
			return err
		}
	}
	if r.now.head == r.theirs || r.o.Redactor == nil {
		return nil
	}
	find := func() ([]Finding, error) {
		found, sent, err := findSecrets(ctx, &r.repo, r.o.Redactor, r.now.head, r.now.tree, r.theirs)
		if err == nil && len(found) == 0 && r.o.MayLeave != nil {
			err = r.o.MayLeave(ctx, sent)
		}
		return found, err
	}
	found, err := find()
	if err != nil || len(found) == 0 {
		return err
	}
	if r.wish.Redact {
		if err := r.redact(ctx, found); err != nil {
			return err
		}
		if err := r.squash(ctx); err != nil {
			return err
		}
		if found, err = find(); err != nil || len(found) == 0 {
			return err
		}
	}
	return &SecretError{found}
}

// forgotUnsent reports whether a lesson was forgotten before it was ever sent:
// earlier commits that were not sent still have its words.
func (r *run) forgotUnsent(ctx context.Context) (bool, error) {
	old, err := r.repo.treeOf(ctx, r.theirs)
	if err != nil || old[goneFile] == r.now.tree[goneFile] {
		return false, err
	}
	n, err := r.repo.countBetween(ctx, r.theirs, r.now.head)
	return n > 1, err
}

// squash makes one commit of all that was not sent. The old ones stay in this
// repository until git collects them, and go nowhere.
func (r *run) squash(ctx context.Context) error {
	was, old, err := r.stateAt(ctx, r.theirs)
	if err != nil {
		return err
	}
	var parents []string
	if r.theirs != "" {
		parents = []string{r.theirs}
	}
	commit := r.theirs
	if commit == "" || !maps.Equal(was, r.now.tree) {
		t := changesOf(old, r.now.state)
		if commit, err = r.commit(ctx, message(t, r.now.tree, was), was, r.now.tree, parents...); err != nil {
			return err
		}
	}
	if err := r.repo.moveBranch(ctx, "learnings sync: one commit of what was not sent", r.now.head, commit); err != nil {
		return err
	}
	r.now.head, r.rep.Squashed = commit, true
	return nil
}

// redact takes secrets out of the lessons of the corpus that have any.
func (r *run) redact(ctx context.Context, found []Finding) error {
	var ls []lessons.Lesson
	for _, f := range found {
		if f.ID == "" || f.Past || r.now.state.Docs[f.ID] == nil {
			continue
		}
		l, err := r.o.Store.Get(f.ID)
		if err != nil {
			return err
		}
		ls = append(ls, r.o.Redactor.Lesson(l))
	}
	if len(ls) > 0 {
		if _, err := r.o.Store.Put(store.Write{Op: lessons.OpRedact, By: r.o.By}, ls...); err != nil {
			return err
		}
	}
	return r.commitPresent(ctx)
}
