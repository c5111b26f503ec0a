package live

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"learnings/lessons/state"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

func notice(i int) Notice {
	return Notice{Event: Stop, Session: fmt.Sprintf("session-%04d", i), Path: absolute(fmt.Sprintf("t%d.jsonl", i)), At: noon}
}

// absolute is a path that is one on every system.
func absolute(name string) string { return filepath.Join(os.TempDir(), "nowhere", name) }

// drained takes everything out of a spool, as a worker does.
func drained(t *testing.T, s Spool) (out []Notice) {
	t.Helper()
	for {
		k, err := s.take()
		if err != nil {
			t.Fatal(err)
		}
		if k == nil {
			return out
		}
		out = append(out, k.notices...)
		if err := k.done(); err != nil {
			t.Fatal(err)
		}
	}
}

// Many append while one takes: each notice comes at least once.
func TestSpoolLosesNothing(t *testing.T) {
	s := Spool{filepath.Join(t.TempDir(), "state")}
	const writers, each = 8, 50
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := range each {
				if err := s.Append(notice(w*each + i)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	finished := make(chan struct{})
	go func() { wg.Wait(); close(finished) }()
	seen := map[string]bool{}
	for over := false; !over; {
		select {
		case <-finished:
			over = true // and once more
		default:
		}
		for _, n := range drained(t, s) {
			seen[n.Session] = true
		}
		runtime.Gosched()
	}
	if len(seen) != writers*each {
		t.Errorf("%d notices of %d", len(seen), writers*each)
	}
	if s.Waiting() {
		t.Error("the spool is not empty")
	}
}

// What a worker that died has taken, the next one takes again; after a few of
// them it is put aside, and what came later has its turn.
func TestSpoolAfterCrash(t *testing.T) {
	s := Spool{t.TempDir()}
	first := notice(1)
	first.At = time.Now()
	if err := s.Append(first); err != nil {
		t.Fatal(err)
	}
	for try := 1; try <= maxTries; try++ {
		k, err := s.take()
		if err != nil || k == nil || len(k.notices) != 1 || k.notices[0].Session != "session-0001" {
			t.Fatalf("worker %d got %+v, %v", try, k, err)
		}
		if !s.Waiting() {
			t.Fatal("nothing waits")
		}
	}
	if err := s.Append(notice(2)); err != nil {
		t.Fatal(err)
	}
	if got := drained(t, s); len(got) != 1 || got[0].Session != "session-0002" {
		t.Errorf("got %+v", got)
	}
	if q, err := s.Look(); err != nil || q.Failed != 1 {
		t.Errorf("what failed is not kept: %+v, %v", q, err)
	}
}

// What could not be done for a reason that passes is no failure, however often.
func TestSpoolRelease(t *testing.T) {
	s := Spool{t.TempDir()}
	if err := s.Append(notice(1)); err != nil {
		t.Fatal(err)
	}
	for range 3 * maxTries {
		k, err := s.take()
		if err != nil || k == nil || len(k.notices) != 1 {
			t.Fatalf("got %+v, %v", k, err)
		}
		if err := k.release(); err != nil {
			t.Fatal(err)
		}
	}
}

// The spool is bounded in notices and in all, and survives what is no notice.
func TestSpoolBounds(t *testing.T) {
	s := Spool{t.TempDir()}
	long := notice(1)
	long.Session, long.Dir, long.Path = strings.Repeat("s", 5000), strings.Repeat("d", 5000), absolute(strings.Repeat("p", 5000))
	if n := long.short(); n.Session+n.Dir+n.Path != "" || n.Event != Stop {
		t.Errorf("%+v", n)
	}
	err := state.At(s.State).Update(func(tx state.Tx) error {
		for i := range maxSpool {
			junk := []string{`{"event":"stop","path":"relative.jsonl"}`, `{"event":"rm -rf"}`, `{"event":`}[min(i, 2)]
			if _, err := tx.Exec("INSERT INTO spool (at, notice) VALUES (0, ?)", junk); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if q, err := s.Look(); err != nil || !q.Full {
		t.Errorf("of a full spool: %+v, %v", q, err)
	}
	if err := s.Append(notice(2)); err == nil {
		t.Error("a spool that nobody empties grows for ever")
	}
	if got := drained(t, s); len(got) != 1 || got[0].Path != "" {
		t.Errorf("got %+v", got)
	}
	if err := s.Append(notice(2)); err != nil {
		t.Errorf("an emptied spool takes nothing: %v", err)
	}
}

// TestQueue checks what is counted of a spool, and that counting takes nothing.
func TestQueue(t *testing.T) {
	s := Spool{t.TempDir()}
	want := Queue{}
	look := func(what string) {
		t.Helper()
		if q, err := s.Look(); err != nil || q != want {
			t.Errorf("%s: %+v, %v", what, q, err)
		}
	}
	look("of nothing")
	for i := range 3 {
		n := notice(i)
		n.At = noon.Add(time.Duration(-i) * time.Hour)
		if err := s.Append(n); err != nil {
			t.Fatal(err)
		}
	}
	want = Queue{Notices: 3, Oldest: noon.Add(-2 * time.Hour)}
	look("of three")
	if _, err := s.take(); err != nil { // a worker that dies with it
		t.Fatal(err)
	}
	look("taken")
}

func FuzzNotice(f *testing.F) {
	f.Add([]byte(`{"event":"session-end","path":"/a\u0000b"}`))
	f.Add([]byte("[]"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if n, ok := parseNotice(data); ok && n.Path != "" && (!filepath.IsAbs(n.Path) || strings.ContainsRune(n.Path, 0)) {
			t.Errorf("path %q", n.Path)
		}
	})
}

func TestRate(t *testing.T) {
	r := Rate{State: t.TempDir(), Name: "rate", Most: 3, Span: time.Hour}
	allowed := func(at time.Time) bool {
		ok, err := r.Allow(at)
		if err != nil {
			t.Fatal(err)
		}
		return ok
	}
	for i := range 5 {
		if got := allowed(noon.Add(time.Duration(i) * time.Minute)); got != (i < 3) {
			t.Errorf("call %d: %v", i, got)
		}
	}
	if !allowed(noon.Add(time.Hour)) || allowed(noon.Add(time.Hour+time.Second)) {
		t.Error("after an hour there is room for one more, and no more")
	}
}
