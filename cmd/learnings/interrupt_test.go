//go:build !windows

package main

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestInterrupt interrupts a question and an extraction: the code is 130, and nothing is
// half done.
func TestInterrupt(t *testing.T) {
	m := newMachine(t)
	if code := interrupt(t, m, "Category", "in,err", "add"); code != exitInterrupted {
		t.Errorf("interrupted at a question: code %d", code)
	}
	if all := m.all(); len(all) != 0 {
		t.Errorf("an interrupted add left %d lessons", len(all))
	}
	sample := filepath.Join(m.home, "sample")
	if err := os.CopyFS(sample, os.DirFS("../internal/settings/sample")); err != nil {
		t.Fatal(err)
	}
	if code := interrupt(t, m, "[", "err", "extract", "--from", sample); code != exitInterrupted && code != exitOK {
		t.Errorf("interrupted while extracting: code %d", code)
	}
	before := len(m.all())
	m.must("extract", "--from", sample)
	if after := len(m.all()); after < before || after == 0 {
		t.Errorf("%d lessons, then %d", before, after)
	}
	if out := m.must("extract", "--from", sample); out != "" {
		t.Errorf("there was still something new:\n%s", out)
	}
}

// interrupt runs the program until it has written some text to standard error, interrupts
// it, and returns its exit code.
func interrupt(t *testing.T, m machine, text, tty string, args ...string) int {
	t.Helper()
	cmd := m.command(context.Background(), args...)
	cmd.Env = append(cmd.Env, "LEARNINGS_TEST_TTY="+tty)
	stdin, hold, err := os.Pipe() // a terminal without input
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	defer hold.Close()
	cmd.Stdin = stdin
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	r := bufio.NewReader(stderr)
	for seen := ""; !strings.Contains(seen, text); {
		b, err := r.ReadByte()
		if err != nil {
			t.Fatalf("%q was not written, only %q", text, seen)
		}
		seen += string(b)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, r)
	_ = cmd.Wait() // the code says it
	return cmd.ProcessState.ExitCode()
}

// TestPipeAsConfiguration replaces the configuration by a pipe without a writer: opening
// it would block for ever.
func TestPipeAsConfiguration(t *testing.T) { eachProgram(t, pipeAsConfiguration) }

func pipeAsConfiguration(t *testing.T, small bool) {
	m := newMachine(t)
	m.propose(1)
	conf := filepath.Join(m.home, "config", "learnings", "config.toml")
	if err := os.MkdirAll(filepath.Dir(conf), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(conf, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	hook := m.command(ctx, "hook", "session-start")
	if small {
		hook.Env = append(hook.Env, "LEARNINGS_TEST_RUN="+runSmall)
	}
	if out, err := hook.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("hook: %v\n%s", err, out)
	}
	logs, err := filepath.Glob(filepath.Join(m.home, "state", "learnings", "*", "hook.log"))
	if err != nil || len(logs) != 1 {
		t.Fatalf("logs %v, %v", logs, err)
	}
	if b, err := os.ReadFile(logs[0]); err != nil || !strings.Contains(string(b), "config.toml is not a regular file") {
		t.Errorf("the log does not say what is wrong: %v\n%s", err, b)
	}
	out, err := m.command(ctx, "stats", "projects").CombinedOutput()
	if err == nil || !strings.Contains(string(out), "config.toml is not a regular file") {
		t.Errorf("stats projects: %v\n%s", err, out)
	}
}

// TestTerminateWhileReading ends a verb by SIGTERM while it reads a file that never
// answers.
func TestTerminateWhileReading(t *testing.T) {
	m := newMachine(t)
	m.propose(1)
	m.must("search", "step")
	found, err := filepath.Glob(filepath.Join(m.home, "state", "learnings", "*", "index", "CURRENT"))
	if err != nil || len(found) != 1 {
		t.Fatalf("found %v, %v", found, err)
	}
	if err := errors.Join(os.Remove(found[0]), syscall.Mkfifo(found[0], 0o600)); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	cmd := m.command(ctx, "search", "step")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	w, err := os.OpenFile(found[0], os.O_WRONLY|syscall.O_NONBLOCK, 0)
	for errors.Is(err, syscall.ENXIO) && ctx.Err() == nil { // the verb has not opened it yet
		w, err = os.OpenFile(found[0], os.O_WRONLY|syscall.O_NONBLOCK, 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // the code says it
	if code := cmd.ProcessState.ExitCode(); code != exitInterrupted {
		t.Errorf("code %d, want %d", code, exitInterrupted)
	}
}
