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

// A present is the corpus as it is here, and the commit that says so.
type present struct {
	head string // "" before the first commit
	tree tree
	side *side
	held map[string]bool // paths of files that are broken, and so not committed
	dirt bool            // a dry run found something to commit
}

// settle commits what was done to the corpus since the last commit.
func (c *Copy) settle(ctx context.Context, w Wish, rep *Report) (*present, error) {
	p := &present{held: map[string]bool{}}
	var err error
	if p.head, err = c.commitAt(ctx, "HEAD"); err != nil {
		return nil, err
	}
	was, err := c.treeOf(ctx, p.head)
	if err != nil {
		return nil, err
	}
	if err := c.load(ctx, was); err != nil {
		return nil, err
	}
	old := sortOut(was, c.texts, c.known)
	rep.Held = nil
	if p.side, err = c.look(ctx, was, old, p, rep, !w.DryRun); err != nil {
		return nil, err
	}
	p.tree = p.side.tree(c.nameOf, c.texts)
	t := tallyOf(old, p.side)
	if n := t["removed"]; n >= 10 && n*2 > len(old.docs) && !w.Removal {
		return nil, problem(fmt.Sprintf("`git -C %s checkout -- .` brings them back; `learnings sync --removed` says that it is meant", c.o.Dir),
			"%d of %d lessons are gone from %s without having been forgotten: nothing is synced", n, len(old.docs), c.o.Dir)
	}
	if !maps.Equal(was, p.tree) {
		add(rep.Committed, t)
		if p.dirt = true; !w.DryRun {
			if err := c.record(ctx, p, message(t, p.tree, was), was); err != nil {
				return nil, err
			}
		}
	}
	if !w.DryRun {
		c.staged(ctx, was, p.tree)
	}
	rep.Left, err = c.left(ctx)
	return p, err
}

func add(to, t Tally) {
	for k, n := range t {
		to[k] += n
	}
}

// look reads the corpus. What was forgotten elsewhere and has come back is
// forgotten here, if it may write.
func (c *Copy) look(ctx context.Context, was tree, old *side, p *present, rep *Report, write bool) (*side, error) {
	gone, err := c.goneIDs(old)
	if err != nil {
		return nil, err
	}
	now, back, err := c.scan(ctx, was, old, p, rep, gone)
	if err != nil || len(back) == 0 {
		return now, err
	}
	if write {
		if err := c.o.Store.ForgetToo(back...); err != nil {
			return nil, err
		}
		rep.Notes = append(rep.Notes, fmt.Sprintf("forgotten on another copy, and now here: %s", joined(back)))
	}
	for _, id := range back {
		delete(now.docs, id)
	}
	return now, nil
}

// scan makes a side of the files of the corpus. back are lessons that are there
// although they were forgotten.
func (c *Copy) scan(ctx context.Context, was tree, old *side, p *present, rep *Report, gone map[lessons.ID]bool) (now *side, back []lessons.ID, err error) {
	now = &side{docs: map[lessons.ID]*doc{}, other: tree{}, gone: gone}
	for f, err := range c.o.Store.Files() {
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		var broken *file.Error
		if err != nil && !errors.As(err, &broken) {
			return nil, nil, err
		}
		if err == nil {
			o := object{plainFile, c.nameOf(f.Text)}
			if was[f.Path].name == o.name {
				o = was[f.Path]
			}
			c.texts[o.name] = f.Text
			if d := decodeDoc(f.Path, o, c.texts, c.known); d != nil {
				if first := now.docs[d.lesson.ID]; first != nil { // the store says which of the two is the lesson's
					if own, err := c.o.Store.Path(d.lesson.ID); err != nil || own != filepath.Join(c.o.Dir, filepath.FromSlash(f.Path)) {
						now.other[f.Path] = o
						continue
					}
					now.other[first.Path] = first.object
				}
				now.docs[d.lesson.ID] = d
				if gone[d.lesson.ID] {
					back = append(back, d.lesson.ID)
				}
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
		rep.Held = append(rep.Held, h)
	}
	c.keep(was, old, p.held, now)
	return now, back, c.dotFiles(now)
}

// keep takes over from the last commit what is not the corpus's to change: files
// that are not ours, and the last good state of those that are held.
func (c *Copy) keep(was tree, old *side, held map[string]bool, now *side) {
	for path, o := range was {
		switch {
		case path == goneFile:
		case !file.Is(path):
			now.other[path] = o
		case held[path]:
			now.other[path] = o
		}
	}
	for id, d := range old.docs {
		if held[d.Path] {
			delete(now.other, d.Path)
			if now.docs[id] == nil && !now.gone[id] {
				now.docs[id] = d
			}
		}
	}
}

// dotFiles reads those of ours that a person may change.
func (c *Copy) dotFiles(now *side) error {
	for _, name := range []string{ignoreFile, attributesFile} {
		full := filepath.Join(c.o.Dir, name)
		if info, err := os.Lstat(full); errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode().IsRegular() {
			continue // a symlink could lead to anything, and what is committed is sent
		}
		text, err := os.ReadFile(full)
		if err != nil {
			return fmt.Errorf("reading %s: %v", name, err)
		}
		if n := c.nameOf(text); now.other[name].name != n {
			c.texts[n] = text
			now.other[name] = object{plainFile, n}
		}
	}
	return nil
}

// goneIDs are all lessons that are known to be forgotten.
func (c *Copy) goneIDs(old *side) (map[lessons.ID]bool, error) {
	gone := maps.Clone(old.gone)
	here, err := c.o.Store.Forgotten()
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(filepath.Join(c.o.Dir, goneFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("reading %s: %v", goneFile, err)
	}
	for _, id := range slices.Concat(here, parseGone(text)) {
		gone[id] = true
	}
	return gone, nil
}

// record commits what is present and moves the branch.
func (c *Copy) record(ctx context.Context, p *present, message string, was tree, parents ...string) error {
	if p.head != "" && len(parents) == 0 {
		parents = []string{p.head}
	}
	commit, err := c.commit(ctx, message, was, p.tree, c.texts, parents...)
	if err != nil {
		return err
	}
	if err := c.writeGone(p.side.gone); err != nil {
		return err
	}
	if _, err := c.git(ctx, "update-ref", "-m", strings.TrimSpace(message), "refs/heads/"+c.branch, commit, orZero(p.head, commit)); err != nil {
		return fmt.Errorf("committing: %w", err)
	}
	p.head = commit
	return nil
}

// orZero is how git is told that a ref must not exist yet.
func orZero(commit, like string) string {
	if commit == "" {
		return strings.Repeat("0", len(like))
	}
	return commit
}

// writeGone writes the list of what was forgotten into the corpus.
func (c *Copy) writeGone(gone map[lessons.ID]bool) error {
	if len(gone) == 0 {
		return nil
	}
	return c.writeFile(goneFile, formatGone(gone))
}

// staged brings git's index, in which a person may have staged other files, up
// to what we have committed. It is a courtesy: without it `git status` shows too
// much, and nothing else happens. So its failures are nothing, and the next
// sync does it again.
func (c *Copy) staged(ctx context.Context, was, is tree) {
	out, err := c.git(ctx, "ls-files", "--stage", "-z")
	if err != nil {
		return
	}
	index := tree{}
	for rec := range strings.SplitSeq(out, "\x00") {
		head, path, ok := strings.Cut(rec, "\t")
		if words := strings.Fields(head); ok && len(words) == 3 {
			index[path] = object{words[0], words[1]}
		}
	}
	var b strings.Builder
	for p, o := range index {
		if _, stays := is[p]; !stays && (ours(p) || was[p] != (object{})) {
			fmt.Fprintf(&b, "0 %s\t%s\x00", strings.Repeat("0", len(o.name)), p)
		}
	}
	for p, o := range is {
		if index[p] != o && (ours(p) || was[p] != o) {
			fmt.Fprintf(&b, "%s %s\t%s\x00", o.mode, o.name, p)
		}
	}
	if b.Len() == 0 {
		return
	}
	if _, err := c.feed(ctx, localTime, strings.NewReader(b.String()), "update-index", "-z", "--index-info"); err == nil {
		_, _ = c.git(ctx, "update-index", "-q", "--refresh")
	}
}

// load reads the lessons of trees that are not read yet.
func (c *Copy) load(ctx context.Context, trees ...tree) error {
	want := map[string]bool{}
	for _, t := range trees {
		for p, o := range t {
			if _, have := c.texts[o.name]; !have && o.plain() && (file.Is(p) || p == goneFile) {
				want[o.name] = true
			}
		}
	}
	names := slices.Sorted(maps.Keys(want))
	return c.read(ctx, names, func(i int, kind string, text []byte, err error) error {
		if err == nil && kind == "blob" {
			c.texts[names[i]] = text
		}
		return nil
	})
}

// mostLeft is how many files that are not ours are named.
const mostLeft = 50

// left names the files in the corpus that are not ours, and not committed.
func (c *Copy) left(ctx context.Context) ([]string, error) {
	out, err := c.git(ctx, "status", "--porcelain", "-z", "--untracked-files=all", "--no-renames", "--ignore-submodules=all")
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

func joined(ids []lessons.ID) string {
	words := make([]string, len(ids))
	for i, id := range ids {
		words[i] = string(id)
	}
	return strings.Join(words, ", ")
}
