//go:build !windows

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"learnings/cmd/internal/hook"
	"learnings/cmd/internal/settings"
	"learnings/extractor/live"
	"learnings/index"
	"learnings/lessons"
	"learnings/lessons/store"
)

// With LEARNINGS_TEST_RUN the test binary is learnings-hook. cmd/learnings tests what
// both programs do; these tests cover the rest.
func TestMain(m *testing.M) {
	system := os.Getenv("LEARNINGS_TEST_SYSTEM") // the home folder that the system knows
	settings.SystemHome = func() string { return system }
	if os.Getenv("LEARNINGS_TEST_RUN") != "" {
		main()
	}
	os.Exit(m.Run())
}

// A home is a home folder with a corpus of one approved lesson.
type home struct {
	t   *testing.T
	dir string
	bin string // of the program
}

func newHome(t *testing.T) home {
	t.Helper()
	h := home{t: t, dir: t.TempDir()}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	h.bin = h.copy(self, "bin/learnings-hook")
	s, err := store.Open(h.path("corpus"), store.Options{State: h.state()})
	if err != nil {
		t.Fatal(err)
	}
	l := lessons.Lesson{
		ID: "aaaa", Status: lessons.Approved, Category: "workflow", Wording: lessons.Wording{Content: "Run make generate"},
		Scope: lessons.Scope{Project: "shop", Role: "developer"}, Confidence: 0.9, Created: time.Now(),
	}
	if _, err := s.Put(store.Write{Op: "add", By: "sam"}, l); err != nil {
		t.Fatal(err)
	}
	if _, err := index.At(filepath.Join(h.state(), "index")).Sync(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	return h
}

func (h home) path(name string) string { return filepath.Join(h.dir, name) }

// state returns the state folder of the corpus.
func (h home) state() string {
	return settings.StateOf(filepath.Join(h.path("state"), "learnings"), h.path("corpus"))
}

// command returns a call of the program with a PATH.
func (h home) command(path string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(h.t.Context(), h.bin, args...)
	cmd.Dir = h.dir
	cmd.Env = []string{
		"LEARNINGS_TEST_RUN=1", "HOME=" + h.dir, "LEARNINGS_DIR=" + h.path("corpus"), "XDG_STATE_HOME=" + h.path("state"),
		"XDG_CONFIG_HOME=" + h.path("config"), "TMPDIR=" + os.TempDir(), "PATH=" + path,
	}
	return cmd
}

// call runs the program, which must exit 0 within the time limit of a hook.
func (h home) call(path, stdin string, args ...string) string {
	h.t.Helper()
	cmd := h.command(path, args...)
	cmd.Stdin = strings.NewReader(stdin)
	out, err := cmd.CombinedOutput()
	if err != nil {
		h.t.Errorf("%v: %v\n%s", args, err, out)
	}
	return string(out)
}

// log returns the log of hooks.
func (h home) log() string {
	text, err := os.ReadFile(filepath.Join(h.state(), "hook.log"))
	if err != nil {
		h.t.Fatal(err)
	}
	return string(text)
}

// copy copies a program into the home.
func (h home) copy(from, name string) string {
	h.t.Helper()
	text, err := os.ReadFile(from)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(h.path(name)), 0o700)
	}
	if err == nil {
		err = os.WriteFile(h.path(name), text, 0o700)
	}
	if err != nil {
		h.t.Fatal(err)
	}
	return h.path(name)
}

const beginning = `{"session_id":"s1","cwd":"/src/shop","hook_event_name":"SessionStart"}`

func TestSessionStart(t *testing.T) {
	h := newHome(t)
	for i, args := range [][]string{{"hook", "session-start"}, {"session-start"}, {"session-start", "--later", "flags"}} {
		if out := h.call("", strings.Replace(beginning, "s1", fmt.Sprint("s1-", i), 1), args...); !strings.Contains(out, "Run make generate") {
			t.Errorf("%v: %q", args, out)
		}
	}
	if out := h.call("", beginning, "nonsense"); out != "" || !strings.Contains(h.log(), "no such event") {
		t.Errorf("nonsense: %q\n%s", out, h.log())
	}
	if out := h.call("", ""); !strings.Contains(out, "settings.json") {
		t.Errorf("help: %q", out)
	}
}

// TestWorker checks where learnings is found: beside the program or in the PATH. Without
// it the session is noted all the same.
func TestWorker(t *testing.T) {
	h := newHome(t)
	end := `{"session_id":"s1","cwd":"/src/shop","hook_event_name":"SessionEnd"}`
	if out := h.call("", end, "session-end"); out != "" {
		t.Errorf("printed %q", out)
	}
	if log := h.log(); !strings.Contains(log, "error=") || !strings.Contains(log, hook.ErrAlone.Error()) {
		t.Errorf("the log does not say what is missing:\n%s", log)
	}
	if !(live.Spool{State: h.state()}).Waiting() {
		t.Error("the session is not noted")
	}
	if out := h.call("", "", "worker"); !strings.Contains(out, hook.ErrAlone.Error()) {
		t.Errorf("worker: %q", out)
	}
	for _, place := range []string{"elsewhere", "bin"} { // the one beside it is preferred
		script := "#!/bin/sh\necho $0 $@ > " + h.path(place+".tmp") + "\nmv " + h.path(place+".tmp") + " " + h.path(place+".ran") + "\n"
		if err := errors.Join(os.MkdirAll(h.path(place), 0o700), os.WriteFile(h.path(place+"/learnings"), []byte(script), 0o700)); err != nil {
			t.Fatal(err)
		}
		h.call(h.path("elsewhere")+":/bin:/usr/bin", end, "session-end")
		if got, want := h.wait(place+".ran"), h.path(place+"/learnings")+" hook worker --dir "+h.path("corpus"); strings.TrimSpace(got) != want {
			t.Errorf("ran %q, want %q", got, want)
		}
	}
}

// wait returns the text of a file that another process writes.
func (h home) wait(name string) string {
	h.t.Helper()
	look := time.NewTicker(5 * time.Millisecond)
	defer look.Stop()
	end := time.After(time.Minute)
	for {
		if text, err := os.ReadFile(h.path(name)); err == nil {
			return string(text)
		}
		select {
		case <-look.C:
		case <-end:
			h.t.Fatalf("no %s:\n%s", name, h.log())
		}
	}
}

// TestBroken truncates the index and replaces files by pipes without a writer: the
// program exits 0 in time.
func TestBroken(t *testing.T) {
	for name, spoil := range map[string]func(home) error{
		"cut index": func(h home) error {
			files, err := filepath.Glob(filepath.Join(h.state(), "index", "g*", "store", "*"))
			if len(files) < 2 {
				t.Fatalf("files of the index: %v", files)
			}
			for _, f := range files {
				info, serr := os.Stat(f)
				if serr != nil {
					return serr
				}
				err = errors.Join(err, os.Truncate(f, info.Size()/2))
			}
			return err
		},
		"pipe as index": func(h home) error {
			f := filepath.Join(h.state(), "index", "CURRENT")
			return errors.Join(os.Remove(f), syscall.Mkfifo(f, 0o600))
		},
		"pipe as configuration": func(h home) error {
			return errors.Join(os.MkdirAll(h.path("config/learnings"), 0o700), syscall.Mkfifo(h.path("config/learnings/config.toml"), 0o600))
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHome(t)
			if err := spoil(h); err != nil {
				t.Fatal(err)
			}
			begin := time.Now()
			h.call("", beginning, "session-start")
			if took := time.Since(begin); took > 10*time.Second { // 1.7 s on an idle machine
				t.Errorf("it took %v", took)
			}
		})
	}
}

// TestTerminate ends a hook that waits for the agent.
func TestTerminate(t *testing.T) {
	h := newHome(t)
	cmd := h.command("", "session-start")
	var out bytes.Buffer
	cmd.Stdout = &out
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // killed by a signal, or timed out
	if out.Len() > 0 {
		t.Errorf("printed %q", out.String())
	}
}

func TestStatus(t *testing.T) {
	h := newHome(t)
	if out := h.call("", "", "status", "--short"); out != "0 proposals · 1 lesson\n" {
		t.Errorf("got %q", out)
	}
	if err := errors.Join(os.RemoveAll(filepath.Join(h.state(), "index")), os.WriteFile(filepath.Join(h.state(), "pauses.json"), []byte("x"), 0o600)); err != nil {
		t.Fatal(err)
	}
	var exit *exec.ExitError
	if out, err := h.command("", "status").CombinedOutput(); !errors.As(err, &exit) || !strings.Contains(string(out), "when learning was paused") {
		t.Errorf("%v: %s", err, out)
	}
}
