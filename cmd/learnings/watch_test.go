package main

import (
	"bufio"
	"bytes"
	"context"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// A watching is a running `learnings extract --watch`.
type watching struct {
	cmd  *exec.Cmd
	mu   sync.Mutex
	out  bytes.Buffer
	done chan struct{}
}

// watch starts a watch and waits until it follows.
func (m liveMachine) watch(args ...string) *watching {
	m.t.Helper()
	w := &watching{cmd: m.command(context.Background(), append([]string{"watch", "--interval", "100ms"}, args...)...), done: make(chan struct{})}
	stdout, err := w.cmd.StdoutPipe()
	if err != nil {
		m.t.Fatal(err)
	}
	stderr, err := w.cmd.StderrPipe()
	if err != nil {
		m.t.Fatal(err)
	}
	if err := w.cmd.Start(); err != nil {
		m.t.Fatal(err)
	}
	m.t.Cleanup(func() { _ = w.cmd.Process.Kill(); _ = w.cmd.Wait() })
	says := bufio.NewScanner(stderr)
	for says.Scan() && !strings.Contains(says.Text(), "Ctrl+C ends") {
	}
	go func() {
		for says.Scan() {
		}
	}()
	go func() {
		defer close(w.done)
		for lines := bufio.NewScanner(stdout); lines.Scan(); {
			w.mu.Lock()
			w.out.WriteString(lines.Text() + "\n")
			w.mu.Unlock()
		}
	}()
	return w
}

func (w *watching) text() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.out.String()
}

// prints waits until the watch has printed a text.
func (m liveMachine) prints(w *watching, text string) {
	m.t.Helper()
	m.until("watch prints "+text, func() bool { return strings.Contains(w.text(), text) })
}

// TestWatch writes to transcripts while two watches run and hooks are called: a lesson is
// printed by both, is found by a search at once and proposed once, and an interrupt ends
// them cleanly.
func TestWatch(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("left out with -short: starts some processes")
	}
	m := newLiveMachine(t)
	first := m.session(1, lessonOf(1))
	one, two := m.watch("--json"), m.watch()
	m.until("what was there is proposed", func() bool { return len(m.all()) == 1 })

	// Minute 3, and minute 4.
	m.write(first, turnOf("0b51d8e2-aaaa-bbbb-cccc-000000000001", "assistant", "I did that."), turnOf("0b51d8e2-aaaa-bbbb-cccc-000000000001", "user", lessonOf(2)))
	m.prints(one, "cedar-2")
	m.prints(two, "cedar-2")
	if out := m.must("search", "cedar-2"); !strings.Contains(out, "pending") {
		t.Errorf("a search does not find it: %q", out)
	}
	if !strings.HasPrefix(one.text(), `{"id":"`) || strings.HasPrefix(two.text(), "{") {
		t.Errorf("printed\n%s\n%s", one.text(), two.text())
	}

	// A new session, which a hook reports too.
	for i := 3; i < 8; i++ {
		m.hook("session-end", payloadOf("SessionEnd", m.session(i, lessonOf(i))))
	}
	for i := 3; i < 8; i++ {
		name := strings.Fields(lessonOf(i))[4]
		m.prints(one, name)
		m.prints(two, name)
	}
	m.idle()
	for _, w := range []*watching{one, two} {
		if runtime.GOOS == "windows" {
			continue // Windows cannot interrupt one process; Cleanup ends it
		}
		if err := w.cmd.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		<-w.done
		if err := w.cmd.Wait(); err != nil {
			t.Errorf("ended with %v", err)
		}
		if n := strings.Count(w.text(), "\n"); n < 6 || n > 7 { // the first came before one of them looked, perhaps
			t.Errorf("printed %d lines\n%s", n, w.text())
		}
	}
	all := m.all()
	if len(all) != 7 {
		t.Errorf("%d lessons, want 7", len(all))
	}
	for id := range all {
		if h, err := m.open().History(id); err != nil || len(h) != 1 {
			t.Errorf("%s: %d changes, %v: it was proposed more than once", id, len(h), err)
		}
	}
}

// TestWatchEnds checks that a watch ends by itself.
func TestWatchEnds(t *testing.T) {
	m := newLiveMachine(t)
	path := m.session(1, lessonOf(1))
	out := m.must("watch", "--for", "1s", "--interval", "100ms", "--from", path)
	if strings.Count(out, "\n") != 1 || !strings.Contains(out, "birch-1") {
		t.Errorf("printed %q", out)
	}
	if out := m.must("watch", "--for", "200ms", "--interval", "100ms"); out != "" {
		t.Errorf("printed again %q", out)
	}
}
