package main

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"time"

	"learnings/cmd/internal/term"
	"learnings/index"
	"learnings/lessons"
	"learnings/lessons/file"
	"learnings/lessons/store"
)

// lockWait is how long a command waits for other writers. Each of them takes
// some milliseconds; with a machine that is busy with other things, waiting
// still serves a person better than an error.
const lockWait = 3 * time.Second

// corpus opens the store.
func (a *app) corpus() (*store.Store, error) {
	if a.store == nil {
		p, err := a.located()
		if err != nil {
			return nil, err
		}
		s, err := store.Open(p.Corpus, store.Options{State: p.State, Now: a.now, LockWait: lockWait})
		if err != nil {
			return nil, term.Hint(err, "choose another corpus with --dir or LEARNINGS_DIR")
		}
		a.store = s
	}
	return a.store, nil
}

// both opens the store and the index over it.
func (a *app) both() (*store.Store, *index.Index, error) {
	s, err := a.corpus()
	if err != nil {
		return nil, nil, err
	}
	return s, index.At(a.places.Index()), nil
}

// follow brings the index up to what was just written. The lessons are safe
// whatever happens here, and the next call catches up: a failure is a warning.
func (a *app) follow(ctx context.Context) {
	if _, err := a.sync(context.WithoutCancel(ctx)); err != nil && !errors.Is(err, index.ErrBusy) {
		a.Warn("the index will catch up with the next call: %v", err)
	}
}

// syncWait is how long we wait for another process that writes the index. It
// takes in what we wrote too, or the next call does.
const syncWait = 500 * time.Millisecond

// sync takes what has changed into the index. It waits for another writer for
// a while only; once it has begun it takes the time that it takes.
func (a *app) sync(ctx context.Context) (changed int, err error) {
	s, x, err := a.both()
	if err != nil {
		return 0, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	impatient := time.AfterFunc(syncWait, cancel)
	changed, err = x.Sync(ctx, begun{s, func() { impatient.Stop() }})
	if err != nil && errors.Is(err, context.Canceled) {
		return changed, index.ErrBusy
	}
	return changed, err
}

// A begun log tells when it is first read: the index has its lock by then.
type begun struct {
	index.Log
	tell func()
}

func (b begun) Since(c lessons.Cursor) iter.Seq2[lessons.Change, error] {
	b.tell()
	return b.Log.Since(c)
}

// ask runs a question to the index against what the corpus holds now. The scan
// for changes and the question run at the same time: nearly always nothing has
// changed, and then the answer is already there.
func ask[T any](ctx context.Context, a *app, question func(context.Context, *index.Index) (T, error)) (T, error) {
	brief()
	var none T
	_, x, err := a.both()
	if err != nil {
		return none, err
	}
	type synced struct {
		changed int
		err     error
	}
	done := make(chan synced, 1)
	go func() {
		n, err := a.sync(ctx)
		done <- synced{n, err}
	}()
	answer, askErr := question(ctx, x)
	sync := <-done
	switch {
	case ctx.Err() != nil:
		return none, ctx.Err()
	case sync.err == nil && (sync.changed > 0 || askErr != nil):
		return question(ctx, x)
	case sync.err == nil:
		return answer, nil
	case !errors.Is(sync.err, index.ErrBusy):
		return askAside(ctx, a, sync.err, question)
	case askErr != nil:
		return none, term.Hint(fmt.Errorf("bringing the index up to date: %w", sync.err), "another process makes it; try again in a while")
	}
	return answer, nil
}

// askAside puts the question to an index that is made for it alone, from the
// files and in a temporary folder: where the state folder cannot be written, or
// its disk is full, what the corpus holds can still be read.
func askAside[T any](ctx context.Context, a *app, why error, question func(context.Context, *index.Index) (T, error)) (T, error) {
	var none T
	failed := func(err error) (T, error) {
		return none, term.Hint(fmt.Errorf("bringing the index up to date: %w", err), "see that %s can be written, or move it with XDG_STATE_HOME", a.short(a.places.State))
	}
	dir, err := os.MkdirTemp("", "learnings-index-")
	if err != nil {
		return failed(errors.Join(why, err))
	}
	defer os.RemoveAll(dir)
	x := index.At(filepath.Join(dir, "index"))
	if _, err := x.Sync(ctx, files{a.store}); err != nil {
		return failed(errors.Join(why, err))
	}
	a.Warn("read from the files and not from the index, which cannot be brought up to date: %v", why)
	return question(ctx, x)
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

// notFound words a missing id for people.
func notFound(err error) error {
	if errors.Is(err, lessons.ErrNotFound) {
		return term.Hint(err, "`learnings show --status all` and `learnings search WORDS` list ids")
	}
	return err
}

// write stores what a person decided, as one step of undo, and lets the index
// follow.
func (a *app) write(ctx context.Context, op, who string, ls ...lessons.Lesson) ([]lessons.Lesson, error) {
	s, err := a.corpus()
	if err != nil {
		return nil, err
	}
	ls, err = s.Put(store.Write{Op: lessons.Op(op), By: who, Undoable: true}, ls...)
	if err != nil {
		return nil, err
	}
	a.follow(ctx)
	return ls, nil
}
