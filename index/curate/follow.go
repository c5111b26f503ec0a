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

// This file keeps the index in step with the store. The index is derived: lessons are safe
// in the store even if it is lost.

const (
	// syncWait is how long a reader waits for another process that writes the index.
	syncWait = 500 * time.Millisecond
	// noWait is how long a writer waits: the other process, or the next call, takes in what
	// it wrote.
	noWait = time.Millisecond
)

// Hasty returns the library for use after a write. It does not wait for another process
// that writes the index, so its answers may lack the last changes.
func (c *Library) Hasty() *Library {
	return &Library{Store: c.Store, Index: c.Index, Now: c.Now, Warn: c.Warn, hasty: true}
}

// Sync takes the changes of the store into the index and returns how many there were. If
// another process writes the index, Sync waits half a second, or not at all if hasty, and
// then returns [index.ErrBusy]; the next call takes in what is missing. Only the wait is
// limited, not the sync itself.
func (c *Library) Sync(ctx context.Context) (changed int, err error) {
	if at := c.Index.Noted(); at != "" {
		if changed, err := c.Store.Changed(at); err == nil && !changed {
			return 0, nil
		}
	}
	return c.take(ctx)
}

// take is Sync for an index that may be out of date. It also takes in what other processes
// wrote meanwhile without waiting for it.
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
		err = nil // another process is writing
	}
	return changed + more, err
}

// A Behind error says why the index cannot be queried.
type Behind struct {
	Why  error
	Busy bool // another process is making the index; try again later
}

func (b *Behind) Error() string { return fmt.Sprintf("bringing the index up to date: %v", b.Why) }
func (b *Behind) Unwrap() error { return b.Why }

// Ask queries the index as of what the corpus holds now. It scans for changes and queries
// at the same time: there are rarely any, and then the answer is ready. If the index cannot
// be brought up to date, Ask warns and answers from the files. Only if that fails too, or
// another process has to make the index first, it returns a [*Behind].
//
// The store may trust an earlier look at the files, so an answer that [Shows] lessons is
// checked against them.
func Ask[T any](ctx context.Context, c *Library, question func(context.Context, *index.Index) (T, error)) (T, error) {
	answer, err := ask(ctx, c, question)
	if s, ok := any(answer).(Shows); !ok || err != nil || !c.altered(ctx, s.Shown()) {
		return answer, err
	}
	return question(ctx, c.Index)
}

// Shows is an answer that shows lessons as the index has them.
type Shows interface{ Shown() []lessons.Lesson }

// From mostRead files on, looking at all of them is faster than reading each.
const mostRead = 200

// altered reports whether files of the shown lessons have changed, and takes the changes
// into the index. If no lessons are shown it looks at all files: the answer may lack what
// another program wrote.
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
	return err == nil && (few || n > 0) // if it is busy, the next call takes it in
}

// LookAside looks at all files of the corpus, takes the changes into the index, and mends
// it. It uses a store of its own, so that users of the library's store do not wait.
func LookAside(ctx context.Context, c *Library) error {
	looked, err := c.Store.Look() // outside the index, whose users would wait for it
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

// holds reports whether the file of a lesson still agrees with the index.
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
		sync.changed, sync.err = c.take(ctx) // the store's notes about it are wrong
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

// askAside queries a temporary index made from the files. It works even if the state folder
// cannot be written or its disk is full.
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

// Unread returns an error that names the files of the corpus that are no lessons, and why,
// as of the last sync; nil if all are. Show it beside the corpus: the index has nothing of
// such files.
func (c *Library) Unread() error {
	const most = 3 // files named
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

// files is a log of the current files of a corpus. It needs no journal.
type files struct{ store *store.Store }

func (f files) Since(lessons.Cursor) iter.Seq2[lessons.Change, error] {
	return func(yield func(lessons.Change, error) bool) {
		for l, err := range f.store.All() {
			if errors.As(err, new(*file.Error)) {
				continue // a broken file, which no index has
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

// A Follower keeps the index up to date while a program runs, and notices when another
// program updates it. Its calls must not run concurrently.
type Follower struct {
	corpus *Library
	seen   lessons.Cursor // of the index after the last sync
	begun  bool           // there was a sync
}

// NewFollower returns a Follower of a library.
func NewFollower(c *Library) *Follower { return &Follower{corpus: c} }

// Sync returns how many changes the index took in now, and whether another program has
// updated it since the last sync.
func (f *Follower) Sync(ctx context.Context) (changed int, behind bool, err error) {
	t := tail{Log: f.corpus.Store}
	if changed, err = f.corpus.Index.Sync(ctx, &t); err != nil {
		return changed, false, err // the next call tells
	}
	behind = f.begun && t.from != f.seen
	f.seen, f.begun = t.to, true
	return changed, behind, nil
}

// A tail is a log that notes from where a sync read it, and up to where. The index itself
// may tell what another writer has made of it just before the sync, or after.
type tail struct {
	index.Log
	from, to lessons.Cursor
}

func (t *tail) Since(from lessons.Cursor) iter.Seq2[lessons.Change, error] {
	t.from, t.to = from, from
	return func(yield func(lessons.Change, error) bool) {
		for c, err := range t.Log.Since(from) {
			if err == nil {
				t.to = c.Cursor
			}
			if !yield(c, err) {
				return
			}
		}
	}
}

// Moved reports whether another program has updated the index since the last sync.
func (f *Follower) Moved(ctx context.Context) bool {
	now, err := f.corpus.Index.Cursor(ctx)
	return err == nil && f.begun && now != f.seen
}
