package gitsync

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"learnings/lessons"
	"learnings/lessons/store"
)

// integrate takes into the corpus what the remote has.
func (r *run) integrate(ctx context.Context) error {
	if r.theirs == "" {
		return nil
	}
	now := r.now
	base, rewritten, err := r.parting(ctx)
	if err != nil {
		return err
	}
	if base == r.theirs {
		return r.reconsider(ctx)
	}
	_, baseState, err := r.stateAt(ctx, base)
	if err != nil {
		return err
	}
	theirTree, theirState, err := r.stateAt(ctx, r.theirs)
	if err != nil {
		return err
	}
	m := merger{base: baseState, ours: now.state, theirs: theirState, related: base != "", blocked: now.held, blobs: &r.blobs}
	if err := m.run(); err != nil {
		return err
	}
	next := &present{tree: r.blobs.Tree(m.out), state: m.out, held: now.held, local: map[lessons.ID]*doc{}, outside: now.outside}
	if err := r.withhold(now, next, baseState, theirState); err != nil {
		return err
	}
	if err := r.signMerged(now, next, theirState); err != nil {
		return err
	}
	received := changesOf(now.corpus(), next.corpus())
	if err := r.askRemoval(received["removed"], received["forgotten"], len(now.state.Docs)); err != nil {
		return err
	}
	if !r.wish.DryRun {
		if err := r.spared(now.tree, next.tree); err != nil {
			return err
		}
		text := mergeMessage(changesOf(now.state, next.state), len(m.reports))
		switch {
		case base == now.head && maps.Equal(next.tree, theirTree):
			next.head = r.theirs
		case base == now.head || rewritten:
			next.head, err = r.commit(ctx, text, theirTree, next.tree, r.theirs)
		default:
			next.head, err = r.commit(ctx, text, now.tree, next.tree, now.head, r.theirs)
		}
		if err != nil {
			return err
		}
		if err := r.takeOver(ctx, now, next); err != nil {
			return err
		}
		r.now = next
	}
	r.rep.Received.Add(received)
	r.rep.Settled = append(r.rep.Settled, m.reports...)
	r.rep.Notes = append(r.rep.Notes, m.notes...)
	return nil
}

// askRemoval stops a sync that would remove many lessons. Forgotten ones count too, since
// they cannot be restored.
func (r *run) askRemoval(removed, forgotten, of int) error {
	if !muchRemoved(removed+forgotten, of) || r.wish.Removal {
		return nil
	}
	what := "removed"
	switch {
	case removed == 0:
		what = "removed for good"
	case forgotten > 0:
		what = fmt.Sprintf("removed, %d of them for good", forgotten)
	}
	err := removal("`learnings sync --removed` says that it is meant, and takes it in; `git -C "+r.o.Dir+" log "+r.remote+"/"+r.repo.branch+"` shows who did it",
		"at the remote %s, %d of %d lessons were %s: nothing is taken in", r.remote, removed+forgotten, of, what)
	if r.wish.DryRun {
		r.rep.Notes = append(r.rep.Notes, "a sync would ask first: "+err.Error())
		return nil
	}
	return err
}

func mergeMessage(received Tally, settled int) string {
	t := cmp.Or(received.String(), "nothing new")
	if settled > 0 {
		t += fmt.Sprintf("; %d settled", settled)
	}
	return "learnings: merged " + t + "\n"
}

// parting returns the commit where the two histories parted, "" if they have none in
// common. rewritten reports that the remote's history does not continue from where the
// copies last met.
func (r *run) parting(ctx context.Context) (base string, rewritten bool, err error) {
	head, theirs := r.now.head, r.theirs
	if head == "" {
		return "", false, nil
	}
	seen, err := r.repo.commitAt(ctx, refRemote)
	if err != nil {
		return "", false, err
	}
	for _, order := range [][2]string{{theirs, head}, {head, theirs}} {
		if before, err := r.repo.ancestor(ctx, order[0], order[1]); err != nil || before {
			return order[0], false, err
		}
	}
	if seen != "" {
		goesOn, err := r.repo.ancestor(ctx, seen, theirs)
		if err != nil {
			return "", false, err
		}
		if !goesOn && !r.wish.Rejoin {
			return "", false, problem("`learnings sync --rejoin` accepts theirs and puts on top of it what was decided here",
				"the history of the remote was rewritten since the last sync, perhaps to remove something; nothing is synced, so that ours does not bring it back")
		}
		if !goesOn {
			return seen, true, nil
		}
	}
	out, err := r.repo.line(ctx, "merge-base", "--all", head, theirs)
	if err != nil || out == "" {
		return "", false, err
	}
	return slices.Min(strings.Fields(out)), false, nil
}

// takeOver changes the corpus, and then the branch, to next. The package comment covers
// interruptions.
func (c *Copy) takeOver(ctx context.Context, now, next *present) error {
	if _, err := c.repo.git(ctx, "update-ref", refPending, next.head); err != nil {
		return err
	}
	err := c.writeCorpus(ctx, now, next)
	ctx = context.WithoutCancel(ctx)
	if errors.Is(err, lessons.ErrConflict) {
		if gitErr := c.dropPending(ctx); gitErr != nil {
			return gitErr
		}
	}
	if err != nil {
		return err
	}
	return c.arrive(ctx, now, next)
}

// arrive moves the branch to what the corpus is by now.
func (c *Copy) arrive(ctx context.Context, now, next *present) error {
	if now.head != next.head {
		if err := c.repo.moveBranch(ctx, "learnings sync", now.head, next.head); err != nil {
			return fmt.Errorf("moving the branch: %w", err)
		}
	}
	if err := c.dropPending(ctx); err != nil {
		return err
	}
	c.repo.stage(ctx, now.tree, next.tree)
	return nil
}

func (c *Copy) dropPending(ctx context.Context) error {
	_, err := c.repo.git(ctx, "update-ref", "-d", refPending)
	return err
}

// writeCorpus writes the files. What counts is the one write of lessons in the
// middle; everything else can be done twice.
func (c *Copy) writeCorpus(ctx context.Context, now, next *present) error {
	for p, o := range now.state.Other {
		if _, stays := next.state.Other[p]; !stays && c.isHere(p, o) {
			if err := c.removeFile(p); err != nil {
				return err
			}
		}
	}
	if err := c.o.Store.Adopt(store.Write{Op: lessons.OpSync, By: c.o.By, Undoable: true, Why: commitMark(next.head)}, steps(now, next)...); err != nil {
		return err
	}
	return c.writeRest(ctx, now, next)
}

// commitMark is how the journal names the commit that a sync wrote.
func commitMark(commit string) string { return fmt.Sprintf("(git %.12s)", commit) }

// steps says what becomes of the lessons.
func steps(now, next *present) []store.Step {
	var out []store.Step
	needed := map[string]bool{} // paths at which something is put
	was := func(d *doc) []byte {
		if d == nil || now.held[d.Path] {
			return nil
		}
		return d.Text
	}
	for _, id := range slices.Sorted(maps.Keys(next.state.Docs)) {
		d, old := next.here(id), now.here(id)
		if old == nil || old.Path != d.Path || old.Name != d.Name {
			out = append(out, store.Step{ID: id, Was: was(old), File: store.File{Path: d.Path, Text: d.Text}})
			needed[d.Path] = true
		}
	}
	for _, id := range slices.Sorted(maps.Keys(now.state.Docs)) {
		old := now.here(id)
		// Forgotten lessons are erased after this write, which removes one only if
		// another lesson takes its path.
		if next.state.Docs[id] == nil && !next.outside[id] && (!next.state.Gone[id] || needed[old.Path]) {
			out = append(out, store.Step{ID: id, Was: was(old)})
		}
	}
	return out
}

// writeRest forgets here what was forgotten elsewhere, and writes the files that
// are not lessons and have changed.
func (c *Copy) writeRest(ctx context.Context, now, next *present) error {
	var forgotten []lessons.ID
	for _, id := range slices.Sorted(maps.Keys(next.state.Gone)) {
		if !now.state.Gone[id] {
			forgotten = append(forgotten, id)
		}
	}
	if len(forgotten) > 0 {
		if err := c.writeGone(next.state.Gone); err != nil {
			return err
		}
		if err := c.o.Store.ForgetToo(forgotten...); err != nil {
			return err
		}
	}
	var paths, names []string
	for _, p := range slices.Sorted(maps.Keys(next.state.Other)) {
		if o := next.state.Other[p]; now.tree[p] != o && o.IsPlain() && safePath(p) {
			paths, names = append(paths, p), append(names, o.Name)
		}
	}
	return c.repo.read(ctx, names, func(i int, kind string, text []byte, err error) error {
		if err != nil || kind != "blob" {
			return nil // too large to be a note beside lessons; git has it
		}
		if _, err := os.Lstat(c.full(paths[i])); err == nil && !c.isHere(paths[i], now.tree[paths[i]]) {
			return nil // a file of ours that is held; the report names it
		}
		return c.writeFile(paths[i], text)
	})
}

// spared checks that no uncommitted change of a person to a file of theirs is
// overwritten.
func (c *Copy) spared(was, is fileTree) error {
	for _, p := range slices.Sorted(maps.Keys(is)) {
		if was[p] == is[p] || ours(p) || !is[p].IsPlain() || !safePath(p) {
			continue
		}
		if _, err := os.Lstat(c.full(p)); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if !c.isHere(p, was[p]) && !c.isHere(p, is[p]) {
			return problem(fmt.Sprintf("commit it (`git -C %s commit -- %s`) or move it away, and sync again", c.o.Dir, p),
				"%s is not ours, was changed here without being committed, and is another at the remote", lessons.Line(p))
		}
	}
	return nil
}

// finish completes a sync that was killed between writing the corpus and moving
// the branch. What had not been written is begun again.
func (c *Copy) finish(ctx context.Context) error {
	pending, err := c.repo.commitAt(ctx, refPending)
	if err != nil || pending == "" {
		return err
	}
	head, err := c.repo.commitAt(ctx, "HEAD")
	if err != nil {
		return err
	}
	done, err := c.adopted(pending)
	if done && err == nil && head != "" {
		done, err = c.repo.ancestor(ctx, head, pending)
	}
	if err != nil {
		return err
	}
	if !done {
		return c.dropPending(ctx)
	}
	now, next := &present{head: head}, &present{head: pending}
	for _, p := range []*present{now, next} {
		if p.tree, p.state, err = c.stateAt(ctx, p.head); err != nil {
			return err
		}
	}
	if err := c.writeRest(ctx, now, next); err != nil {
		return err
	}
	return c.arrive(ctx, now, next)
}

// adopted reports whether the corpus has taken over a commit: the journal says so.
func (c *Copy) adopted(commit string) (bool, error) {
	for ch, err := range c.o.Store.Journal() {
		if err != nil {
			return false, err
		}
		if ch.Op == lessons.OpSync && (ch.Why == commitMark(commit) || strings.HasSuffix(ch.By, " "+commitMark(commit))) {
			return true, nil
		}
	}
	return false, nil
}
