package gitsync

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"learnings/lessons"
	"learnings/lessons/store"
)

// integrate takes into the corpus what the remote has.
func (c *Copy) integrate(ctx context.Context, w Wish, rep *Report, now *present, theirs string) error {
	if theirs == "" {
		return nil
	}
	base, rewritten, err := c.parting(ctx, w, now.head, theirs)
	if err != nil || base == theirs {
		return err
	}
	m, theirTree, err := c.merger(ctx, now, base, theirs)
	if err != nil {
		return err
	}
	if err := m.merge(); err != nil {
		return err
	}
	next := &present{tree: m.out.tree(c.nameOf, c.texts), side: m.out, held: now.held}
	if w.DryRun {
		rep.received(now, m)
		return nil
	}
	if err := c.spared(now.tree, next.tree); err != nil {
		return err
	}
	switch {
	case base == now.head && maps.Equal(next.tree, theirTree):
		next.head = theirs
	case base == now.head || rewritten:
		next.head, err = c.commit(ctx, mergeMessage(m), theirTree, next.tree, c.texts, theirs)
	default:
		next.head, err = c.commit(ctx, mergeMessage(m), now.tree, next.tree, c.texts, now.head, theirs)
	}
	if err != nil {
		return err
	}
	if err := c.takeOver(ctx, now, next); err != nil {
		return err
	}
	rep.received(now, m)
	*now = *next
	return nil
}

func (r *Report) received(now *present, m *merger) {
	add(r.Received, tallyOf(now.side, m.out))
	r.Settled = append(r.Settled, m.settled...)
	r.Notes = append(r.Notes, m.notes...)
}

func mergeMessage(m *merger) string {
	t := tallyOf(m.ours, m.out).String()
	if t == "" {
		t = "nothing new"
	}
	if n := len(m.settled); n > 0 {
		t += fmt.Sprintf("; %d settled", n)
	}
	return "learnings: merged " + t + "\n"
}

// parting is where two histories parted; "" when they have nothing in common.
// rewritten says that the remote's history is another than when we last met.
func (c *Copy) parting(ctx context.Context, w Wish, head, theirs string) (base string, rewritten bool, err error) {
	if head == "" {
		return "", false, nil
	}
	seen, err := c.commitAt(ctx, refRemote)
	if err != nil {
		return "", false, err
	}
	for _, order := range [][2]string{{theirs, head}, {head, theirs}} {
		if before, err := c.ancestor(ctx, order[0], order[1]); err != nil || before {
			return order[0], false, err
		}
	}
	if seen != "" {
		goesOn, err := c.ancestor(ctx, seen, theirs)
		if err != nil {
			return "", false, err
		}
		if !goesOn && !w.Rejoin {
			return "", false, problem("`learnings sync --rejoin` accepts theirs and puts on top of it what was decided here",
				"the history of the remote was written anew since we last met, perhaps to take something out of it; nothing is synced, so that ours does not bring it back")
		}
		if !goesOn {
			return seen, true, nil
		}
	}
	out, err := c.line(ctx, "merge-base", "--all", head, theirs)
	if err != nil || out == "" {
		return "", false, err
	}
	return slices.Min(strings.Fields(out)), false, nil
}

// merger readies a merge.
func (c *Copy) merger(ctx context.Context, now *present, base, theirs string) (*merger, tree, error) {
	baseTree, err := c.treeOf(ctx, base)
	if err != nil {
		return nil, nil, err
	}
	theirTree, err := c.treeOf(ctx, theirs)
	if err != nil {
		return nil, nil, err
	}
	if err := c.load(ctx, baseTree, theirTree); err != nil {
		return nil, nil, err
	}
	m := &merger{
		base: sortOut(baseTree, c.texts, c.known), ours: now.side, theirs: sortOut(theirTree, c.texts, c.known),
		related: base != "", blocked: now.held, name: c.nameOf, texts: c.texts,
	}
	return m, theirTree, nil
}

// takeOver makes the corpus, and then the branch, what next says. See the
// package comment for what is left when it is cut short.
func (c *Copy) takeOver(ctx context.Context, now, next *present) error {
	if _, err := c.git(ctx, "update-ref", refPending, next.head); err != nil {
		return err
	}
	err := c.writeCorpus(ctx, now, next)
	if errors.Is(err, lessons.ErrConflict) {
		if _, gitErr := c.git(context.WithoutCancel(ctx), "update-ref", "-d", refPending); gitErr != nil {
			return gitErr
		}
	}
	if err != nil {
		return err
	}
	return c.arrive(context.WithoutCancel(ctx), now.head, next.head, now.tree, next.tree)
}

// arrive moves the branch to what the corpus is by now.
func (c *Copy) arrive(ctx context.Context, from, to string, was, is tree) error {
	if from != to {
		if _, err := c.git(ctx, "update-ref", "-m", "learnings sync", "refs/heads/"+c.branch, to, orZero(from, to)); err != nil {
			return fmt.Errorf("moving the branch: %w", err)
		}
	}
	if _, err := c.git(ctx, "update-ref", "-d", refPending); err != nil {
		return err
	}
	c.staged(ctx, was, is)
	return nil
}

// writeCorpus writes the files. The one write of lessons in the middle is what
// counts; all else can be done twice.
func (c *Copy) writeCorpus(ctx context.Context, now, next *present) error {
	for p, o := range now.side.other {
		if _, stays := next.side.other[p]; !stays && c.isHere(p, o) {
			if err := c.removeFile(p); err != nil {
				return err
			}
		}
	}
	who := fmt.Sprintf("%s (git %.12s)", c.o.By, next.head)
	if err := c.o.Store.Adopt(store.Write{Op: lessons.OpSync, By: who, Undoable: true}, steps(now, next)...); err != nil {
		return err
	}
	if err := c.forgetNew(now.side.gone, next.side.gone); err != nil {
		return err
	}
	return c.writeOthers(ctx, now, next)
}

// steps are what becomes of the lessons.
func steps(now, next *present) []store.Step {
	var out []store.Step
	was := func(d *doc) []byte {
		if d == nil || now.held[d.Path] {
			return nil
		}
		return d.Text
	}
	for _, id := range slices.Sorted(maps.Keys(next.side.docs)) {
		d, old := next.side.docs[id], now.side.docs[id]
		if old == nil || old.Path != d.Path || old.name != d.name {
			out = append(out, store.Step{ID: id, Was: was(old), File: d.File})
		}
	}
	for _, id := range slices.Sorted(maps.Keys(now.side.docs)) {
		if next.side.docs[id] == nil && !next.side.gone[id] {
			out = append(out, store.Step{ID: id, Was: was(now.side.docs[id])})
		}
	}
	return out
}

// forgetNew forgets here what was forgotten elsewhere.
func (c *Copy) forgetNew(was, is map[lessons.ID]bool) error {
	var ids []lessons.ID
	for _, id := range slices.Sorted(maps.Keys(is)) {
		if !was[id] {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	if err := c.writeGone(is); err != nil {
		return err
	}
	return c.o.Store.ForgetToo(ids...)
}

// writeOthers writes the files that are no lessons and have changed.
func (c *Copy) writeOthers(ctx context.Context, now, next *present) error {
	var paths, names []string
	for _, p := range slices.Sorted(maps.Keys(next.side.other)) {
		o := next.side.other[p]
		if now.tree[p] == o || !o.plain() || !safePath(p) {
			continue
		}
		paths, names = append(paths, p), append(names, o.name)
	}
	return c.read(ctx, names, func(i int, kind string, text []byte, err error) error {
		if err != nil || kind != "blob" {
			return nil // too large to be a note beside lessons; git has it
		}
		full := filepath.Join(c.o.Dir, filepath.FromSlash(paths[i]))
		if _, err := os.Lstat(full); err == nil && !c.isHere(paths[i], now.tree[paths[i]]) {
			return nil // a file of ours that is held; it is named
		}
		return c.writeFile(paths[i], text)
	})
}

// spared checks that no file that is not ours would be written over with
// changes of a person in it that are not committed.
func (c *Copy) spared(was, is tree) error {
	for _, p := range slices.Sorted(maps.Keys(is)) {
		if was[p] == is[p] || ours(p) || !is[p].plain() || !safePath(p) {
			continue
		}
		if _, err := os.Lstat(filepath.Join(c.o.Dir, filepath.FromSlash(p))); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if !c.isHere(p, was[p]) && !c.isHere(p, is[p]) {
			return problem(fmt.Sprintf("commit it (`git -C %s commit -- %s`) or move it away, and sync again", c.o.Dir, p),
				"%s is not ours, was changed here without being committed, and is another at the remote", lessons.Line(p))
		}
	}
	return nil
}

// isHere reports that a file of the corpus has the content of an object.
func (c *Copy) isHere(p string, o object) bool {
	if o == (object{}) || !safePath(p) {
		return false
	}
	full := filepath.Join(c.o.Dir, filepath.FromSlash(p))
	info, err := os.Lstat(full)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxBlob {
		return false
	}
	text, err := os.ReadFile(full)
	return err == nil && c.nameOf(text) == o.name
}

// safePath reports a path of a commit that may be written to: a commit can hold
// any.
func safePath(p string) bool {
	for part := range strings.SplitSeq(p, "/") {
		low := strings.ToLower(strings.TrimRight(part, " ."))
		if low == "" || low == ".git" || strings.HasPrefix(low, "git~") || strings.ContainsAny(part, "\\:\x00") {
			return false
		}
	}
	return true
}

// writeFile writes a file that is no lesson: whole or not at all, and never
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
	if err := root.MkdirAll(filepath.Dir(p), 0o700); err != nil {
		return fmt.Errorf("writing %s: %v", p, err)
	}
	temp := filepath.Join(filepath.Dir(p), ".learnings-sync.tmp")
	if err := root.WriteFile(temp, text, 0o600); err != nil {
		return fmt.Errorf("writing %s: %v", p, err)
	}
	if err := root.Rename(temp, p); err != nil {
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

// finish ends a sync that was killed between writing the corpus and moving the
// branch. What had not been written is begun again.
func (c *Copy) finish(ctx context.Context) error {
	pending, err := c.commitAt(ctx, refPending)
	if err != nil || pending == "" {
		return err
	}
	head, err := c.commitAt(ctx, "HEAD")
	if err != nil {
		return err
	}
	done, err := c.adopted(pending)
	if err != nil {
		return err
	}
	if done && head != "" {
		if done, err = c.ancestor(ctx, head, pending); err != nil {
			return err
		}
	}
	if !done {
		_, err = c.git(ctx, "update-ref", "-d", refPending)
		return err
	}
	was, err := c.treeOf(ctx, head)
	if err != nil {
		return err
	}
	is, err := c.treeOf(ctx, pending)
	if err != nil {
		return err
	}
	if err := c.load(ctx, was, is); err != nil {
		return err
	}
	a, b := &present{tree: was, side: sortOut(was, c.texts, c.known)}, &present{tree: is, side: sortOut(is, c.texts, c.known)}
	if err := c.forgetNew(a.side.gone, b.side.gone); err != nil {
		return err
	}
	if err := c.writeOthers(ctx, a, b); err != nil {
		return err
	}
	return c.arrive(ctx, head, pending, was, is)
}

// adopted reports that the corpus has taken over a commit: the journal says so.
func (c *Copy) adopted(commit string) (bool, error) {
	mark := fmt.Sprintf("(git %.12s)", commit)
	for ch, err := range c.o.Store.Journal() {
		if err != nil {
			return false, err
		}
		if ch.Op == lessons.OpSync && strings.HasSuffix(ch.By, mark) {
			return true, nil
		}
	}
	return false, nil
}
