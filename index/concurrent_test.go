package index_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"learnings/index"
	"learnings/lessons"
)

// TestMain lets the test program also be one of several processes on one index.
func TestMain(m *testing.M) {
	if dir := os.Getenv("INDEX_TEST_READER"); dir != "" {
		if err := readerProcess(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// readerProcess searches until its input ends, and says so once it has begun.
func readerProcess(dir string) error {
	done := make(chan struct{})
	go func() {
		bufio.NewReader(os.Stdin).ReadByte()
		close(done)
	}()
	for n := 0; ; n++ {
		select {
		case <-done:
			return nil
		default:
		}
		p, err := index.At(dir).Search(context.Background(), index.Text("gateway"))
		if errors.Is(err, index.ErrBusy) {
			continue // after a second, on a machine that hardly lets the writer run
		}
		if err != nil {
			return err
		}
		if p.Total == 0 {
			return errors.New("found nothing")
		}
		if n == 0 {
			fmt.Println("reading")
		}
	}
}

// TestReadersAndWriters has readers and writers at one index at once, half of them with
// one that is held open and the others each with their own. No search fails or misses
// what it must find, and in the end every change is in.
func TestReadersAndWriters(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "index")
	all := corpus(1000)
	log := newLog(all...)
	update(t, index.At(dir), log)

	held := index.At(dir).Held(t.Context())
	of := func(n int) *index.Index {
		if n%2 == 0 {
			return held
		}
		return index.At(dir)
	}
	stop := make(chan struct{})
	var readers, writers sync.WaitGroup
	var mu sync.Mutex
	var longest time.Duration
	searches := 0
	for r := range 4 {
		readers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				start := time.Now()
				p, err := of(r).Search(t.Context(), index.Text("gateway"))
				if errors.Is(err, index.ErrBusy) && time.Since(start) >= time.Second {
					continue // as promised, and only on a machine that hardly lets the writers run
				}
				if err != nil || p.Total == 0 {
					t.Errorf("search: %d, %v", p.Total, err)
					return
				}
				mu.Lock()
				searches++
				longest = max(longest, time.Since(start))
				mu.Unlock()
			}
		})
	}
	for w := range 2 {
		writers.Go(func() {
			for i := range 20 {
				l := all[w*20+i]
				l.Content = fmt.Sprintf("marked%d gateway", w*20+i)
				log.put("edit", l)
				if _, err := of(w).Sync(t.Context(), log); err != nil {
					t.Errorf("sync: %v", err)
				}
				if i == 10 && w == 0 {
					if _, err := of(w).Rebuild(t.Context(), log); err != nil {
						t.Errorf("rebuild: %v", err)
					}
				}
			}
		})
	}
	writers.Wait()
	close(stop)
	readers.Wait()
	t.Logf("%d searches, the longest %v", searches, longest)
	p, err := index.At(dir).Search(t.Context(), index.Query{Terms: []index.Term{{Text: "marked", Prefix: true}}, Limit: 100})
	if err != nil || p.Total != 40 {
		t.Errorf("%d of 40 changes are in, %v", p.Total, err)
	}
}

// TestProcesses is the same with readers that are processes of their own.
func TestProcesses(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "index")
	all := corpus(300)
	log := newLog(all...)
	update(t, index.At(dir), log)
	var stops []func() error
	for range 3 {
		cmd := exec.Command(self)
		cmd.Env = append(os.Environ(), "INDEX_TEST_READER="+dir)
		cmd.Stderr = os.Stderr
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		stops = append(stops, func() error {
			in.Close()
			return cmd.Wait()
		})
		if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "reading\n" {
			t.Fatalf("the reader says %q, %v", line, err)
		}
	}
	for i := range 25 {
		l := all[i]
		l.Content += " again"
		log.put("edit", l)
		update(t, index.At(dir), log)
	}
	if _, err := index.At(dir).Rebuild(t.Context(), log); err != nil {
		t.Error(err)
	}
	for _, stop := range stops {
		if err := stop(); err != nil {
			t.Errorf("reader: %v", err)
		}
	}
}

// A blockedLog is one that a writer waits for until the test lets go.
type blockedLog struct {
	*sliceLog
	begun, release chan struct{}
}

func (b blockedLog) Since(c lessons.Cursor) iter.Seq2[lessons.Change, error] {
	return func(yield func(lessons.Change, error) bool) {
		close(b.begun)
		<-b.release
		b.sliceLog.Since(c)(yield)
	}
}

// TestNobodyWaitsForARebuild searches while another rebuilds; a second writer is
// told that the index is busy.
func TestNobodyWaitsForARebuild(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "index")
	log := newLog(corpus(50)...)
	update(t, index.At(dir), log)
	slow := blockedLog{sliceLog: log, begun: make(chan struct{}), release: make(chan struct{})}
	var rebuild sync.WaitGroup
	rebuild.Go(func() {
		if _, err := index.At(dir).Rebuild(t.Context(), slow); err != nil {
			t.Errorf("rebuild: %v", err)
		}
	})
	<-slow.begun
	if p, err := index.At(dir).Search(t.Context(), index.Query{}); err != nil || p.Total != 50 {
		t.Errorf("search while another rebuilds: %d, %v", p.Total, err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := index.At(dir).Sync(ctx, log); !errors.Is(err, index.ErrBusy) {
		t.Errorf("sync while another rebuilds: %v, want ErrBusy", err)
	}
	close(slow.release)
	rebuild.Wait()
}

func TestNoGoroutineIsLeft(t *testing.T) {
	x := fill(t, corpus(20)...)
	before := runtime.NumGoroutine()
	log := newLog(corpus(20)...)
	for range 5 {
		search(t, x, "gateway")
		update(t, x, log)
		if _, err := x.Rebuild(t.Context(), log); err != nil {
			t.Fatal(err)
		}
	}
	for end := time.Now().Add(time.Minute); runtime.NumGoroutine() > before; runtime.Gosched() {
		if time.Now().After(end) {
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
		}
	}
}
