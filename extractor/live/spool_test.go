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
		for done := false; !done; {
			out = append(out, k.notices...)
			if done, err = k.done(); err != nil {
				t.Fatal(err)
			}
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
	if err := s.Append(notice(1)); err != nil {
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
	aside, err := os.ReadFile(filepath.Join(s.State, failName))
	if err != nil || !strings.Contains(string(aside), "session-0001") {
		t.Errorf("what failed is not kept: %s, %v", aside, err)
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

// A hook that had the spool open when it was taken writes into what was taken.
func TestSpoolLateWriter(t *testing.T) {
	s := Spool{t.TempDir()}
	if err := s.Append(notice(1)); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(s.file(spoolName), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if runtime.GOOS == "windows" {
		t.Skip("Windows does not rename an open file")
	}
	k, err := s.take()
	if err != nil {
		t.Fatal(err)
	}
	line, _ := notice(2).line()
	if _, err := f.Write(line); err != nil {
		t.Fatal(err)
	}
	done, err := k.done()
	if err != nil || done || len(k.notices) != 1 || k.notices[0].Session != "session-0002" {
		t.Fatalf("the late notice was lost: %v %+v %v", done, k, err)
	}
	if done, err = k.done(); err != nil || !done {
		t.Fatal(done, err)
	}
}

// The spool is private, bounded in lines and in all, and survives bad lines.
func TestSpoolBounds(t *testing.T) {
	s := Spool{t.TempDir()}
	long := notice(1)
	long.Session, long.Dir, long.Path = strings.Repeat("s", 5000), strings.Repeat("d", 5000), absolute(strings.Repeat("p", 5000))
	if err := s.Append(long); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(s.file(spoolName))
	if err != nil || info.Size() > maxLine {
		t.Fatalf("a line of %d bytes, %v", info.Size(), err)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v", info.Mode())
	}
	junk := strings.Repeat("x", maxSpool+1) + "\n" + `{"event":"stop","path":"relative.jsonl"}` + "\n" + `{"event":"rm -rf"}` + "\n{\"event\":"
	if err := os.WriteFile(s.file(spoolName), []byte(junk), 0o600); err != nil {
		t.Fatal(err)
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

func FuzzNotices(f *testing.F) {
	line, _ := notice(1).line()
	f.Add(line)
	f.Add([]byte(`{"event":"session-end","path":"/a\u0000b"}` + "\n[]\n{}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, n := range parseNotices(data) {
			if n.Path != "" && (!filepath.IsAbs(n.Path) || strings.ContainsRune(n.Path, 0)) {
				t.Errorf("path %q", n.Path)
			}
			if line, err := n.line(); err == nil && len(line) > maxLine {
				t.Errorf("a line of %d bytes", len(line))
			}
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
	if err := os.WriteFile(filepath.Join(r.State, r.Name), []byte("[\"no"), 0o600); err != nil {
		t.Fatal(err)
	}
	if !allowed(noon) {
		t.Error("a damaged count never recovers")
	}
}
