package live

import (
	"context"
	"errors"
	"slices"
	"time"

	"learnings/extractor/transcript"
)

// A Watch says how a worker follows sessions.
type Watch struct {
	Interval time.Duration // between two polls; 0 means 2 s
	// Quiet is how long a session must have been unchanged before it is handled, at
	// most ten minutes. 0 handles it at once.
	Quiet time.Duration
	// Seen is called after each poll that found a change, and a few times after that:
	// another process may have handled it meanwhile. It may be nil.
	Seen func(context.Context) error
	// Trouble is called with the error of a poll, unless it is the same as that of the
	// poll before; the watch goes on. It may be nil.
	Trouble func(error)
	// Looked is called after each poll; it may be nil.
	Looked func()
}

const (
	defaultInterval = 2 * time.Second
	// afterwards is how many more times Seen is called.
	afterwards = 3
)

// Follow polls the transcripts until ctx is done, which is no error. It begins with
// what no extraction has read of the last days' sessions. Several processes may follow
// the same corpus: each holds the lock only while it works.
func (w *Worker) Follow(ctx context.Context, o Watch) error {
	if o.Interval <= 0 {
		o.Interval = defaultInterval
	}
	now := time.Now()
	t := newTree(w.o.Places, now.Add(-w.o.Back), now)
	tick := time.NewTicker(o.Interval)
	defer tick.Stop()
	said := ""
	for recent := afterwards; ; {
		now := time.Now()
		if t.poll(now) {
			recent = afterwards
		}
		worked, err := w.look(ctx, t, now, o)
		if worked {
			recent = afterwards
		}
		if recent > 0 && o.Seen != nil {
			err = errors.Join(err, o.Seen(ctx))
		}
		recent = max(recent-1, 0)
		if ctx.Err() != nil {
			return nil
		}
		if text := errText(err); text != said {
			if said = text; text != "" && o.Trouble != nil {
				o.Trouble(err)
			}
		}
		if o.Looked != nil {
			o.Looked()
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

func errText(err error) string {
	if err == nil || errors.Is(err, ErrBusy) || errors.Is(err, ErrLater) {
		return ""
	}
	return err.Error()
}

// look handles what is due. What another process is handling, or what failed, stays
// due.
func (w *Worker) look(ctx context.Context, t *tree, now time.Time, o Watch) (worked bool, err error) {
	due := t.due(now, 3*o.Interval, o.Quiet)
	var files []transcript.File
	for _, e := range due {
		sessions := slices.DeleteFunc(t.sessions(e), func(f transcript.File) bool {
			_, known := w.o.Known(f)
			return known
		})
		if len(sessions) == 0 { // nothing new, or no session yet: the file will change again
			e.first = time.Time{}
		}
		files = append(files, sessions...)
	}
	if len(files) == 0 && !w.spool.Waiting() {
		return false, nil
	}
	if err := w.work(ctx, files); err != nil {
		return true, err
	}
	for _, e := range due {
		e.first = time.Time{}
	}
	return true, nil
}
