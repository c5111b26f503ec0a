package gitsync

import (
	"context"
	"errors"
	"maps"
	"strings"

	"learnings/lessons"
	"learnings/lessons/store"
)

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
