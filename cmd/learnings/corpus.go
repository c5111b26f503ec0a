package main

import (
	"context"
	"errors"
	"time"

	"learnings/cmd/internal/term"
	"learnings/index"
	"learnings/index/curate"
	"learnings/lessons"
	"learnings/lessons/guard"
	"learnings/lessons/store"
)

// lockWait is how long a command waits for other writers. Each of them takes some
// milliseconds and all get their turn; with twenty of them on a machine that does much
// else that was three seconds, and waiting is still better than an error.
const lockWait = 10 * time.Second

// lookAgain is how often there is a look at all files of the corpus, for what other
// programs have changed: with ten thousand lessons that takes a hundredth of a second,
// so commands leave it to a process in the background.
const lookAgain = 2 * time.Second

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
		var aside func() error
		if a.look != nil && !a.sample {
			aside = func() error { return a.look(p.State, "index", "--dir", p.Corpus) }
		}
		a.store = s.Trusting(lookAgain, aside)
	}
	return a.store, nil
}

// read gives the corpus with its index, for verbs that only ask.
func (a *app) read() (*curate.Library, error) {
	if a.library == nil {
		s, err := a.corpus()
		if err != nil {
			return nil, err
		}
		a.library = &curate.Library{Store: s, Index: index.At(a.places.Index()), Now: a.now, Warn: func(err error) { a.Warn("%v", err) }}
	}
	return a.library, nil
}

// curated is read for verbs that write; who writes is looked up.
func (a *app) curated() (*curate.Corpus, error) {
	if a.curation == nil {
		l, err := a.read()
		if err != nil {
			return nil, err
		}
		a.curation = &curate.Corpus{
			Library: *l, Agent: a.agent(), Manner: curate.Manner(a.tty.In, a.above()), Drafts: a.places.Drafts(), Guards: guard.At(a.places.State),
			Missing: a.missing,
		}
	}
	return a.curation, nil
}

// both opens the store and the index over it.
func (a *app) both() (*store.Store, *index.Index, error) {
	c, err := a.read()
	if err != nil {
		return nil, nil, err
	}
	return c.Store, c.Index, nil
}

// follow brings the index up to what was just written, unless another process writes
// the index: then that one or the next call does. The lessons are safe whatever happens
// here: a failure is a warning.
func (a *app) follow(ctx context.Context) {
	c, err := a.curated()
	if err == nil {
		err = synced(context.WithoutCancel(ctx), c.Hasty())
	}
	if err != nil {
		a.Warn("the index will catch up with the next call: %v", err)
	}
	a.published(ctx)
}

// synced brings an index up to date, if it is not busy.
func synced(ctx context.Context, c *curate.Library) error {
	_, err := c.Sync(ctx)
	if errors.Is(err, index.ErrBusy) {
		return nil
	}
	return err
}

// ask puts a question to the index as of what the corpus holds now, and says what of
// the corpus the index cannot know.
func ask[T any](ctx context.Context, a *app, question func(context.Context, *index.Index) (T, error)) (T, error) {
	c, err := a.read()
	if err != nil {
		var none T
		return none, err
	}
	answer, err := curate.Ask(ctx, c, question)
	if err == nil {
		if unread := c.Unread(); unread != nil {
			a.Warn("%v", unread)
		}
	}
	return answer, err
}

// advised adds to an error what to do about it, where the package that failed does
// not know what a person types.
func (a *app) advised(err error) error {
	var behind *curate.Behind
	switch {
	case errors.As(err, &behind) && behind.Busy:
		return term.Hint(err, "another process makes it; try again in a while")
	case errors.As(err, &behind):
		return term.Hint(err, "see that %s can be written, or move it with XDG_STATE_HOME", a.short(a.places.State))
	case errors.Is(err, curate.ErrPerson):
		return term.Hint(err, "type it in a terminal of your own; a proposal can be left with `learnings add --pending`")
	case errors.Is(err, lessons.ErrNotFound):
		return term.Hint(err, "`learnings show --status all` and `learnings search WORDS` list ids")
	}
	return err
}
