package live

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"learnings/extractor/transcript"
)

// turnsOf polls as often as it takes for everything to have had its turn, and
// gives the names of what is due then.
func turnsOf(t *tree, now time.Time) (names []string) {
	for range fileTurns + 1 {
		t.poll(now)
	}
	for _, e := range t.due(now, 0, 0) {
		names = append(names, filepath.Base(e.path))
		e.first = time.Time{}
	}
	slices.Sort(names)
	return names
}

func TestTree(t *testing.T) {
	d := newDesk(t)
	d.say("recent", 1, time.Minute)
	d.say("cold", 1, 24*time.Hour)
	d.say("a/b/deep", 1, 24*time.Hour)
	d.say(".git/hidden", 1, 0)
	later := filepath.Join(filepath.Dir(d.dir), "later")
	now := time.Now()
	places := transcript.Places{{Path: d.dir}, {Path: later}}
	tr := newTree(places, now.Add(-time.Hour), now)
	check := func(what string, want ...string) {
		t.Helper()
		for i := range want {
			want[i] += ".jsonl"
		}
		if got := turnsOf(tr, now); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	check("at first what was written lately", "recent")
	check("then nothing")
	if len(tr.files) != 3 {
		t.Errorf("%d files", len(tr.files))
	}
	now = now.Add(time.Hour)
	turnsOf(tr, now)
	if len(tr.hot) != 0 {
		t.Errorf("%d files are looked at each time though nothing happens", len(tr.hot))
	}
	d.say("a/b/deep", 1, 0)
	check("a cold file that grows", "deep")
	if len(tr.hot) != 1 {
		t.Error("it is not looked at more often now")
	}
	d.say("new", 1, 0)
	d.say("x/y/z", 1, 0)
	check("new files and folders", "new", "z")
	if err := os.WriteFile(d.path("recent"), []byte("{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	check("a file that shrinks", "recent")
	if err := os.Remove(d.path("new")); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(d.dir, "x")); err != nil {
		t.Fatal(err)
	}
	check("what is gone")
	if len(tr.files) != 3 {
		t.Errorf("%d files", len(tr.files))
	}
	d.say("x/y/z", 1, 0)
	check("and comes back", "z")
	elsewhere := filepath.Join(later, "first.jsonl")
	if err := os.MkdirAll(later, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(d.say("first", 1, 0), elsewhere); err != nil {
		t.Fatal(err)
	}
	check("a place that did not exist", "first")
	if runtime.GOOS != "windows" {
		if err := os.Symlink(d.dir, filepath.Join(d.dir, "loop")); err != nil {
			t.Fatal(err)
		}
		check("a loop of links")
	}
	tr.places[0].Format = transcript.Codex
	if len(tr.sessions(tr.files[d.path("a/b/deep")])) > 0 {
		t.Error("a session of another agent than the place is for")
	}
}

// What is due: still files at once, files that are written to all the time
// after a while, and with a quiet only after that.
func TestDue(t *testing.T) {
	d := newDesk(t)
	path := d.say("one", 1, 0)
	start := time.Now()
	tr := newTree(transcript.Places{{Path: d.dir}}, start, start)
	tr.files[path].first = time.Time{}
	due := func(after, most, quiet time.Duration) bool {
		tr.poll(start.Add(after))
		return len(tr.due(start.Add(after), most, quiet)) == 1
	}
	grow := func(after time.Duration) {
		d.say("one", 1, 0)
		at := start.Add(after)
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	if due(time.Second, time.Minute, 0) {
		t.Error("due without a change")
	}
	grow(2 * time.Second)
	if due(2*time.Second, time.Minute, 0) {
		t.Error("due while it is being written")
	}
	if due(2*time.Second+time.Millisecond, time.Minute, time.Hour) {
		t.Error("due before the quiet is over")
	}
	if !due(2*time.Second+2*time.Millisecond, time.Minute, 0) {
		t.Error("not due though it is still")
	}
	for i := range 10 {
		at := time.Duration(3+i) * time.Second
		grow(at)
		if got := due(at, 5*time.Second, 0); got != (i >= 4) {
			t.Errorf("written to for %d s: due %v", i+1, got)
		}
	}
	if !due(time.Hour, time.Minute, time.Minute) {
		t.Error("not due after the quiet")
	}
}

// Follow takes what is there, what grows, and what the spool has, and ends.
func TestFollow(t *testing.T) {
	d := newDesk(t)
	d.say("there", 1, time.Hour)
	o := d.options()
	o.Log = nil
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

// BenchmarkPoll is one look at a tree of 14,000 files in which nothing happens.
func BenchmarkPoll(b *testing.B) {
	dir := b.TempDir()
	for i := range 700 {
		folder := filepath.Join(dir, fmt.Sprint(i))
		if err := os.Mkdir(folder, 0o700); err != nil {
			b.Fatal(err)
		}
		for j := range 20 {
			if err := os.WriteFile(filepath.Join(folder, fmt.Sprint(j, ".jsonl")), []byte("{}\n"), 0o600); err != nil {
				b.Fatal(err)
			}
		}
	}
	now := time.Now()
	tr := newTree(transcript.Places{{Path: dir}}, now, now)
	tr.poll(now.Add(time.Hour))
	for b.Loop() {
		tr.poll(now.Add(time.Hour))
		tr.due(now.Add(time.Hour), time.Second, 0)
	}
}

// TestTreeDatabase sees a place that is a file of its own appear, and what is
// written to the log beside it.
func TestTreeDatabase(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sessions.db")
	start := time.Now()
	tr := newTree(transcript.Places{{Path: path}}, start, start)
	write := func(name, text string, age time.Duration) {
		t.Helper()
		at := start.Add(-age)
		if err := errors.Join(os.WriteFile(name, []byte(text), 0o600), os.Chtimes(name, at, at)); err != nil {
			t.Fatal(err)
		}
	}
	if len(tr.files) != 0 {
		t.Fatalf("%v", tr.files)
	}
	write(path, "database", time.Hour)
	for range folderTurns {
		tr.poll(start)
	}
	if tr.files[path] == nil {
		t.Fatal("it is not seen")
	}
	before := *tr.files[path]
	write(path+"-wal", "more", time.Minute)
	for range fileTurns {
		tr.poll(start)
	}
	if e := tr.files[path]; e.size != before.size+4 || !e.mod.After(before.mod) {
		t.Errorf("what its log holds is not seen: %+v", e)
	}
}
