package live

import (
	"context"
	"errors"
	"time"

	"learnings/extractor/transcript"
)

// A Watch says how a worker follows sessions.
type Watch struct {
	Interval time.Duration // between two polls; 0 means 2 s
	// Quiet is how long a session must have been unchanged before it is handled. 0 handles
	// it at once.
	Quiet time.Duration
	// Seen is called after each poll that found a change, and a few times after that:
	// another process may have handled it meanwhile.
	Seen func(context.Context) error
	// Trouble is called with the error of a poll, unless it is the same as that of the
	// poll before; the watch goes on.
	Trouble func(error)
	// Looked is called after each poll; it may be nil.
	Looked func()
}

const (
	defaultInterval = 2 * time.Second
	// afterwards is how many more times Seen is called.
	afterwards = 3
	// share bounds the work of polling: the pause after a poll is share times as long
	// as the poll. With 14,000 sessions that is some seconds.
	share = 100
)

// A watched is a file that was written to since the watch began, or shortly before.
type watched struct {
	size  int64
	mod   time.Time
	first time.Time // when the oldest change that is not handled was seen; zero for none
}

// A poller finds sessions that have grown, by the sizes and times of their files. The
// system's file notifications would run into its limits with one for each folder or
// file, and miss changes on a network or in a container.
type poller struct {
	*Worker
	since time.Time // files that were last written to before are passed over
	files map[string]*watched
	due   []*watched // of the last poll
}

// Follow polls the transcripts until ctx is done, which is no error. It begins with
// what no extraction has read of the last days' sessions. Several processes may follow
// the same corpus: each holds the lock only while it works.
func (w *Worker) Follow(ctx context.Context, o Watch) error {
	if o.Interval <= 0 {
		o.Interval = defaultInterval
	}
	p := poller{Worker: w, since: time.Now().Add(-w.o.Back), files: map[string]*watched{}}
	said := ""
	for recent := afterwards; ; recent = max(recent-1, 0) {
		start := time.Now()
		due, changed := p.poll(start, o)
		pause := max(o.Interval, share*time.Since(start))
		worked, err := p.handle(ctx, due)
		if changed || worked {
			recent = afterwards
		}
		if recent > 0 {
			err = errors.Join(err, o.Seen(ctx))
		}
		text := ""
		if err != nil && !errors.Is(err, ErrBusy) && !errors.Is(err, ErrLater) && ctx.Err() == nil {
			text = err.Error()
		}
		if text != said && text != "" {
			o.Trouble(err)
		}
		said = text
		if o.Looked != nil {
			o.Looked()
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(pause):
		}
	}
}

// poll checks all files. It returns those to handle, newest first and the only ones it
// opens, and reports whether any file has changed.
func (p *poller) poll(now time.Time, o Watch) (due []transcript.File, changed bool) {
	p.due = nil
	due = p.unread(func(f transcript.File) bool {
		if size, mod, err := transcript.Stat(f.Path); err == nil { // with the log of a database
			f.Size, f.ModTime = size, mod
		}
		w := p.files[f.Path]
		if w == nil {
			w = &watched{}
			p.files[f.Path] = w
		}
		if w.size != f.Size || !w.mod.Equal(f.ModTime) {
			if w.size, w.mod = f.Size, f.ModTime; f.ModTime.After(p.since) {
				changed = true
				if w.first.IsZero() {
					w.first = now
				}
			}
		}
		if w.first.IsZero() || !w.due(now, o) {
			return false
		}
		p.due = append(p.due, w)
		return true
	})
	return due, changed
}

// due reports whether a changed file has been quiet for long enough, or busy for too
// long to wait.
func (w *watched) due(now time.Time, o Watch) bool {
	silent := now.Sub(w.mod)
	if o.Quiet > 0 {
		return silent >= o.Quiet
	}
	return silent > settleQuiet || now.Sub(w.first) >= 3*o.Interval
}

// handle handles what is due. Files that another process is handling, or that failed,
// stay due.
func (p *poller) handle(ctx context.Context, due []transcript.File) (worked bool, err error) {
	if worked = len(due) > 0 || p.spool.Waiting(); worked {
		err = p.work(ctx, due)
	}
	for _, w := range p.due {
		if err == nil {
			w.first = time.Time{}
		}
	}
	return worked, err
}
