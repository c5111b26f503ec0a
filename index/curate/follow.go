package curate

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"learnings/index"
	"learnings/lessons"
	"learnings/lessons/file"
	"learnings/lessons/store"
)

// This file keeps the index in step with the store. Lessons are safe in the
// store whatever happens to the index, which is derived.

const (
	// syncWait is how long a reader waits for another process that writes the index.
	syncWait = 500 * time.Millisecond
	// noWait is how long a writer does: what it wrote is taken in by that process, or
	// by the next call.
	noWait = time.Millisecond
)

// Hasty is the same library for what follows a write, which waits for no other process
// that writes the index: its answers may then lack the last changes.
func (c *Library) Hasty() *Library {
	return &Library{Store: c.Store, Index: c.Index, Now: c.Now, Warn: c.Warn, hasty: true}
}

// Sync takes what has changed in the store into the index, and says how many changes
// that were. It waits for another process that writes the index for half a second
// only, or not at all in haste, and then is [index.ErrBusy]: what is left out is taken in
// by the next call. Once it has begun it takes the time that it takes.
func (c *Library) Sync(ctx context.Context) (changed int, err error) {
	if at := c.Index.Noted(); at != "" {
		if changed, err := c.Store.Changed(at); err == nil && !changed {
			return 0, nil
		}
	}
	return c.take(ctx)
}

// take is Sync for an index that is not known to be up to date. It also takes in what
// those have written meanwhile who did not wait for it.
func (c *Library) take(ctx context.Context) (changed int, err error) {
	wait := syncWait
	if c.hasty {
		wait = noWait
	}
	x, written := c.Index.Within(wait), c.Store.Written()
	if changed, err = x.Sync(ctx, c.Store); err != nil || c.Store.Written() == written {
		return changed, err
	}
	more, err := x.Sync(ctx, c.Store)
	if errors.Is(err, index.ErrBusy) {
		err = nil // it is another's turn
	}
	return changed + more, err
}

// A Behind is the reason why the index cannot be asked.
type Behind struct {
	Why  error
	Busy bool // another process makes it; in a while it can be asked
}

func (b *Behind) Error() string { return fmt.Sprintf("bringing the index up to date: %v", b.Why) }
func (b *Behind) Unwrap() error { return b.Why }

// Ask puts a question to the index as of what the corpus holds now. The scan for
// changes and the question run at the same time: nearly always nothing has
// changed, and then the answer is already there. An index that cannot be brought
// up to date is a warning, and the answer comes from the files; only where that
// fails too, or another process has to make the index first, the error is a
// [*Behind].
//
// An answer that [Shows] lessons is held against their files, because the store may
// trust an earlier look at them: what is shown is what the files hold.
func Ask[T any](ctx context.Context, c *Library, question func(context.Context, *index.Index) (T, error)) (T, error) {
	answer, err := ask(ctx, c, question)
	if s, ok := any(answer).(Shows); !ok || err != nil || !c.altered(ctx, s.Shown()) {
		return answer, err
	}
	return question(ctx, c.Index)
}

// Shows is an answer of which lessons are shown as the index has them.
type Shows interface{ Shown() []lessons.Lesson }

// mostRead is how many files are read before a look at all of them costs less.
const mostRead = 200

// altered reports whether files have changed of which lessons are shown, and takes that
// into the index. Where an answer has none it looks at all files: what another program
// wrote may be what was asked for.
func (c *Library) altered(ctx context.Context, ls []lessons.Lesson) bool {
	few := 0 < len(ls) && len(ls) <= mostRead
	if few && !slices.ContainsFunc(ls, func(l lessons.Lesson) bool { return !c.holds(l) }) {
		return false
	}
	looked, err := c.Store.Look()
	if err != nil {
		return false
	}
	n, err := c.Index.Within(syncWait).Sync(ctx, looked)
	return err == nil && (few || n > 0) // or it is busy, and the next call has it
}

// LookAside looks at all files of the corpus, with a store of its own, so that nobody who
// uses the library's waits for it, takes what has changed into the index, and mends that.
func LookAside(ctx context.Context, c *Library) error {
	looked, err := c.Store.Look() // whoever asks the index would wait for that
	if err != nil {
		return err
	}
	changed, err := looked.Changed(c.Index.Noted())
	if err == nil && changed {
		_, err = c.Index.Within(syncWait).Sync(ctx, looked)
	}
	if err == nil {
		_, err = c.Index.Within(syncWait).Mend(ctx, looked)
	}
	return err
}

// holds reports whether the file of a lesson still has it as the index does.
func (c *Library) holds(l lessons.Lesson) bool {
	if store.Holds(c.Store, l) {
		return true
	}
	now, err := c.Store.Reread(l)
	return err == nil && now.Rev == l.Rev
}

func ask[T any](ctx context.Context, c *Library, question func(context.Context, *index.Index) (T, error)) (T, error) {
	var none T
	type synced struct {
		changed int
		err     error
	}
	done := make(chan synced, 1)
	go func() {
		n, err := c.Sync(ctx)
		done <- synced{n, err}
	}()
	answer, askErr := question(ctx, c.Index)
	sync := <-done
	if sync.err == nil && sync.changed == 0 && askErr != nil && ctx.Err() == nil {
		sync.changed, sync.err = c.take(ctx) // what was noted of it is wrong
	}
	switch {
	case ctx.Err() != nil:
		return none, ctx.Err()
	case sync.err == nil && (sync.changed > 0 || askErr != nil):
		return question(ctx, c.Index)
	case sync.err == nil:
		return answer, nil
	case !errors.Is(sync.err, index.ErrBusy):
		return askAside(ctx, c, sync.err, question)
	case askErr != nil:
		return none, &Behind{Why: sync.err, Busy: true}
	}
	return answer, nil
}

// askAside puts the question to an index that is made for it alone, from the
// files and in a temporary folder: where the state folder cannot be written, or
// its disk is full, what the corpus holds can still be read.
func askAside[T any](ctx context.Context, c *Library, why error, question func(context.Context, *index.Index) (T, error)) (T, error) {
	var none T
	dir, err := os.MkdirTemp("", "learnings-index-")
	if err != nil {
		return none, &Behind{Why: errors.Join(why, err)}
	}
	defer os.RemoveAll(dir)
	x := index.At(filepath.Join(dir, "index"))
	if _, err := x.Sync(ctx, files{c.Store}); err != nil {
		return none, &Behind{Why: errors.Join(why, err)}
	}
	c.warn(fmt.Errorf("read from the files and not from the index, which cannot be brought up to date: %v", why))
	return question(ctx, x)
}

// Unread names the files of the corpus that are no lessons, as of the last sync, with why
// they are none; nil when all are lessons. Whoever shows what the corpus holds says this
// beside it, because the index has nothing of such files.
func (c *Library) Unread() error {
	const most = 3 // that are named
	broken := c.Store.Broken()
	if len(broken) == 0 {
		return nil
	}
	var named []string
	for _, err := range broken[:min(most, len(broken))] {
		named = append(named, err.Error())
	}
	what := "1 file"
	if n := len(broken); n > 1 {
		what = fmt.Sprintf("%d files", n)
	}
	if len(broken) > most {
		named = append(named, "…")
	}
	return fmt.Errorf("%s cannot be read: %s", what, strings.Join(named, "; "))
}

// files are a log of what the files of a corpus hold now, which needs no journal.
type files struct{ store *store.Store }

func (f files) Since(lessons.Cursor) iter.Seq2[lessons.Change, error] {
	return func(yield func(lessons.Change, error) bool) {
		for l, err := range f.store.All() {
			if errors.As(err, new(*file.Error)) {
				continue // a broken file, in which no index searches
			} else if err != nil {
				yield(lessons.Change{}, err)
				return
			}
			if !yield(lessons.Change{ID: l.ID, After: &l, Cursor: "files"}, nil) {
				return
			}
		}
	}
}

// A Follower brings the index up to date for as long as a program runs, and
// knows when another program did. Two of its calls may not run at once.
type Follower struct {
	corpus *Library
	seen   lessons.Cursor // of the index after the last sync
	begun  bool           // there was one
}

// NewFollower follows a corpus.
func NewFollower(c *Library) *Follower { return &Follower{corpus: c} }

// Sync says how many changes the index took in now, and whether another program
// has had it take in some since the last time, which no sync of ours will tell.
func (f *Follower) Sync(ctx context.Context) (changed int, behind bool, err error) {
	behind = f.Moved(ctx)
	if changed, err = f.corpus.Index.Sync(ctx, f.corpus.Store); err != nil {
		return changed, behind, err
	}
	f.seen, err = f.corpus.Index.Cursor(ctx)
	f.begun = err == nil
	return changed, behind, err
}

// Moved reports that another program has had the index take something in since
// the last sync.
func (f *Follower) Moved(ctx context.Context) bool {
	now, err := f.corpus.Index.Cursor(ctx)
	return err == nil && f.begun && now != f.seen
}
