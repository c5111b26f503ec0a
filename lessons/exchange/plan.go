package exchange

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/aymanbagabas/go-udiff"

	"learnings/lessons"
	"learnings/lessons/state"
)

// BackupSuffix ends the name of the copy of another program's file before its first change.
// The copy is never overwritten.
const BackupSuffix = ".before-learnings"

// A Plan is what a write will do.
type Plan struct {
	Edits  []Edit
	Rows   []string // rows added to a database, a line each
	Losses []Loss
	Notes  []string // what a person has to know or do beside the plan, a sentence each

	// Commit adds the Rows. It is called after the edits, by one process at a time, when
	// the ledger has what other processes wrote since the plan was made.
	Commit func(context.Context) error

	// Through is the cursor that the target follows the corpus to once the plan is applied;
	// "" does not change it.
	Through lessons.Cursor

	ledger *Ledger
	notes  map[lessons.ID]*Written
	lost   map[lessons.ID]int // indexes into Losses
}

// An Edit is one file before and after.
type Edit struct {
	Path   string
	Before []byte // nil if there is no file
	After  []byte // nil if it is removed
	Backup bool   // copy the file before its first change: it is not ours
}

// A Loss is what a format cannot hold of a lesson.
type Loss struct {
	ID   lessons.ID
	What []string
}

// NewPlan returns a plan for a target, with what the format lacks for each lesson.
func NewPlan(to Target, f Format, ls []lessons.Lesson) *Plan {
	p := &Plan{ledger: to.Ledger, notes: map[lessons.ID]*Written{}, lost: map[lessons.ID]int{}}
	for _, l := range ls {
		if l.Status == lessons.Approved {
			p.Lose(l.ID, f.Lacks(l)...)
		}
	}
	return p
}

// Lose records what the target will not hold of a lesson.
func (p *Plan) Lose(id lessons.ID, what ...string) {
	if len(what) == 0 {
		return
	}
	i, ok := p.lost[id]
	if !ok {
		i = len(p.Losses)
		p.lost[id], p.Losses = i, append(p.Losses, Loss{ID: id})
	}
	p.Losses[i].What = append(p.Losses[i].What, what...)
}

// File plans that the file at path holds after, or is removed if after is nil. It does
// nothing if the file is already so.
func (p *Plan) File(path string, before, after []byte) {
	if (before == nil) == (after == nil) && bytes.Equal(before, after) {
		return
	}
	p.Edits = append(p.Edits, Edit{Path: path, Before: before, After: after, Backup: before != nil})
}

// Note plans to store in the ledger the entry of a lesson; nil for none.
func (p *Plan) Note(id lessons.ID, w *Written) { p.notes[id] = w }

// Wrote is Note for the entry of a lesson in its current revision.
func (p *Plan) Wrote(l lessons.Lesson, key, text string) {
	p.Note(l.ID, &Written{Key: key, Text: text, Rev: string(l.Rev)})
}

// Empty reports whether the plan changes nothing.
func (p *Plan) Empty() bool { return len(p.Edits) == 0 && len(p.Rows) == 0 }

// Diff returns the changes as unified diffs, and the rows added. It does not remove control
// characters of the files.
func (p *Plan) Diff() string {
	var b bytes.Buffer
	for _, e := range p.Edits {
		from, to := e.Path, e.Path
		if e.Before == nil {
			from = os.DevNull
		}
		if e.After == nil {
			to = os.DevNull
		}
		b.WriteString(udiff.Unified(from, to, string(e.Before), string(e.After)))
	}
	for _, r := range p.Rows {
		fmt.Fprintf(&b, "+%s\n", r)
	}
	return b.String()
}

// Apply applies the plan. It replaces each file as a whole, following symbolic links. If a
// file has changed since the plan was made, Apply stops with [ErrChanged]; files before it
// are written, and a new plan completes the rest. Each edit must be of a different file.
func (p *Plan) Apply(ctx context.Context) error {
	if err := p.write(ctx); err != nil {
		return err
	}
	if p.Commit != nil {
		unlock, err := p.ledger.lock(ctx)
		if err != nil {
			return err
		}
		defer unlock()
		if err := p.Commit(ctx); err != nil {
			return err
		}
	}
	return p.ledger.save(p.notes, p.Through)
}

// atOnce is how many files of a large store are written concurrently, because writes wait
// for the disk.
const atOnce = 64

// write makes the edits, sequentially if they are few, so that it is clear where an error
// stopped them.
func (p *Plan) write(ctx context.Context) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	gate := make(chan struct{}, atOnce)
	if len(p.Edits) < atOnce {
		gate = make(chan struct{}, 1)
	}
	names := make([]string, len(p.Edits))
	for i, e := range p.Edits {
		names[i] = e.Path
	}
	state.Sweep(true, names...)
	var wg sync.WaitGroup
	for _, e := range p.Edits {
		gate <- struct{}{}
		if ctx.Err() != nil {
			break
		}
		wg.Go(func() {
			if err := e.apply(); err != nil {
				stop(fmt.Errorf("writing %s: %w", e.Path, err))
			}
			<-gate
		})
	}
	wg.Wait()
	return context.Cause(ctx)
}

func (e Edit) apply() error {
	path, err := filepath.EvalSymlinks(e.Path)
	if errors.Is(err, fs.ErrNotExist) {
		path, err = e.Path, nil
	}
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	still := func() bool {
		now, err := ReadFile(path)
		return err == nil && (now == nil) == (e.Before == nil) && bytes.Equal(now, e.Before)
	}
	if !still() {
		return ErrChanged
	}
	if e.Backup {
		if err := backup(path, e.Before); err != nil {
			return err
		}
	}
	if e.After == nil {
		return os.Remove(path)
	}
	wrote := false
	err = state.WriteFileIf(path, func(w io.Writer) error {
		_, err := w.Write(e.After)
		return err
	}, func() bool { wrote = still(); return wrote })
	if err == nil && !wrote {
		return ErrChanged
	}
	return err
}

// CopyOf returns where the copy of a file before its first change is: beside it, or within
// the repository's own folder if the file is in a working tree of git, which would list it.
func CopyOf(path string) string {
	for top := filepath.Dir(path); ; top = filepath.Dir(top) {
		at := filepath.Join(top, ".git")
		if text, err := os.ReadFile(at); err == nil { // of a work tree beside its repository
			dir, _ := strings.CutPrefix(strings.TrimSpace(string(text)), "gitdir: ")
			if at = dir; !filepath.IsAbs(dir) {
				at = filepath.Join(top, dir)
			}
		}
		if _, err := os.Stat(filepath.Join(at, "HEAD")); err == nil {
			if rel, err := filepath.Rel(top, path); err == nil {
				return filepath.Join(at, "learnings", rel+BackupSuffix)
			}
		}
		if top == filepath.Dir(top) {
			return path + BackupSuffix
		}
	}
}

// backup copies a file before its first change by this program.
func backup(path string, text []byte) error {
	if _, err := os.Lstat(path + BackupSuffix); err == nil {
		return nil // of an earlier version
	}
	to := CopyOf(path)
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return fmt.Errorf("keeping a copy: %w", err)
	}
	f, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("keeping a copy: %w", err)
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Sync(), f.Close())
}

// maxHead is the most bytes of the beginning of a file.
const maxHead = 16 << 10

// Head returns the beginning of a regular file, by which a format is detected; nothing if it
// cannot be read.
func Head(path string) []byte {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return nil // opening a pipe would block
	}
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	b, _ := io.ReadAll(io.LimitReader(f, maxHead)) // after an error, what was read so far
	return b
}

// MaxFile is the most bytes of another program's text file that are read.
const MaxFile = 64 << 20

// ReadFile reads a file of another program. It returns nil for a missing file, and an error
// for a folder, a pipe, a file larger than [MaxFile], or a link to nothing: what it leads to
// may come yet, and a file in its place would stand in the way.
func ReadFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if to, err := os.Readlink(path); err == nil {
			return nil, fmt.Errorf("%s is a link to %s, which does not exist: make that file first, or remove the link", path, to)
		}
		return nil, nil
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is no regular file", path)
	case info.Size() > MaxFile:
		return nil, fmt.Errorf("%s has %d MB, more than %d MB", path, info.Size()>>20, MaxFile>>20)
	}
	data, err := os.ReadFile(path)
	if data == nil && err == nil {
		data = []byte{}
	}
	return data, err
}
