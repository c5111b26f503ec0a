package index

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/index/scorch"
	"github.com/gofrs/flock"

	"learnings/lessons/atomicfile"
)

// This file is the index as files and locks. The folder holds
//
//	CURRENT       "VERSION GENERATION\n": which of the folders below is the index
//	g1, g2, …     generations; each is an index of bleve, with files SIZES, CURSOR
//	              and APPROVED, and folders KEPT of what was made of its answers and
//	              VECTORS of those of its files
//	writing.lock  held by the one process that syncs or rebuilds
//	reading.lock  shared by those that have the current generation open to read,
//	              held alone by the one that has it open to write or replaces it
//	gate.lock     passed on the way to reading.lock, so that a writer who waits
//	              is not overtaken by readers for ever
//
// bleve has locks of its own, but they are asked for every 50 ms; with ours
// taken first they never wait. A new generation is built with nobody waiting,
// and becomes current by a rename.

const (
	currentFile = "CURRENT"
	writingLock = "writing.lock"
	readingLock = "reading.lock"
	gateLock    = "gate.lock"
	sizesFile   = "SIZES"
	cursorFile  = "CURSOR"
	bleveFolder = "store" // in a generation: where bleve has its files

	// patience is how long a reader waits for a writer, which locks the index for
	// some milliseconds at a time.
	patience = time.Second
	poll     = time.Millisecond
	// forReaders is how long a writer in a hurry waits for those who read.
	forReaders = 50 * time.Millisecond
)

// errDamaged is inside of what view and update return for an index that is not
// what bleve can read.
var errDamaged = errors.New("damaged")

// current is the folder of the current generation, or ErrNoIndex.
func (x *Index) current() (string, error) {
	b, err := os.ReadFile(filepath.Join(x.path, currentFile))
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("%w at %s", ErrNoIndex, x.path)
	}
	if err != nil {
		return "", fmt.Errorf("opening index: %v", err)
	}
	ver, gen, _ := strings.Cut(strings.TrimSuffix(string(b), "\n"), " ")
	if _, ok := generation(gen); !ok || ver != strconv.Itoa(version) {
		return "", fmt.Errorf("%w at %s: it is of another version", ErrNoIndex, x.path)
	}
	return filepath.Join(x.path, gen), nil
}

func generation(name string) (int, bool) {
	digits, ok := strings.CutPrefix(name, "g")
	n, err := strconv.Atoi(digits)
	return n, ok && err == nil && n > 0 && name == "g"+strconv.Itoa(n)
}

// view opens the current generation to read, for the time of f. One that turns out to be
// damaged is forgotten, and the next sync builds another.
func (x *Index) view(ctx context.Context, f func(bleve.Index) error) error {
	return x.look(ctx, f, func(damage error) error {
		// Nobody can have replaced the generation while we read it.
		os.Remove(filepath.Join(x.path, currentFile))
		return fmt.Errorf("%w at %s: %v", ErrNoIndex, x.path, damage)
	})
}

// look is view with something else to be done about damage, which other readers wait for.
func (x *Index) look(ctx context.Context, f func(bleve.Index) error, damaged func(error) error) error {
	if x.held != nil {
		return x.held.ask(f)
	}
	return x.reading(ctx, func(dir string) error {
		err := session(dir, true, f)
		if errors.Is(err, errDamaged) {
			return damaged(err)
		}
		return err
	})
}

// reading runs f on the folder of the current generation, which nobody writes or replaces
// meanwhile.
func (x *Index) reading(ctx context.Context, f func(dir string) error) error {
	if _, err := x.current(); err != nil {
		return err // without leaving a lock file where there is nothing to lock
	}
	wait, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	gate := flock.New(filepath.Join(x.path, gateLock))
	if err := lock(wait, gate.TryRLockContext); err != nil {
		return err
	}
	l := flock.New(filepath.Join(x.path, readingLock))
	err := lock(wait, l.TryRLockContext)
	gate.Unlock()
	if err != nil {
		return err
	}
	defer l.Unlock()
	dir, err := x.current()
	if err != nil {
		return err
	}
	return f(dir)
}

// update opens the current generation to write, for the time of f; approved says that
// there are approved lessons in it. The caller holds the writing lock.
func (x *Index) update(ctx context.Context, approved bool, f func(bleve.Index) error) error {
	wait, cancel := ctx, context.CancelFunc(func() {})
	if x.wait > 0 {
		wait, cancel = context.WithTimeout(ctx, max(x.wait, forReaders))
	}
	defer cancel()
	return x.alone(wait, func() error {
		dir, err := x.current()
		if err != nil {
			return err
		}
		if approved {
			if err := outdate(dir); err != nil {
				return err
			}
		}
		return session(dir, false, f)
	})
}

// alone runs f while nobody reads.
func (x *Index) alone(ctx context.Context, f func() error) error {
	gate := flock.New(filepath.Join(x.path, gateLock))
	if err := lock(ctx, gate.TryLockContext); err != nil {
		return err
	}
	l := flock.New(filepath.Join(x.path, readingLock))
	err := lock(ctx, l.TryLockContext)
	gate.Unlock()
	if err != nil {
		return err
	}
	defer l.Unlock()
	return f()
}

// writing runs f as the only writer.
func (x *Index) writing(ctx context.Context, f func() error) error {
	if err := os.MkdirAll(x.path, 0o700); err != nil {
		return fmt.Errorf("making the index folder: %v", err)
	}
	wait, cancel := ctx, context.CancelFunc(func() {})
	if x.wait > 0 {
		d := x.wait
		if beingMade(x) { // in no time that anybody would wait
			d = poll
		}
		wait, cancel = context.WithTimeout(ctx, d)
	}
	defer cancel()
	l := flock.New(filepath.Join(x.path, writingLock))
	if err := lock(wait, l.TryLockContext); err != nil {
		return err
	}
	defer l.Unlock()
	return f()
}

// lock takes a lock by one of flock's methods, or gives ErrBusy.
func lock(ctx context.Context, try func(context.Context, time.Duration) (bool, error)) error {
	ok, err := try(ctx, poll)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return ErrBusy
	case err != nil && ctx.Err() != nil:
		return err
	case err != nil:
		return fmt.Errorf("locking the index: %v", err)
	case !ok:
		return ErrBusy
	}
	return nil
}

// session opens a generation for the time of f. Damage shows in bleve as an error on
// opening, as a panic, or, in a file that is cut short while it is mapped, as a memory
// fault.
func session(dir string, readOnly bool, f func(bleve.Index) error) (err error) {
	if err := checkSizes(dir); err != nil {
		return fmt.Errorf("%w: %s: %v", errDamaged, dir, err)
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if r := recover(); r != nil {
			// It stays open: bbolt holds locks that closing would wait for.
			err = fmt.Errorf("%w: %s: %v", errDamaged, dir, r)
		}
	}()
	b, err := bleve.OpenUsing(dir, map[string]any{
		"read_only": readOnly, "bolt_timeout": "250ms",
		"scorchMergePlanOptions": map[string]any{"MaxSegmentsPerTier": 1000, "SegmentsPerMergeTask": 10}, // see compact
	})
	if err != nil {
		if strings.Contains(err.Error(), "timeout") { // of bbolt: another program holds it
			return fmt.Errorf("%w: %v", ErrBusy, err)
		}
		return fmt.Errorf("%w: opening %s: %v", errDamaged, dir, err)
	}
	c, err := b.GetInternal(cursorKey)
	if err != nil || len(c) == 0 {
		// bleve falls back to an earlier state when it cannot read the last one,
		// and the earliest is one without anything.
		err = fmt.Errorf("%w: %s has no cursor: %v", errDamaged, dir, err)
	} else {
		if noted, err := os.ReadFile(filepath.Join(dir, cursorFile)); err == nil && !bytes.Equal(noted, c) && readOnly {
			_ = os.Remove(filepath.Join(dir, cursorFile)) // it says too much, or a writer was killed before it said what it had done
		}
		if readOnly {
			settle(b)
		}
		err = f(b)
	}
	if cerr := shut(b, dir, readOnly); err == nil {
		err = cerr
	}
	return err
}

// settle takes out of memory what opening an index has read: bleve looks at places all over
// its files, and with each place the system maps what is around it.
func settle(b bleve.Index) {
	if snap, done, err := snapshot(b); err == nil {
		release(snap)
		done()
	}
}

// shut closes a generation, and records the sizes of its files and its cursor after a
// write.
func shut(b bleve.Index, dir string, readOnly bool) error {
	if readOnly {
		return closed(b, dir)
	}
	c, err := b.GetInternal(cursorKey)
	_ = columnize(b) // what is missing takes longer to read
	if err := errors.Join(err, closed(b, dir)); err != nil {
		return err
	}
	files, err := os.ReadDir(filepath.Join(dir, bleveFolder))
	if err != nil {
		return fmt.Errorf("recording the sizes of the index: %v", err)
	}
	var list strings.Builder
	for _, f := range files {
		info, err := f.Info()
		if err != nil {
			return fmt.Errorf("recording the sizes of the index: %v", err)
		}
		fmt.Fprintf(&list, "%d %s\n", info.Size(), f.Name())
	}
	if err := os.WriteFile(filepath.Join(dir, sizesFile), []byte(list.String()), 0o600); err != nil {
		return fmt.Errorf("recording the sizes of the index: %v", err)
	}
	// Where this fails, an earlier one stays, or part of one: then the index is opened to
	// learn that it is up to date.
	_ = os.WriteFile(filepath.Join(dir, cursorFile), c, 0o600)
	return nil
}

func closed(b bleve.Index, dir string) error {
	if err := b.Close(); err != nil {
		return fmt.Errorf("closing %s: %v", dir, err)
	}
	return nil
}

// checkSizes finds files that are gone or have been cut short since the last write.
// bleve itself would go back to an earlier state without saying so, and lose what is
// written then; bbolt would die of a memory fault, in goroutines of its own too. A
// writer that was killed leaves the list of the one before it: when a file of it is gone
// the index is built anew, which is slow but right.
func checkSizes(dir string) error {
	list, err := os.ReadFile(filepath.Join(dir, sizesFile))
	if err != nil {
		return err
	}
	known := false
	for line := range strings.Lines(string(list)) {
		size, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		n, err := strconv.ParseInt(size, 10, 64)
		if err != nil {
			return fmt.Errorf("%s: %v", sizesFile, err)
		}
		info, err := os.Stat(filepath.Join(dir, bleveFolder, name))
		if err != nil {
			return err
		}
		if info.Size() < n {
			return fmt.Errorf("%s has %d bytes of %d", name, info.Size(), n)
		}
		known = known || name == "root.bolt"
	}
	if !known {
		return fmt.Errorf("%s is not whole", sizesFile)
	}
	return nil
}

// mergedAt is of how many batches one file is made while an index is built.
const mergedAt = 64

// replace builds a new generation by f and makes it current. The caller holds
// the writing lock.
func replace(ctx context.Context, x *Index, f func(bleve.Index) error) (err error) {
	gens, err := generations(x)
	if err != nil {
		return err
	}
	next := 1
	if len(gens) > 0 {
		next = gens[len(gens)-1] + 1
	}
	name := "g" + strconv.Itoa(next)
	dir := filepath.Join(x.path, name)
	defer func() {
		if err != nil {
			os.RemoveAll(dir)
		}
	}()
	b, err := bleve.NewUsing(dir, bleve.NewIndexMapping(), scorch.Name, scorch.Name, map[string]any{
		// In the end all is merged anyhow, and with more files each batch takes longer. A
		// floor would have bleve merge what is below it much earlier.
		"scorchMergePlanOptions": map[string]any{"MaxSegmentsPerTier": mergedAt, "SegmentsPerMergeTask": mergedAt, "FloorSegmentSize": 1},
	})
	if err != nil {
		return fmt.Errorf("making an index in %s: %v", dir, err)
	}
	err = f(b)
	if cerr := b.Close(); err == nil && cerr != nil {
		err = fmt.Errorf("closing %s: %v", dir, cerr)
	}
	if err != nil {
		return err
	}
	// Files that were merged into others are removed where an index is opened.
	if b, err = bleve.Open(dir); err != nil {
		return fmt.Errorf("opening %s: %v", dir, err)
	}
	rid(ctx, b, filepath.Join(dir, bleveFolder))
	if err := shut(b, dir, false); err != nil {
		return err
	}
	return x.alone(ctx, func() error {
		if err := setCurrent(x, name); err != nil {
			return err
		}
		for _, g := range gens {
			// What cannot be removed now is met again by the next rebuild.
			os.RemoveAll(filepath.Join(x.path, "g"+strconv.Itoa(g)))
		}
		return nil
	})
}

// Of files that were merged, bleve removes those that only an earlier state of the
// index names some time after it is opened.
const (
	ridEvery = 10 * time.Millisecond
	ridTries = 200 // then they are left to the next write
)

// rid waits until a folder holds no other files than the index needs.
func rid(ctx context.Context, b bleve.Index, dir string) {
	for range ridTries {
		files, err := filepath.Glob(filepath.Join(dir, "*.zap"))
		if w, werr := wearOf(b); err != nil || werr != nil || len(files) <= w.files {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(ridEvery):
		}
	}
}

func setCurrent(x *Index, gen string) error {
	err := atomicfile.Write(filepath.Join(x.path, currentFile), func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "%d %s\n", version, gen)
		return err
	})
	if err != nil {
		return fmt.Errorf("naming the current index: %v", err)
	}
	return nil
}

// beingMade reports whether there is a newer generation than the current one, which some
// process is making unless a crash has left it.
func beingMade(x *Index) bool {
	dir, err := x.current()
	if err != nil {
		return false // there is nothing to ask before it is made
	}
	now, _ := generation(filepath.Base(dir))
	gens, err := generations(x)
	return err == nil && len(gens) > 0 && gens[len(gens)-1] > now
}

// generations are the numbers of those on disk, the current one and what a
// crash has left, ascending.
func generations(x *Index) ([]int, error) {
	entries, err := os.ReadDir(x.path)
	if err != nil {
		return nil, fmt.Errorf("reading the index folder: %v", err)
	}
	var out []int
	for _, e := range entries {
		if n, ok := generation(e.Name()); ok {
			out = append(out, n)
		}
	}
	slices.Sort(out)
	return out, nil
}
