//go:build !windows

package main

import (
	"bufio"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestInterrupt interrupts a question and an extraction: the code is 130, and
// nothing is half done.
func TestInterrupt(t *testing.T) {
	m := newMachine(t)
	if code := interrupt(t, m, "Category", "in,err", "add"); code != exitInterrupted {
		t.Errorf("interrupted at a question: code %d", code)
	}
	if all := m.all(); len(all) != 0 {
		t.Errorf("an interrupted add left %d lessons", len(all))
	}
	sample := filepath.Join(m.home, "sample")
	if err := os.CopyFS(sample, os.DirFS("../internal/sample/files")); err != nil {
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

// interrupt runs the program until it has written some text to standard error,
// interrupts it, and gives its exit code.
func interrupt(t *testing.T, m machine, text, tty string, args ...string) int {
	t.Helper()
	cmd := m.command(context.Background(), args...)
	cmd.Env = append(cmd.Env, "LEARNINGS_TEST_TTY="+tty)
	stdin, hold, err := os.Pipe() // a terminal at which nobody types
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
