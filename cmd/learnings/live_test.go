package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"learnings/cmd/internal/hook"
	"learnings/cmd/internal/process"
	"learnings/cmd/internal/settings"
	"learnings/extractor/live"
)

// The tests in this file run hooks, workers and watches as processes. A worker outlives
// the process that starts it: idle waits for its end.

// traceVariable names a file in which processes record when workers start and end.
const traceVariable = "LEARNINGS_TEST_TRACE"

// traced records the starts of workers and the end of a worker.
func traced(e env) (_ env, end func()) {
	path := e.getenv(traceVariable)
	note := func(word string) {
		if f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600); err == nil {
			fmt.Fprintln(f, word)
			f.Close()
		}
	}
	if path == "" {
		return e, func() {}
	}
	e.start = func(dir string, args ...string) error {
		note("start")
		err := process.StartAgain(append(os.Environ(), "LEARNINGS_TEST_RUN=1"), dir, args...) // either program
		if err != nil {
			note("end")
		}
		return err
	}
	if len(e.args) > 1 && e.args[0] == "hook" && e.args[1] == hook.Worker {
		return e, func() { note("end") }
	}
	return e, func() {}
}

// liveMachine is a machine on which hooks start workers.
type liveMachine struct {
	machine
	extra []string // environment
	small bool     // hooks are answered by learnings-hook
}

// eachProgram tests both programs that answer hooks.
func eachProgram(t *testing.T, test func(t *testing.T, small bool)) {
	t.Run("learnings", func(t *testing.T) { test(t, false) })
	t.Run("learnings-hook", func(t *testing.T) { test(t, true) })
}

func newLiveMachine(t testing.TB) liveMachine {
	m := liveMachine{machine: newMachine(t)}
	t.Cleanup(m.idle)
	return m
}

func (m liveMachine) trace() string { return filepath.Join(m.home, "trace") }
func (m liveMachine) state() string {
	return settings.StateOf(filepath.Join(m.home, "state", "learnings"), m.corpus())
}

func (m liveMachine) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := m.machine.command(ctx, args...)
	cmd.Env = append(append(cmd.Env, traceVariable+"="+m.trace()), m.extra...)
	return cmd
}

// idle waits until all workers have ended.
func (m liveMachine) idle() {
	m.t.Helper()
	m.until("all workers have ended", func() bool {
		text, err := os.ReadFile(m.trace())
		return errors.Is(err, fs.ErrNotExist) || err == nil && bytes.Count(text, []byte("start\n")) == bytes.Count(text, []byte("end\n"))
	})
}

// until waits for a condition.
func (m liveMachine) until(what string, ok func() bool) {
	m.t.Helper()
	look := time.NewTicker(5 * time.Millisecond) // other processes send no signal
	defer look.Stop()
	end := time.After(time.Minute)
	for !ok() {
		select {
		case <-look.C:
		case <-end:
			log, _ := os.ReadFile(filepath.Join(m.state(), "hook.log"))
			m.t.Fatalf("waited in vain: %s\n%s", what, log)
		}
	}
}

// session writes the transcript of a session that teaches something.
func (m liveMachine) session(i int, teaches string) (path string) {
	m.t.Helper()
	id := fmt.Sprintf("0b51d8e2-aaaa-bbbb-cccc-%012d", i)
	path = filepath.Join(m.home, "claude", "projects", "-src-shop", id+".jsonl")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		m.t.Fatal(err)
	}
	m.write(path, turnOf(id, "user", "Add a page."), turnOf(id, "assistant", strings.Repeat("I looked at the files of the project. ", 40)), turnOf(id, "user", teaches))
	return path
}

// write appends to a transcript.
func (m liveMachine) write(path string, lines ...string) {
	m.t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = f.WriteString(strings.Join(lines, "\n") + "\n")
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		m.t.Fatal(err)
	}
}

var turns atomic.Int64

// turnOf returns a line of a Claude Code transcript.
func turnOf(session, role, text string) string {
	n := int(turns.Add(1))
	message := map[string]any{"role": role, "content": text}
	if role == "assistant" {
		message = map[string]any{"id": fmt.Sprint("m", n), "type": "message", "role": role, "model": "claude", "content": []any{map[string]any{"type": "text", "text": text}}}
	}
	line, err := json.Marshal(map[string]any{
		"parentUuid": nil, "isSidechain": false, "userType": "external", "cwd": "/src/shop", "sessionId": session, "version": "2.1.185",
		"type": role, "message": message, "uuid": fmt.Sprint("u", n), "timestamp": time.Date(2026, 11, 1, 0, 0, n, 0, time.UTC),
	})
	if err != nil {
		panic(err)
	}
	return string(line)
}

// payloadOf returns a hook payload of Claude Code.
func payloadOf(event, path string) string {
	b, err := json.Marshal(map[string]any{
		"session_id": strings.TrimSuffix(filepath.Base(path), ".jsonl"), "transcript_path": path, "cwd": "/src/shop", "hook_event_name": event,
	})
	if err != nil {
		panic(err)
	}
	return string(b)
}

// hook calls a hook, which must always be silent and succeed.
func (m liveMachine) hook(event, payload string) {
	cmd := m.command(context.Background(), "hook", event)
	if m.small {
		cmd.Env = append(cmd.Env, "LEARNINGS_TEST_RUN="+runSmall)
	}
	var out bytes.Buffer
	stdin, err := written(payload)
	if err != nil {
		m.t.Fatal(err)
	}
	defer stdin.Close()
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, &out, &out
	if err := cmd.Run(); err != nil || out.Len() > 0 {
		m.t.Errorf("hook %s: %v\n%s", event, err, out.String())
	}
}

// written returns a closed pipe with a short text in it, so that a hook gets it all even
// on a busy machine.
func written(text string) (*os.File, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	_, err = w.WriteString(text)
	return r, errors.Join(err, w.Close())
}

// worked counts the sessions in the log that workers have handled.
func (m liveMachine) worked() (sessions int) {
	log, err := os.ReadFile(filepath.Join(m.state(), "hook.log"))
	if err != nil {
		m.t.Fatal(err)
	}
	for _, match := range regexp.MustCompile(`event=worker sessions=(\d+)`).FindAllSubmatch(log, -1) {
		n, _ := strconv.Atoi(string(match[1]))
		sessions += n
	}
	return sessions
}

func lessonOf(i int) string {
	words := []string{"alder", "birch", "cedar", "dogwood", "elm", "fir", "ginkgo", "hazel", "ironwood", "juniper",
		"katsura", "larch", "maple", "nutmeg", "oak", "pine", "quince", "rowan", "spruce", "teak"}
	return fmt.Sprintf("No, always call the %s-%d tool in this repository, never the old %s script.", words[i%20], i, words[(i+7)%20])
}

// TestHooksAtOnce ends twenty sessions at once: hooks are silent, every session is
// handled once, by one worker at a time, and no process is left.
func TestHooksAtOnce(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("left out with -short: starts some dozen processes")
	}
	eachProgram(t, hooksAtOnce)
}

func hooksAtOnce(t *testing.T, small bool) {
	m := newLiveMachine(t)
	m.small = small
	const n = 20
	paths := make([]string, n)
	for i := range paths {
		paths[i] = m.session(i, lessonOf(i))
	}
	for range 2 { // the second time there is nothing new
		var wg sync.WaitGroup
		for _, path := range paths {
			wg.Go(func() { m.hook("session-end", payloadOf("SessionEnd", path)) })
		}
		wg.Wait()
		m.idle()
	}
	if got := m.worked(); got != n {
		t.Errorf("%d sessions were read, want %d: some twice or not at all", got, n)
	}
	all := m.all()
	if len(all) != n {
		t.Errorf("%d lessons, want %d", len(all), n)
	}
	for id := range all {
		if h, err := m.open().History(id); err != nil || len(h) != 1 {
			t.Errorf("%s: %d changes, %v", id, len(h), err)
		}
	}
	if (live.Spool{State: m.state()}).Waiting() || live.Running(m.state()) {
		t.Error("something is left to do, or somebody does it")
	}
	m.until("no process is left", func() bool { return len(processesOf(t, m.home)) == 0 })
	if out := m.must("search", "alder-0"); !strings.Contains(out, "pending") {
		t.Errorf("the index does not know it: %q", out)
	}
}

// processesOf finds processes that work in a home, if the system lists them.
func processesOf(t *testing.T, home string) (out []string) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		t.Log("this system does not list processes as files; that none is left is not checked here")
		return nil
	}
	for _, e := range entries {
		args, err := os.ReadFile(filepath.Join("/proc", e.Name(), "cmdline"))
		if err == nil && bytes.Contains(args, []byte(home)) {
			out = append(out, e.Name()+" "+string(bytes.ReplaceAll(args, []byte{0}, []byte{' '})))
		}
	}
	return out
}

// TestWorkerIsReaped starts a worker from a long-lived process, which must reap it.
func TestWorkerIsReaped(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux has /proc, where the processes are looked at")
	}
	m := newLiveMachine(t)
	t.Setenv("LEARNINGS_TEST_RUN", "1")
	t.Setenv(traceVariable, m.trace())
	for _, v := range m.command(context.Background()).Env {
		name, value, _ := strings.Cut(v, "=")
		t.Setenv(name, value)
	}
	e, _ := traced(env{getenv: os.Getenv, start: startAgain, home: m.home, cwd: m.home})
	a := newApp(e, nil)
	if err := a.wake(); err != nil {
		t.Fatal(err)
	}
	m.idle()
	m.until("no child is left", func() bool { return len(childrenNamed(t, m.corpus())) == 0 })
}

// childrenNamed finds children of this process that work on a corpus, and zombies.
func childrenNamed(t *testing.T, corpus string) (out []string) {
	t.Helper()
	tasks, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", os.Getpid()))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range tasks {
		text, _ := os.ReadFile(file)
		for pid := range strings.FieldsSeq(string(text)) {
			args, _ := os.ReadFile("/proc/" + pid + "/cmdline")
			if len(args) == 0 || bytes.Contains(args, []byte(corpus)) {
				out = append(out, pid)
			}
		}
	}
	return out
}

// TestKillWorker kills workers at random times, less often than makes a notice be set
// aside. No notice is lost.
func TestKillWorker(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("left out with -short: starts some dozen processes")
	}
	m := newLiveMachine(t)
	const n = 8
	for i := range n {
		path := m.session(i, lessonOf(i))
		if err := (live.Spool{State: m.state()}).Append(live.Notice{Event: live.SessionEnd, Path: path}); err != nil {
			t.Fatal(err)
		}
		if i%2 == 1 {
			m.kill(time.Duration(40+i*60)*time.Millisecond, "hook", hook.Worker)
		}
	}
	m.must("hook", hook.Worker)
	if all := m.all(); len(all) != n {
		t.Errorf("%d lessons, want %d", len(all), n)
	}
	if (live.Spool{State: m.state()}).Waiting() {
		t.Error("the spool is not empty")
	}
}

// TestSweep ends sessions without a hook. The next worker finds them, but not old ones.
func TestSweep(t *testing.T) {
	m := newLiveMachine(t)
	missed, old := m.session(1, lessonOf(1)), m.session(2, lessonOf(2))
	for path, ago := range map[string]time.Duration{missed: time.Hour, old: 30 * 24 * time.Hour} {
		at := time.Now().Add(-ago)
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	m.must("hook", hook.Worker)
	var got []string
	for _, l := range m.all() {
		got = append(got, l.Content)
	}
	if len(got) != 1 || !strings.Contains(got[0], "birch-1") {
		t.Errorf("got %q", got)
	}
}
