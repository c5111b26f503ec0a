package exchange

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/aymanbagabas/go-udiff"

	"learnings/lessons"
	"learnings/lessons/state"
)

// BackupSuffix ends the name of the copy that is made of a file of another program
// before it is changed for the first time. It is never written again.
const BackupSuffix = ".before-learnings"

// A Plan is what a write will do.
type Plan struct {
	Edits  []Edit
	Rows   []string // what is added to a database, a line each
	Losses []Loss

	// Commit does what Rows say. It is called after the edits were made, by one process
	// at a time: by then the ledger has what another one wrote since the plan was made.
	Commit func(context.Context) error

	// Through is up to where the target follows the corpus once the plan was applied; ""
	// leaves that as it is.
	Through lessons.Cursor

	ledger *Ledger
	notes  map[lessons.ID]*Written
	lost   map[lessons.ID]int // of Losses
}

// An Edit is one file before and after.
type Edit struct {
	Path   string
	Before []byte // nil for a file that is not there
	After  []byte // nil for one that is removed
	Backup bool   // keep a copy before the first change: the file is not ours
}

// A Loss is what a format cannot hold of a lesson.
type Loss struct {
	ID   lessons.ID
	What []string
}

// NewPlan begins a plan for a target, with what the format lacks for each lesson.
func NewPlan(to Target, f Format, ls []lessons.Lesson) *Plan {
	p := &Plan{ledger: to.Ledger, notes: map[lessons.ID]*Written{}, lost: map[lessons.ID]int{}}
	for _, l := range ls {
		if l.Status == lessons.Approved {
			p.Lose(l.ID, f.Lacks(l)...)
		}
	}
	return p
}

// Lose says what of a lesson the target will not hold.
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

// File plans that the file at path will hold after, or is removed when after is
// nil. It plans nothing when the file is like that already.
func (p *Plan) File(path string, before, after []byte) {
	if (before == nil) == (after == nil) && bytes.Equal(before, after) {
		return
	}
	p.Edits = append(p.Edits, Edit{Path: path, Before: before, After: after, Backup: before != nil})
}

// Note remembers the entry that a lesson has in the target once the plan was
// applied; nil for none.
func (p *Plan) Note(id lessons.ID, w *Written) { p.notes[id] = w }

// Wrote is Note of the entry of a lesson as it is.
func (p *Plan) Wrote(l lessons.Lesson, key, text string) {
	p.Note(l.ID, &Written{Key: key, Text: text, Rev: string(l.Rev)})
}

// Empty reports whether the target is as it should be.
func (p *Plan) Empty() bool { return len(p.Edits) == 0 && len(p.Rows) == 0 }

// Diff shows what the plan changes, as unified diffs and the rows that are added.
// The texts are as the files have them: terminals want them without controls.
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

// Apply does what the plan says: each file as a whole, following symbolic links. A
// file that is no longer as the plan saw it stops it with [ErrChanged]; the files
// before it are written, and a new plan completes the rest. Edits are of different
// files.
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

// atOnce is how many files of a store that has many are written side by side: what
// takes time is waiting for the disk.
const atOnce = 64

// write makes the edits: one after the other when they are few, so that it is clear
// where an error stopped them.
func (p *Plan) write(ctx context.Context) error {
	var wg sync.WaitGroup
	var stop sync.Once
	var failed error
	gate := make(chan struct{}, atOnce)
	if len(p.Edits) < atOnce {
		gate = make(chan struct{}, 1)
	}
	halt, cancel := context.WithCancel(ctx)
	defer cancel()
	for _, e := range p.Edits {
		gate <- struct{}{}
		if halt.Err() != nil {
			break
		}
		wg.Go(func() {
			defer func() { <-gate }()
			if err := e.apply(); err != nil {
				stop.Do(func() { failed = fmt.Errorf("writing %s: %w", e.Path, err); cancel() })
			}
		})
	}
	wg.Wait()
	return cmp.Or(failed, ctx.Err())
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

// backup keeps what a file held before this program changed it for the first time.
func backup(path string, text []byte) error {
	f, err := os.OpenFile(path+BackupSuffix, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("keeping a copy: %w", err)
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Sync(), f.Close())
}

// MaxFile is the most bytes of another program's text file that are read.
const MaxFile = 64 << 20

// ReadFile reads a file of another program: nil for one that is not there, an error
// for a folder, a pipe or what is larger than [MaxFile].
func ReadFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
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
