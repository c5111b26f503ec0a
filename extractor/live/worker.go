package live

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"learnings/extractor/transcript"
)

// Options say what a [Worker] works on.
type Options struct {
	State  string
	Places transcript.Places // where sessions lie
	// Known completes a transcript that holds nothing new, as
	// [learnings/extractor.Ledger.Recall] does. It is asked under the lock, after
	// Refresh.
	Known   func(transcript.File) (transcript.File, bool)
	Refresh func() error // takes in what others have done since; may be nil
	// Take extracts from transcripts what is new in them, stores it and marks
	// it as read. What is wrong with one of them is its own affair; an error
	// means that something is left to do, and so does [ErrLater].
	Take func(context.Context, []transcript.File) error
	// MinMessages is how many turns of a person a session needs to be looked at
	// before a compaction.
	MinMessages int
	// Turns says whether the end of a turn is a moment to look. If not, the end
	// of the session is waited for.
	Turns bool
	// Back is how long ago a session may have ended that is looked at though
	// nobody told of it; seven days when 0.
	Back time.Duration
	Log  func(format string, args ...any) // of ids and paths, not of what was said; may be nil
}

// A Worker takes lessons from the sessions that it is told of and from those
// that nobody told of.
type Worker struct {
	o     Options
	spool Spool
}

// NewWorker makes a worker. It does nothing yet.
func NewWorker(o Options) *Worker {
	if o.Log == nil {
		o.Log = func(string, ...any) {}
	}
	if o.Back == 0 {
		o.Back = 7 * 24 * time.Hour
	}
	if o.Refresh == nil {
		o.Refresh = func() error { return nil }
	}
	if o.Known == nil {
		o.Known = func(f transcript.File) (transcript.File, bool) { return f, false }
	}
	return &Worker{o: o, spool: Spool{o.State}}
}

// Run empties the spool, looks once for what no hook has told of, and ends. It
// is nil at once when another process works: that one deals with the spool.
func (w *Worker) Run(ctx context.Context) error {
	for swept := false; ; swept = true {
		err := w.locked(ctx, func() error {
			nameless, err := w.drain(ctx)
			if err == nil && (!swept || len(nameless) > 0) {
				err = w.sweep(ctx, nameless)
			}
			return err
		})
		switch {
		case errors.Is(err, ErrBusy), errors.Is(err, ErrLater):
			return nil
		case err != nil:
			return err
		case !w.spool.Waiting():
			// Looked at after the lock is given back: who appended before that
			// has seen the lock held and has started nobody.
			return nil
		}
	}
}

// work deals with transcripts that have grown, and with the spool.
func (w *Worker) work(ctx context.Context, grown []transcript.File) error {
	return w.locked(ctx, func() error {
		nameless, err := w.drain(ctx)
		if err == nil && len(nameless) > 0 {
			err = w.sweep(ctx, nameless)
		}
		if err == nil && len(grown) > 0 {
			err = w.o.Take(ctx, grown)
		}
		return err
	})
}

func (w *Worker) locked(ctx context.Context, f func() error) error {
	unlock, err := lock(ctx, w.o.State)
	if err != nil {
		return err
	}
	defer unlock()
	if err := w.o.Refresh(); err != nil {
		return err
	}
	return f()
}

// drain deals with the spool until it is empty, and gives the notices that
// name no transcript.
func (w *Worker) drain(ctx context.Context) (nameless []Notice, err error) {
	for {
		t, err := w.spool.take()
		if err != nil || t == nil {
			return nameless, err
		}
		for done := false; !done; {
			files := w.files(ctx, t.notices, &nameless)
			if len(files) > 0 {
				err = w.o.Take(ctx, files)
			}
			if err = errors.Join(err, ctx.Err()); err != nil {
				return nameless, errors.Join(err, t.release())
			}
			if done, err = t.done(); err != nil {
				return nameless, err
			}
		}
	}
}

// files gives the transcripts of notices that are to be looked at now, each
// once, when their agents have written them.
func (w *Worker) files(ctx context.Context, ns []Notice, nameless *[]Notice) []transcript.File {
	var paths []string
	events := map[string][]Event{}
	for _, n := range ns {
		switch {
		case n.Path == "":
			*nameless = append(*nameless, n)
		default:
			if events[n.Path] == nil {
				paths = append(paths, n.Path)
			}
			events[n.Path] = append(events[n.Path], n.Event)
		}
	}
	settle(ctx, paths)
	var files []transcript.File
	for _, path := range paths {
		f, why := w.due(ctx, path, events[path])
		if why != "" {
			w.o.Log("session=%s skipped=%q", filepath.Base(path), why)
			continue
		}
		files = append(files, f)
	}
	return files
}

// due opens a transcript of which hooks have told, or says why it is left
// alone.
func (w *Worker) due(ctx context.Context, path string, events []Event) (f transcript.File, why string) {
	in, f, err := transcript.Open(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return f, "no such file"
	case errors.Is(err, transcript.ErrNoSession):
		return f, "not a session of a known agent"
	case err != nil:
		return f, "it cannot be read"
	}
	in.Close()
	f.Named = true
	if _, known := w.o.Known(f); known {
		return f, "nothing new"
	}
	return f, w.reason(ctx, f, events)
}

// reason says why a session is left alone though these events were told of it;
// "" when it is not.
func (w *Worker) reason(ctx context.Context, f transcript.File, events []Event) string {
	has := func(e Event) bool { return slices.Contains(events, e) }
	switch {
	case has(SessionEnd), w.o.Turns && (has(Stop) || has(SubagentStop)):
		return ""
	case !has(PreCompact):
		return "the end of the session is waited for"
	case w.o.MinMessages <= 0:
		return ""
	}
	info, err := transcript.Scan(ctx, f)
	switch {
	case err != nil:
		return "it cannot be read"
	case info.Human < w.o.MinMessages:
		return fmt.Sprintf("%d messages of the person", info.Human)
	}
	return ""
}

const (
	settlePoll  = 50 * time.Millisecond
	settleQuiet = 200 * time.Millisecond
	settleMost  = 3 * time.Second
)

// settle waits until agents have written what they had to say: they do so
// after they have called the hook. It waits for all of the files together, and
// not for ever.
func settle(ctx context.Context, paths []string) {
	ctx, cancel := context.WithTimeout(ctx, settleMost)
	defer cancel()
	tick := time.NewTicker(settlePoll)
	defer tick.Stop()
	sizes := make([]int64, len(paths))
	quiet := time.Now()
	for first := true; len(paths) > 0; first = false {
		missing := false
		for i, path := range paths {
			info, err := os.Stat(path)
			if err != nil {
				missing = true
				continue
			}
			if info.Size() != sizes[i] {
				sizes[i] = info.Size()
				if !first || time.Since(info.ModTime()) < settleQuiet {
					quiet = time.Now()
				}
			}
		}
		if !missing && time.Since(quiet) >= settleQuiet {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

const (
	// sweepQuiet is for how long a session must have been still of which nobody
	// told: of one that goes on its hooks tell.
	sweepQuiet = 10 * time.Minute
	// sweepMost bounds one look around; the newest come first, the next worker
	// sees to the rest.
	sweepMost = 200
)

// sweep takes what no hook has told of, and what hooks told of by the id of a
// session alone or by nothing.
func (w *Worker) sweep(ctx context.Context, nameless []Notice) error {
	now := time.Now() // as the times of files are
	var files []transcript.File
	for _, f := range w.unread(now.Add(-w.o.Back)) {
		var events []Event
		for _, n := range nameless {
			if event, ok := n.tells(f.Path); ok {
				events = append(events, event)
				f.Named = f.Named || len(n.Session) >= leastID
			}
		}
		if now.Sub(f.ModTime) >= sweepQuiet || len(events) > 0 && w.reason(ctx, f, events) == "" {
			files = append(files, f)
		}
	}
	if len(files) == 0 {
		return ctx.Err()
	}
	return w.o.Take(ctx, files[:min(len(files), sweepMost)])
}

// leastID is the length from which on the id of a session tells it from others.
const leastID = 8

// tells gives what a notice without a path may tell of a transcript: agents
// name the file by the session. A notice that names no session may be of any,
// and so of one that goes on: it is no more than the end of a turn.
func (n Notice) tells(path string) (Event, bool) {
	if len(n.Session) < leastID {
		return Stop, true
	}
	return n.Event, strings.Contains(filepath.Base(path), n.Session)
}

// unread finds transcripts that have something new, newest first. Files from
// before since are not even opened.
func (w *Worker) unread(since time.Time) []transcript.File {
	const old = transcript.Format("old")
	known := func(f transcript.File) (transcript.File, bool) {
		if !f.ModTime.After(since) {
			f.Format = old
			return f, true
		}
		return w.o.Known(f)
	}
	var files []transcript.File
	for f, err := range transcript.FindKnown(w.o.Places, known) {
		if err != nil || f.Format == old {
			continue // what cannot be read now is told when a person asks for it
		}
		if _, known := w.o.Known(f); !known {
			files = append(files, f)
		}
	}
	slices.SortStableFunc(files, func(a, b transcript.File) int { return b.ModTime.Compare(a.ModTime) })
	return files
}
