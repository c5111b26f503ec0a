package live

import (
	"cmp"
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

// Options configure a [Worker].
type Options struct {
	State  string
	Places transcript.Places // where sessions lie
	// Known completes a transcript that has nothing new, as
	// [learnings/extractor.Ledger.Recall] does. It is called under the lock, after
	// Refresh.
	Known   func(transcript.File) (transcript.File, bool)
	Refresh func() error // reads what other processes have done since
	// Take extracts what is new in transcripts, stores it and marks it as read. It
	// deals with the problems of single transcripts itself; an error, such as
	// [ErrLater], means that something is left to do.
	Take func(context.Context, []transcript.File) error
	// MinMessages is how many turns of a person a session needs to be read before a
	// compaction.
	MinMessages int
	// Turns says whether a session is read at the end of each turn. If not, it is
	// read when it ends.
	Turns bool
	// Back is how long ago a session that no hook reported may have ended to be read
	// nevertheless; 0 means seven days.
	Back time.Duration
	Log  func(format string, args ...any) // gets ids and paths, never what was said
}

// A Worker handles sessions, whether hooks have reported them or not.
type Worker struct {
	o     Options
	spool Spool
}

// NewWorker returns a worker that waits for [Worker.Run] or [Worker.Follow].
func NewWorker(o Options) *Worker {
	o.Back = cmp.Or(o.Back, 7*24*time.Hour)
	return &Worker{o: o, spool: Spool{o.State}}
}

// Run empties the spool, looks once for sessions that no hook reported, and returns.
// If another process is working, it returns nil at once: that one handles the spool.
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
			// This is checked after the lock is released: a process that appended
			// before saw the lock held and started no worker.
			return nil
		}
	}
}

// work handles transcripts that have grown, and the spool.
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

// drain handles the spool until it is empty, and returns the notices that name no
// transcript.
func (w *Worker) drain(ctx context.Context) (nameless []Notice, err error) {
	for {
		t, err := w.spool.take()
		if err != nil || t == nil {
			return nameless, err
		}
		if files := w.files(ctx, t.notices, &nameless); len(files) > 0 {
			err = w.o.Take(ctx, files)
		}
		if err = errors.Join(err, ctx.Err()); err != nil {
			return nameless, errors.Join(err, t.release())
		}
		if err := t.done(); err != nil {
			return nameless, err
		}
	}
}

// files returns the transcripts of notices that are to be read now, each once, after
// their agents have written them.
func (w *Worker) files(ctx context.Context, ns []Notice, nameless *[]Notice) []transcript.File {
	var paths []string
	events := map[string][]Event{}
	for _, n := range ns {
		if n.Path == "" {
			*nameless = append(*nameless, n)
			continue
		}
		if events[n.Path] == nil {
			paths = append(paths, n.Path)
		}
		events[n.Path] = append(events[n.Path], n.Event)
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

// due opens a transcript that hooks have reported, or says why not to read it.
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

// reason says why a session is not read in spite of these events; "" if it is.
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

// settle waits until agents have finished writing: they write after they have called
// the hook. It waits for all files together, and not for ever.
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
	// sweepQuiet is how long a session that no hook reported must have been unchanged:
	// while it goes on, its hooks report it.
	sweepQuiet = 10 * time.Minute
	// sweepMost bounds one sweep; the newest sessions come first, and the rest is left
	// to the next worker.
	sweepMost = 200
)

// sweep handles sessions that hooks reported without a path, or not at all.
func (w *Worker) sweep(ctx context.Context, nameless []Notice) error {
	now := time.Now() // the clock that stamps files
	var files []transcript.File
	since := now.Add(-w.o.Back)
	for _, f := range w.unread(func(f transcript.File) bool { return f.ModTime.After(since) }) {
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

// leastID is how long an id must be to tell a session from all others.
const leastID = 8

// tells returns the events that notices without a path may report of a transcript:
// agents name the file after the session. A notice without a session may be about any,
// and so about one that goes on: it counts as the end of a turn and no more.
func (n Notice) tells(path string) (Event, bool) {
	if len(n.Session) < leastID {
		return Stop, true
	}
	return n.Event, strings.Contains(filepath.Base(path), n.Session)
}

// unread finds transcripts that have something new, newest first. Files that are not
// wanted, by their path, size and time, are not opened.
func (w *Worker) unread(wanted func(transcript.File) bool) []transcript.File {
	const passed = transcript.Format("passed over")
	known := func(f transcript.File) (transcript.File, bool) {
		if !wanted(f) {
			f.Format = passed
			return f, true
		}
		return w.o.Known(f)
	}
	var files []transcript.File
	for f, err := range transcript.FindKnown(w.o.Places, known) {
		if err != nil || f.Format == passed {
			continue // the error is reported when a person asks for the file
		}
		if _, known := w.o.Known(f); !known {
			files = append(files, f)
		}
	}
	slices.SortStableFunc(files, func(a, b transcript.File) int { return b.ModTime.Compare(a.ModTime) })
	return files
}
