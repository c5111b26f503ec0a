package tui

import (
	"context"
	"io"
	"iter"
	"time"

	"learnings/index"
	"learnings/lessons"
	"learnings/lessons/store"
)

// A Config is what the screens work on. Store, Index, By and Now must be set.
type Config struct {
	Store  *store.Store
	Index  *index.Index
	By     string // the person who decides, as it is kept with each decision
	Now    func() time.Time
	Corpus string // where the lessons are, as people know the place

	Editor []string // the person's editor with its arguments; empty when none is set
	Drafts string   // a folder of this corpus for texts under edit: what could not be stored is kept there and opened again

	// Sessions finds the transcripts of this machine; each may come twice, the
	// second time with what reading it has told. Looked are the places.
	Sessions func(context.Context) iter.Seq2[Session, error]
	Looked   []string
	// Extract reads what is new in one transcript, puts the proposals into the
	// store and says how many there were. It calls progress with the bytes read
	// so far, from its own goroutine.
	Extract func(ctx context.Context, path string, progress func(read int64)) (proposed int, err error)

	NoMouse bool
	Undo    string // what to type to take the last decision back
	// OfferSample gives the built-in sample to look at when there is nothing
	// else. nil: there is none, or this is it.
	OfferSample func() (Config, error)

	Terminal Terminal
}

// A Terminal is where the screens are shown. The zero Terminal is the one of
// the process.
type Terminal struct {
	In  io.Reader
	Out io.Writer
	Env []string
}

// A Session is one transcript.
type Session struct {
	Path    string
	Agent   string
	Project string
	ID      string
	Start   time.Time
	Size    int64 // bytes
	Human   int   // turns of a person; -1 while unknown
	Errors  int   // of tools; -1 while unknown
	Taken   int   // lessons proposed from it so far
	New     bool  // something in it was not read for lessons yet
	Problem string
}

// newDesk is the real one.
func newDesk(s *store.Store, x *index.Index, by string) desk {
	f := &follower{store: s, index: x}
	return desk{
		get: s.Get,
		put: func(op string, ls ...lessons.Lesson) ([]lessons.Lesson, error) {
			return s.Put(store.Write{Op: lessons.Op(op), By: by, Undoable: true}, ls...)
		},
		history: s.History,
		undo:    func() ([]lessons.Change, error) { return s.Undo(1, by) },
		redo:    func() ([]lessons.Change, error) { return s.Redo(1, by) },
		search:  x.Search,
		all:     x.All,
		similar: x.Similar,
		count:   x.Count,
		sync:    f.sync,
		moved:   f.moved,
	}
}

// A follower brings the index up to date and knows when somebody else did. Two
// of its calls may not run at once.
type follower struct {
	store *store.Store
	index *index.Index
	seen  lessons.Cursor // of the index after the last sync
	begun bool           // there was one
}

// sync says how many changes the index took in now, and whether another program
// has had it take in some since the last time, which no sync of ours will tell.
func (f *follower) sync(ctx context.Context) (changed int, behind bool, err error) {
	behind = f.moved(ctx)
	if changed, err = f.index.Sync(ctx, f.store); err != nil {
		return changed, behind, err
	}
	f.seen, err = f.index.Cursor(ctx)
	f.begun = err == nil
	return changed, behind, err
}

// moved reports that another program has had the index take something in since
// the last sync.
func (f *follower) moved(ctx context.Context) bool {
	now, err := f.index.Cursor(ctx)
	return err == nil && f.begun && now != f.seen
}
