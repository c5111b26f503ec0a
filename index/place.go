package index

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/index/scorch"
	"github.com/gofrs/flock"

	"learnings/lessons"
	"learnings/lessons/state"
)

// This file is the index as files and locks. The folder holds
//
//	CURRENT       which of the folders below is the index, and its state (see current)
//	g1, g2, …     generations; each is an index of bleve
//	writing.lock  held by the one process that syncs or rebuilds
//	reading.lock  shared by those that have the current generation open to read, held
//	              exclusively by the one that has it open to write or replaces it
//	gate.lock     passed on the way to reading.lock, so that readers cannot overtake a
//	              waiting writer for ever
//
// bleve has locks of its own, but asks for them every 50 ms; with ours taken first it
// never waits. Nobody waits while a new generation is built; it becomes current when
// CURRENT is replaced.

const (
	currentFile = "CURRENT"
	writingLock = "writing.lock"
	readingLock = "reading.lock"
	gateLock    = "gate.lock"
	bleveFolder = "store" // in a generation: where bleve has its files

	// patience is how long a reader waits for a writer, which locks the index for some
	// milliseconds at a time.
	patience = time.Second
	poll     = time.Millisecond
	// forReaders is how long a writer in a hurry waits for readers.
	forReaders = 150 * time.Millisecond
)

// errDamaged is wrapped by the errors of view and update if bleve cannot read the index.
var errDamaged = errors.New("damaged")

// current is the contents of the file CURRENT.
type current struct {
	Version    int
	Generation string
	Cursor     lessons.Cursor   // as the last writer left it; "" if it was killed, see Noted
	Files      map[string]int64 // bleve's files, with their sizes after the last write
}

// current reads the file CURRENT. It returns ErrNoIndex if that names no index of this
// version.
func (x *Index) current() (c current, err error) {
	b, err := os.ReadFile(filepath.Join(x.path, currentFile))
	if errors.Is(err, fs.ErrNotExist) {
		return c, fmt.Errorf("%w at %s", ErrNoIndex, x.path)
	}
	if err != nil {
		return c, fmt.Errorf("opening index: %v", err)
	}
	if err := json.Unmarshal(b, &c); err != nil || c.Version != version || numberOf(c.Generation) == 0 {
		return c, fmt.Errorf("%w at %s: it is of another version", ErrNoIndex, x.path)
	}
	return c, nil
}

// set replaces the file CURRENT. It does not sync the disk: if a power loss leaves half of
// it, there is no index and the next sync makes one.
func (x *Index) set(c current) error {
	c.Version = version
	text, err := json.Marshal(c)
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(x.path)
	if err != nil {
		return fmt.Errorf("naming the current index: %v", err)
	}
	defer root.Close()
	name := currentFile + "." + strconv.Itoa(os.Getpid())
	if err = root.WriteFile(name, text, 0o600); err == nil {
		err = state.Rename(root, name, currentFile)
	}
	if err != nil {
		return fmt.Errorf("naming the current index: %v", err)
	}
	return nil
}

// dir returns the folder of a generation.
func (x *Index) dir(c current) string { return filepath.Join(x.path, c.Generation) }

// numberOf returns the number of a generation, from 1 on; 0 if the name is not one's.
func numberOf(generation string) int {
	n, _ := strconv.Atoi(strings.TrimPrefix(generation, "g"))
	if n < 1 || generation != "g"+strconv.Itoa(n) {
		return 0
	}
	return n
}

// view opens the current generation for reading while f runs.
func (x *Index) view(ctx context.Context, f func(*reader) error) error {
	return x.session(ctx, func(b bleve.Index) error { return read(ctx, b, f) })
}

// session is view with bleve's index. It drops a damaged generation, and the next sync
// builds another.
func (x *Index) session(ctx context.Context, f func(bleve.Index) error) error {
	err := x.look(ctx, f)
	if errors.Is(err, errDamaged) && x.path != "" {
		os.Remove(filepath.Join(x.path, currentFile))
		return fmt.Errorf("%w at %s: %v", ErrNoIndex, x.path, err)
	}
	return err
}

// look is session without dropping a damaged generation. It notes the cursor if a writer
// was killed before it did.
func (x *Index) look(ctx context.Context, f func(bleve.Index) error) error {
	switch {
	case x.open != nil:
		return f(x.open)
	case x.hold != nil:
		return x.hold.look(ctx, x, f)
	}
	return x.openNow(ctx, f)
}

// openNow is look with the generation opened for f alone.
func (x *Index) openNow(ctx context.Context, f func(bleve.Index) error) error {
	return x.reading(ctx, func(c current) error {
		return open(x.dir(c), c, true, func(b bleve.Index) error {
			if at, err := cursorOf(b); err == nil && at != c.Cursor {
				c.Cursor = at
				_ = x.set(c)
			}
			return f(b)
		})
	})
}

// A Health is the state of an index on disk.
type Health struct {
	Cursor lessons.Cursor // see [Index.Cursor]
	Size   int64          // bytes on disk
	Spare  int            // generations left by a crash; the next rebuild removes them
}

// Examine opens the index as a query does, but does not drop a damaged one. The errors to
// decide on are [ErrNoIndex] and [ErrBusy]; any other means damage or an unreadable folder.
func (x *Index) Examine(ctx context.Context) (h Health, err error) {
	err = x.look(ctx, func(b bleve.Index) error {
		h.Cursor, err = cursorOf(b)
		return err
	})
	if err != nil {
		return h, err
	}
	gens, err := x.generations()
	h.Spare = max(len(gens)-1, 0)
	// A file that is replaced meanwhile may or may not count.
	_ = filepath.WalkDir(x.path, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if info, err := d.Info(); err == nil {
				h.Size += info.Size()
			}
		}
		return nil
	})
	return h, err
}

// reading runs f on the current generation, which nobody writes or replaces meanwhile.
func (x *Index) reading(ctx context.Context, f func(current) error) error {
	if _, err := x.current(); err != nil {
		return err // create no lock file where there is nothing to lock
	}
	wait, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return x.gated(wait, (*flock.Flock).TryRLockContext, func() error {
		c, err := x.current()
		if err != nil {
			return err
		}
		return f(c)
	})
}

// gated runs f with the reading lock, taken by a method of flock.
func (x *Index) gated(ctx context.Context, try func(*flock.Flock, context.Context, time.Duration) (bool, error), f func() error) error {
	gate, l := flock.New(filepath.Join(x.path, gateLock)), flock.New(filepath.Join(x.path, readingLock))
	if err := locked(try(gate, ctx, poll)); err != nil {
		return err
	}
	err := locked(try(l, ctx, poll))
	gate.Unlock()
	if err != nil {
		return err
	}
	defer l.Unlock()
	return f()
}

// awaited reports whether a writer waits for the readers.
func (x *Index) awaited() bool {
	gate := flock.New(filepath.Join(x.path, gateLock))
	ok, err := gate.TryRLock()
	gate.Unlock()
	return err == nil && !ok
}

// alone runs f while there are no readers.
func (x *Index) alone(ctx context.Context, f func() error) error {
	defer x.hold.aside()()
	return x.gated(ctx, (*flock.Flock).TryLockContext, f)
}

// update opens the current generation for writing while f runs. The caller holds the
// writing lock.
func (x *Index) update(ctx context.Context, f func(bleve.Index) error) error {
	wait := ctx
	if x.wait > 0 {
		var cancel context.CancelFunc
		wait, cancel = context.WithTimeout(ctx, max(x.wait, forReaders))
		defer cancel()
	}
	return x.alone(wait, func() error {
		c, err := x.current()
		if err != nil {
			return err
		}
		err = open(x.dir(c), c, false, func(b bleve.Index) error {
			if err := f(b); err != nil {
				return err
			}
			c.Cursor, err = cursorOf(b)
			return err
		})
		if err != nil {
			return err
		}
		if c.Files, err = sizes(x.dir(c)); err != nil {
			return err
		}
		return x.set(c)
	})
}

// writing runs f as the only writer.
func (x *Index) writing(ctx context.Context, f func() error) error {
	if err := os.MkdirAll(x.path, 0o700); err != nil {
		return fmt.Errorf("making the index folder: %v", err)
	}
	wait := ctx
	if x.wait > 0 {
		var cancel context.CancelFunc
		wait, cancel = context.WithTimeout(ctx, x.wait)
		defer cancel()
	}
	l := flock.New(filepath.Join(x.path, writingLock))
	if err := locked(l.TryLockContext(wait, poll)); err != nil {
		return err
	}
	defer l.Unlock()
	x.sweep()
	return f()
}

// locked converts flock's result: ErrBusy if the lock was not free in time.
func locked(ok bool, err error) error {
	switch {
	case err == nil && !ok, errors.Is(err, context.DeadlineExceeded):
		return ErrBusy
	case errors.Is(err, context.Canceled):
		return err
	case err != nil:
		return fmt.Errorf("locking the index: %v", err)
	}
	return nil
}

// open opens a generation while f runs. Bleve reports damage as an error on opening, as a
// panic, or, if a mapped file was truncated, as a memory fault.
func open(dir string, c current, readOnly bool, f func(bleve.Index) error) (err error) {
	if err := c.check(dir); err != nil {
		return fmt.Errorf("%w: %s: %v", errDamaged, dir, err)
	}
	defer rescue(&err)() // left open: closing would wait for bbolt's locks
	b, err := bleve.OpenUsing(dir, map[string]any{
		"read_only": readOnly, "bolt_timeout": "250ms",
		"scorchMergePlanOptions": map[string]any{"MaxSegmentsPerTier": 1000, "SegmentsPerMergeTask": 10}, // see compact
	})
	if err != nil {
		if strings.Contains(err.Error(), "timeout") { // from bbolt: another program holds it
			return fmt.Errorf("%w: %v", ErrBusy, err)
		}
		return fmt.Errorf("%w: opening %s: %v", errDamaged, dir, err)
	}
	// If bleve cannot read its last state it falls back to an earlier one; the first is
	// empty.
	if _, err = cursorOf(b); err == nil {
		err = f(b)
	}
	if cerr := b.Close(); err == nil && cerr != nil {
		err = fmt.Errorf("closing %s: %v", dir, cerr)
	}
	return err
}

// sizes returns the sizes of bleve's files in a generation.
func sizes(dir string) (map[string]int64, error) {
	files, err := os.ReadDir(filepath.Join(dir, bleveFolder))
	out := make(map[string]int64, len(files))
	for _, f := range files {
		info, ierr := f.Info()
		if err = errors.Join(err, ierr); err == nil {
			out[f.Name()] = info.Size()
		}
	}
	if err != nil {
		return nil, fmt.Errorf("recording the sizes of the index: %v", err)
	}
	return out, nil
}

// check finds files that are missing or were truncated since the last write. Bleve would
// silently go back to an earlier state and lose later writes; bbolt would crash with a
// memory fault, even in its own goroutines. A killed writer leaves the sizes from before
// it: if one of those files is gone the index is rebuilt, which is slow but safe.
func (c current) check(dir string) error {
	if len(c.Files) == 0 {
		return errors.New("its files are not known")
	}
	for name, size := range c.Files {
		info, err := os.Stat(filepath.Join(dir, bleveFolder, name))
		if err != nil {
			return err
		}
		if info.Size() < size {
			return fmt.Errorf("%s has %d bytes of %d", name, info.Size(), size)
		}
	}
	return nil
}

// mergedAt is how many batches are merged into one file while an index is built.
const mergedAt = 64

// replace builds a new generation with f and makes it current. The caller holds the writing
// lock.
func (x *Index) replace(ctx context.Context, f func(bleve.Index) error) (err error) {
	gens, err := x.generations()
	if err != nil {
		return err
	}
	c := current{Generation: "g" + strconv.Itoa(slices.Max(append(gens, 0))+1)}
	dir := x.dir(c)
	making := dir + ".new"
	defer os.RemoveAll(making)
	defer func() {
		if err != nil {
			os.RemoveAll(dir)
		}
	}()
	os.RemoveAll(making)                            // left by a crash
	if err := os.MkdirAll(dir, 0o700); err != nil { // marks it as unfinished
		return fmt.Errorf("making an index: %v", err)
	}
	b, err := bleve.NewUsing(making, bleve.NewIndexMapping(), scorch.Name, scorch.Name, map[string]any{
		// Everything is merged in the end, and more files make each batch slower. A floor
		// would make bleve merge small files much earlier.
		"scorchMergePlanOptions": map[string]any{"MaxSegmentsPerTier": mergedAt, "SegmentsPerMergeTask": mergedAt, "FloorSegmentSize": 1},
	})
	if err != nil {
		return fmt.Errorf("making an index in %s: %v", making, err)
	}
	if err = f(b); err == nil {
		c.Cursor, err = cursorOf(b)
	}
	if err == nil { // a copy omits the files that were merged into others
		err = b.(bleve.IndexCopyable).CopyTo(bleve.FileSystemDirectory(dir))
	}
	if cerr := b.Close(); err == nil && cerr != nil {
		err = fmt.Errorf("closing %s: %v", making, cerr)
	}
	if err != nil {
		return err
	}
	if c.Files, err = sizes(dir); err != nil {
		return err
	}
	return x.alone(ctx, func() error {
		noted := c.Cursor
		c.Cursor = "" // so that after a crash here the next call sweeps
		if err := x.set(c); err != nil {
			return err
		}
		x.sweep()
		c.Cursor = noted
		return x.set(c)
	})
}

// sweep removes the generations that are not the current one, and what crashes left of
// others: they may hold the words of forgotten lessons. The next call finds again what
// cannot be removed now.
func (x *Index) sweep() {
	c, err := x.current()
	if err != nil {
		return // the next one is made, and sweeps
	}
	entries, _ := os.ReadDir(x.path)
	for _, e := range entries {
		if name := e.Name(); name != c.Generation && numberOf(strings.TrimSuffix(name, ".new")) > 0 {
			os.RemoveAll(filepath.Join(x.path, name))
		}
	}
}

// generations returns the numbers of those on disk: the current one and any left by a
// crash.
func (x *Index) generations() ([]int, error) {
	entries, err := os.ReadDir(x.path)
	if err != nil {
		return nil, fmt.Errorf("reading the index folder: %v", err)
	}
	var out []int
	for _, e := range entries {
		if n := numberOf(strings.TrimSuffix(e.Name(), ".new")); n > 0 {
			out = append(out, n)
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}
