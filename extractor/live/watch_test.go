package live

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"learnings/extractor/transcript"
)

// TestPoll checks what is due after each change of a tree of sessions.
func TestPoll(t *testing.T) {
	d := newDesk(t)
	recent := d.say("recent", 1, time.Minute)
	d.say("cold", 1, 24*time.Hour)
	d.say(".git/hidden", 1, 0)
	later := filepath.Join(filepath.Dir(d.dir), "later")
	start := time.Now()
	now := start
	o := d.options()
	o.Places = append(o.Places, transcript.Place{Path: later})
	p := poller{Worker: NewWorker(o), since: now.Add(-time.Hour), files: map[string]*watched{}}
	watch := Watch{Interval: time.Hour}
	check := func(what string, changes bool, want ...string) {
		t.Helper()
		found, changed := p.poll(now, watch)
		var got []string
		for _, f := range found {
			got = append(got, filepath.Base(f.Path))
		}
		if slices.Sort(got); !slices.Equal(got, want) || changed != changes {
			t.Errorf("%s: %v, changed %v; want %v", what, got, changed, want)
		}
		if _, err := p.handle(t.Context(), found); err != nil {
			t.Error(err)
		}
	}
	must := func(errs ...error) {
		t.Helper()
		if err := errors.Join(errs...); err != nil {
			t.Fatal(err)
		}
	}
	touch := func(path string, after time.Duration) {
		at := start.Add(after)
		must(os.Chtimes(path, at, at))
	}
	check("at first what was written lately", true, "recent.jsonl")
	check("then nothing", false)
	now = now.Add(time.Minute)
	d.say("cold", 1, 0)
	d.say("x/y/new", 1, 0)
	check("one that grows, and a new one", true, "cold.jsonl", "new.jsonl")
	must(os.RemoveAll(filepath.Join(d.dir, "x")), os.WriteFile(filepath.Join(d.dir, "notes.jsonl"), []byte("{}\n"), 0o600))
	check("what is gone, and what is no session", true)
	check("and is not looked into again", false)
	must(os.MkdirAll(later, 0o700), os.Rename(d.say("first", 1, 0), filepath.Join(later, "first.jsonl")))
	check("a place that did not exist", true, "first.jsonl")

	d.say("recent", 1, 0)
	touch(recent, time.Minute)
	check("one that is being written to", true)
	check("still", false)
	now = now.Add(time.Second)
	check("it is quiet", false, "recent.jsonl")
	d.say("recent", 1, 0)
	touch(recent, time.Hour)
	check("one whose clock goes before", true)
	now = now.Add(3 * watch.Interval)
	touch(recent, 4*time.Hour)
	check("not for ever", true, "recent.jsonl")
	watch.Quiet = time.Minute
	d.say("recent", 1, 0)
	touch(recent, 4*time.Hour)
	now = start.Add(4*time.Hour + time.Second)
	check("a model waits for longer", true)
	now = now.Add(time.Minute)
	check("it is over", false, "recent.jsonl")
}

// Follow takes what is there, what grows, and what the spool has, and ends.
func TestFollow(t *testing.T) {
	d := newDesk(t)
	d.say("there", 1, time.Hour)
	o := d.options()
	o.Log = func(string, ...any) {}
	var looks, seen atomic.Int64
	var troubles []string
	look := make(chan struct{}, 1)
	looked := func() {
		looks.Add(1)
		select {
		case look <- struct{}{}:
		default:
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() {
		ended <- NewWorker(o).Follow(ctx, Watch{
			Interval: 2 * time.Millisecond, Looked: looked,
			Seen:    func(context.Context) error { seen.Add(1); return nil },
			Trouble: func(err error) { troubles = append(troubles, err.Error()) },
		})
	}()
	wait := func(what string, n int) {
		t.Helper()
		for end := time.Now().Add(20 * time.Second); ; <-look {
			d.mu.Lock()
			taken := slices.Clone(d.taken)
			d.mu.Unlock()
			if len(taken) == n && !Running(d.state) {
				return
			}
			if len(taken) > n || time.Now().After(end) {
				t.Fatalf("%s: took %v", what, taken)
			}
		}
	}
	wait("what is there", 1)
	d.say("new", 1, 0)
	wait("what is new", 2)
	d.say("there", 1, 0)
	wait("what grows", 3)
	d.tell(SessionEnd, "", d.say("../elsewhere", 1, 0))
	wait("what hooks tell of", 4)
	d.mu.Lock()
	d.fail = fmt.Errorf("the disk is full")
	d.mu.Unlock()
	d.say("there", 1, 0)
	for n := looks.Load(); looks.Load() < n+50; {
		<-look
	}
	d.mu.Lock()
	d.fail = nil
	d.mu.Unlock()
	wait("what went wrong", 5)
	for n := looks.Load(); looks.Load() < n+2*afterwards; { // let it come to rest
		<-look
	}
	idle := seen.Load()
	for n := looks.Load(); looks.Load() < n+50; {
		<-look
	}
	if seen.Load() != idle {
		t.Error("the corpus is looked at though nothing happens")
	}
	cancel()
	if err := <-ended; err != nil {
		t.Errorf("ended with %v", err)
	}
	if len(troubles) != 1 {
		t.Errorf("told %q", troubles)
	}
}
