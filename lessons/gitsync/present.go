package gitsync

import (
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
	"learnings/lessons/file"
)

// A run is one sync under way.
type run struct {
	*Copy
	wish   Wish
	rep    *Report
	now    *present // the corpus as it is here
	remote string   // its name
	theirs string   // its commit; "" when it is empty
}

func (c *Copy) begin(w Wish) *run {
	return &run{Copy: c, wish: w, rep: &Report{DryRun: w.DryRun, Committed: Tally{}, Received: Tally{}}}
}

// A present is the current corpus and the commit that records it.
type present struct {
	head    string // "" before the first commit
	tree    fileTree
	state   *snapshot           // as the commit has it
	local   map[lessons.ID]*doc // lessons whose file here differs from the commit: approvals of others, as proposals
	held    map[string]bool     // paths of broken files, which are not committed
	outside map[lessons.ID]bool // those of local that another program wrote: neither sent nor changed
	dirty   bool                // a dry run found something to commit
}

// A removal takes lessons from every machine, and an accidental one (an unmounted disk, a
// commit that empties the remote) looks like any other. So removing more than mostRemoved
// lessons, or more than one in leastLeft, needs confirmation. Removing a single one never
// does, since undoing an `add` does that.
const (
	mostRemoved = 10
	leastLeft   = 20 // 5 %
)

func muchRemoved(n, of int) bool { return n > mostRemoved || n > 1 && n*leastLeft > of }

// removal asks whether a removal is meant.
func removal(hint, format string, args ...any) error {
	return &Error{Err: fmt.Errorf(format, args...), Hint: hint, Removal: true}
}

func newPresent() *present {
	return &present{held: map[string]bool{}, local: map[lessons.ID]*doc{}, outside: map[lessons.ID]bool{}}
}

// commitPresent commits what was done to the corpus since the last commit.
func (r *run) commitPresent(ctx context.Context) error {
	p := newPresent()
	var err error
	if p.head, err = r.repo.commitAt(ctx, "HEAD"); err != nil {
		return err
	}
	was, old, err := r.stateAt(ctx, p.head)
	if err != nil {
		return err
	}
	if err := r.look(ctx, was, old, p); err != nil {
		return err
	}
	if more, err := r.sign(p, old); err != nil {
		return err
	} else if more {
		head := p.head
		p = newPresent()
		p.head = head
		if err := r.look(ctx, was, old, p); err != nil {
			return err
		}
	}
	p.tree = r.blobs.Tree(p.state)
	t := changesOf(old, p.state)
	if n := t["removed"]; muchRemoved(n, len(old.Docs)) && !r.wish.Removal {
		return removal(fmt.Sprintf("`git -C %s checkout -- .` brings them back; `learnings sync --removed` says that it is meant", r.o.Dir),
			"%d of %d lessons are gone from %s without having been forgotten: nothing is synced", n, len(old.Docs), r.o.Dir)
	}
	if !maps.Equal(was, p.tree) {
		r.rep.Committed.Add(t)
		if p.dirty = true; !r.wish.DryRun {
			if err := r.record(ctx, p, message(t, p.tree, was), was); err != nil {
				return err
			}
		}
	}
	if !r.wish.DryRun {
		r.repo.stage(ctx, was, p.tree)
	}
	r.now = p
	r.rep.Left, err = r.repo.left(ctx)
	return err
}

// message returns a commit message. It says what was done but quotes no lesson, because
// words cannot be removed from a commit later.
func message(t Tally, is, was fileTree) string {
	if s := t.String(); s != "" {
		return "learnings: " + s + "\n"
	}
	n := 0
	for _, p := range slices.Concat(slices.Collect(maps.Keys(is)), slices.Collect(maps.Keys(was))) {
		if is[p] != was[p] {
			n++
		}
	}
	return fmt.Sprintf("learnings: %d files\n", n)
}

// look reads the corpus. A lesson that was forgotten on another copy and is back
// is forgotten here too, except in a dry run.
func (r *run) look(ctx context.Context, was fileTree, old *snapshot, p *present) error {
	gone, err := r.goneIDs(old)
	if err != nil {
		return err
	}
	p.state = newSnapshot()
	p.state.Gone, r.rep.Held = gone, nil
	if err := r.scan(ctx, was, p); err != nil {
		return err
	}
	r.keep(was, old, p)
	if err := r.publish(old, p); err != nil {
		return err
	}
	for _, name := range []string{ignoreFile, attributesFile} { // ours, and a person may change them
		if text, ok := r.readFile(name); ok && p.state.Other[name].Name != r.blobs.Name(text) {
			p.state.Other[name] = plain(r.blobs.Add(text))
		}
	}
	var back []lessons.ID
	for _, id := range slices.Sorted(maps.Keys(gone)) {
		if p.state.Docs[id] != nil {
			back = append(back, id)
			delete(p.state.Docs, id)
		}
	}
	if len(back) == 0 || r.wish.DryRun {
		return nil
	}
	r.rep.Notes = append(r.rep.Notes, fmt.Sprintf("forgotten on another copy, and now here: %s", strings.Join(lessons.Texts(back), ", ")))
	return r.o.Store.ForgetToo(back...)
}

// scan reads the files of the corpus into a state. Broken ones are held.
func (r *run) scan(ctx context.Context, was fileTree, p *present) error {
	for f, err := range r.o.Store.Files() {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		var broken *file.Error
		if err != nil && !errors.As(err, &broken) {
			return err
		}
		if err == nil {
			o := plain(r.blobs.Add(f.Text))
			if was[f.Path].Name == o.Name {
				o = was[f.Path]
			}
			d := r.blobs.Doc(f.Path, o)
			if d != nil && f.Outside && d.Lesson.Status == lessons.Approved && !r.o.TrustEdits {
				p.held[f.Path], p.outside[d.Lesson.ID], p.local[d.Lesson.ID] = true, true, d
				r.rep.Held = append(r.rep.Held, Held{Path: f.Path, Why: "another program wrote it: `learnings approve --outside` says that it is yours"})
				continue
			}
			if d != nil {
				r.take(p.state, d)
				continue
			}
			_, err = file.DecodeAt(f.Path, f.Text, "")
			errors.As(err, &broken)
		}
		p.held[f.Path] = true
		h := Held{Path: f.Path}
		if broken != nil {
			h.Line, h.Why = broken.Line, lessons.Line(broken.Err.Error())
		}
		r.rep.Held = append(r.rep.Held, h)
	}
	return nil
}

// take adds a lesson to a state. Where two files have its id, the store says which
// of them is the lesson's.
func (r *run) take(s *snapshot, d *doc) {
	first := s.Docs[d.Lesson.ID]
	if first != nil {
		if own, err := r.o.Store.Path(d.Lesson.ID); err != nil || own != r.full(d.Path) {
			s.Other[d.Path] = d.object
			return
		}
		s.Other[first.Path] = first.object
	}
	s.Docs[d.Lesson.ID] = d
}

// keep copies from the last commit what is not in the corpus: files of others, and the
// last good state of held files.
func (r *run) keep(was fileTree, old *snapshot, p *present) {
	for path, o := range was {
		if path != goneFile && (!file.Is(path) || p.held[path]) {
			p.state.Other[path] = o
		}
	}
	for id, d := range old.Docs {
		if p.held[d.Path] || p.outside[id] {
			delete(p.state.Other, d.Path)
			if p.state.Docs[id] == nil && !p.state.Gone[id] {
				p.state.Docs[id] = d
			}
			continue
		}
		if len(p.held) == 0 || p.state.Docs[id] != nil || p.state.Gone[id] {
			continue
		}
		path, err := r.o.Store.Path(id) // a proposal that lies elsewhere than in the commit may be broken, too
		if rel, relErr := filepath.Rel(r.o.Dir, path); err == nil && relErr == nil && p.held[filepath.ToSlash(rel)] {
			p.local[id] = &doc{Path: filepath.ToSlash(rel), Lesson: d.Lesson.Withheld()}
		}
	}
}

// goneIDs returns all lessons that are known to have been forgotten.
func (r *run) goneIDs(old *snapshot) (map[lessons.ID]bool, error) {
	gone := maps.Clone(old.Gone)
	here, err := r.o.Store.Forgotten()
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(r.full(goneFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("reading %s: %v", goneFile, err)
	}
	for _, id := range slices.Concat(here, parseGone(text)) {
		gone[id] = true
	}
	return gone, nil
}

// record commits what is present and moves the branch.
func (r *run) record(ctx context.Context, p *present, message string, was fileTree) error {
	var parents []string
	if p.head != "" {
		parents = []string{p.head}
	}
	commit, err := r.commit(ctx, message, was, p.tree, parents...)
	if err != nil {
		return err
	}
	if err := r.writeGone(p.state.Gone); err != nil {
		return err
	}
	if err := r.repo.moveBranch(ctx, strings.TrimSpace(message), p.head, commit); err != nil {
		return fmt.Errorf("committing: %w", err)
	}
	p.head = commit
	return nil
}
