package live

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"learnings/extractor/transcript"
)

// A desk is a place with transcripts and a worker over it. What the worker
// takes is remembered by size, as a ledger does.
type desk struct {
	t     *testing.T
	dir   string
	state string

	mu    sync.Mutex
	sizes map[string]int64
	taken []string // base names, in order
	fail  error
	said  []string
}

func newDesk(t *testing.T) *desk {
	dir := t.TempDir()
	d := &desk{t: t, dir: filepath.Join(dir, "sessions"), state: filepath.Join(dir, "state"), sizes: map[string]int64{}}
	if err := os.MkdirAll(d.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	return d
}

func (d *desk) options() Options {
	return Options{
		Refresh: func() error { return nil }, State: d.state, Places: transcript.Places{{Path: d.dir}}, MinMessages: 3, Turns: true,
		Known: func(f transcript.File) (transcript.File, bool) {
			d.mu.Lock()
			defer d.mu.Unlock()
			size, ok := d.sizes[f.Path]
			f.Format = transcript.ClaudeCode
			return f, ok && size == f.Size
		},
		Take: func(_ context.Context, files []transcript.File) error {
			d.mu.Lock()
			defer d.mu.Unlock()
			if d.fail != nil {
				return d.fail
			}
			for _, f := range files {
				info, err := os.Stat(f.Path)
				if err != nil {
					return err
				}
				d.sizes[f.Path] = info.Size()
				d.taken = append(d.taken, filepath.Base(f.Path))
			}
			return nil
		},
		Log: func(format string, args ...any) { d.said = append(d.said, fmt.Sprintf(format, args...)) },
	}
}

func (d *desk) path(name string) string { return filepath.Join(d.dir, name+".jsonl") }

// say appends messages of a person to a session, which ended some time ago.
func (d *desk) say(name string, messages int, ago time.Duration) string {
	d.t.Helper()
	path := d.path(name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		d.t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		d.t.Fatal(err)
	}
	for i := range messages {
		fmt.Fprintf(f, `{"parentUuid":null,"isSidechain":false,"userType":"external","version":"2.1.185","type":"user","sessionId":%q,"uuid":"u%d","cwd":"/src","message":{"role":"user","content":"Message %d"},"timestamp":"2026-11-20T10:00:00Z"}`+"\n", name, i, i)
	}
	if err := f.Close(); err != nil {
		d.t.Fatal(err)
	}
	at := time.Now().Add(-ago)
	if err := os.Chtimes(path, at, at); err != nil {
		d.t.Fatal(err)
	}
	return path
}

func (d *desk) tell(e Event, session, path string) {
	d.t.Helper()
	if err := (Spool{d.state}).Append(Notice{Event: e, Session: session, Path: path}); err != nil {
		d.t.Fatal(err)
	}
}

// run runs a worker and gives what it took.
func (d *desk) run(o Options) []string {
	d.t.Helper()
	d.taken, d.said = nil, nil
	if err := NewWorker(o).Run(d.t.Context()); err != nil {
		d.t.Fatal(err)
	}
	slices.Sort(d.taken)
	return d.taken
}

func (d *desk) want(got []string, names ...string) {
	d.t.Helper()
	for i := range names {
		names[i] += ".jsonl"
	}
	if !slices.Equal(got, names) {
		d.t.Errorf("took %v, want %v; said %q", got, names, d.said)
	}
}

// The conditions under which a session is looked at.
func TestConditions(t *testing.T) {
	const turns, ends = true, false
	for _, test := range []struct {
		name     string
		turns    bool
		event    Event
		messages int
		want     bool
	}{
		{"stop", turns, Stop, 1, true},
		{"subagentstop", turns, SubagentStop, 1, true},
		{"stopwaits", ends, Stop, 9, false},
		{"end", ends, SessionEnd, 1, true},
		{"compactfew", turns, PreCompact, 2, false},
		{"compactenough", turns, PreCompact, 3, true},
		{"compactmodel", ends, PreCompact, 3, true},
	} {
		for _, how := range []string{"path", "id"} {
			t.Run(test.name+" by "+how, func(t *testing.T) {
				t.Parallel()
				d := newDesk(t)
				o := d.options()
				o.Turns = test.turns
				name := test.name + "-0000"
				path := d.say(name, test.messages, 0)
				if how == "id" {
					path = ""
				}
				d.tell(test.event, name, path)
				if test.want {
					d.want(d.run(o), name)
					d.tell(test.event, name, path)
				}
				d.want(d.run(o)) // never, or never again
			})
		}
	}
	// Several notices of one session: the strongest counts, and it is taken once.
	t.Run("several", func(t *testing.T) {
		t.Parallel()
		d := newDesk(t)
		path := d.say("several-0000", 1, 0)
		for _, e := range []Event{Stop, PreCompact, SessionEnd, Stop} {
			d.tell(e, "several-0000", path)
		}
		o := d.options()
		o.Turns = false
		d.want(d.run(o), "several-0000")
	})
}

// What no hook told of is found when it has been still for a while, and not
// when it is old.
func TestSweep(t *testing.T) {
	d := newDesk(t)
	d.say("live", 5, time.Minute)
	d.say("sub/missed", 5, time.Hour)
	d.say("yesterday", 5, 30*time.Hour)
	d.say("old", 5, 8*24*time.Hour)
	if err := os.WriteFile(filepath.Join(d.dir, "notes.txt"), []byte("no session"), 0o600); err != nil {
		t.Fatal(err)
	}
	day := d.options()
	day.Back = 24 * time.Hour
	d.want(d.run(day), "missed")
	d.want(d.run(d.options()), "yesterday")
	d.want(d.run(d.options()))
	// A notice that names nothing: whatever was written lately, as at the end of
	// a turn.
	ends := d.options()
	ends.Turns = false
	d.tell(SessionEnd, "", "")
	d.want(d.run(ends))
	d.tell(SessionEnd, "", "")
	d.want(d.run(d.options()), "live")
}

// What cannot be dealt with now waits for the next worker.
func TestLater(t *testing.T) {
	for _, fail := range []error{ErrLater, errors.New("the disk is full")} {
		d := newDesk(t)
		path := d.say("session", 1, 0)
		d.tell(SessionEnd, "", path)
		d.fail = fail
		for range 2 * maxTries {
			if err := NewWorker(d.options()).Run(t.Context()); !errors.Is(fail, ErrLater) && !errors.Is(err, fail) || errors.Is(fail, ErrLater) && err != nil {
				t.Fatalf("got %v", err)
			}
			if !(Spool{d.state}).Waiting() {
				t.Fatal("the notice was thrown away")
			}
		}
		d.fail = nil
		d.want(d.run(d.options()), "session")
		if (Spool{d.state}).Waiting() {
			t.Error("the notice stays")
		}
	}
}

// However many workers are started, one at a time works, and all is done when
// the last has ended.
func TestOneWorker(t *testing.T) {
	d := newDesk(t)
	var busy, most atomic.Int64
	o := d.options()
	take := o.Take
	o.Log = func(string, ...any) {} // several would write
	o.Take = func(ctx context.Context, files []transcript.File) error {
		if n := busy.Add(1); n > most.Load() {
			most.Store(n)
		}
		defer busy.Add(-1)
		if !Running(d.state) {
			t.Error("somebody works and it does not show")
		}
		return take(ctx, files)
	}
	const n = 20
	paths := make([]string, n)
	for i := range paths {
		paths[i] = d.say(fmt.Sprintf("session-%02d", i), 1, 0)
	}
	var wg sync.WaitGroup
	for _, path := range paths {
		wg.Go(func() {
			d.tell(SessionEnd, "", path)
			if Running(d.state) {
				return
			}
			if err := NewWorker(o).Run(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if most.Load() != 1 || len(d.taken) != n {
		t.Errorf("%d at a time, %d sessions taken", most.Load(), len(d.taken))
	}
	if (Spool{d.state}).Waiting() || Running(d.state) {
		t.Error("something is left")
	}
}

// The worker waits for an agent that writes after it has called the hook.
func TestSettles(t *testing.T) {
	d := newDesk(t)
	path := d.path("late")
	d.tell(SessionEnd, "", path)
	var agent sync.WaitGroup
	t.Cleanup(agent.Wait) // it writes into the test's folder
	agent.Go(func() {
		for range 3 {
			<-time.After(settlePoll)
			d.say("late", 1, 0)
		}
	})
	d.want(d.run(d.options()), "late")
	info, err := os.Stat(path)
	if err != nil || d.sizes[path] != info.Size() {
		t.Errorf("took %d bytes of %d, %v", d.sizes[path], info.Size(), err)
	}
	if strings.Contains(fmt.Sprint(d.said), "skipped") {
		t.Errorf("said %q", d.said)
	}
}

// A worker that is told to stop leaves the rest to the next.
func TestStops(t *testing.T) {
	d := newDesk(t)
	path := d.say("session", 1, 0)
	d.tell(SessionEnd, "", path)
	ctx, cancel := context.WithCancel(t.Context())
	o := d.options()
	take := o.Take
	o.Take = func(context.Context, []transcript.File) error { cancel(); return ctx.Err() }
	if err := NewWorker(o).Run(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	o.Take = take
	d.want(d.run(o), "session")
}
