package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/vt"
	"golang.org/x/sys/unix"

	"learnings/lessons"
)

// A window runs the program on its own terminal, which the test plays.
type window struct {
	t       testing.TB
	m       machine
	cmd     *exec.Cmd
	pty     *os.File
	fd      int // of pty; calling Fd again would make it blocking
	em      *vt.Emulator
	answers bool // what it is asked, as terminals do

	mu    sync.Mutex
	news  *sync.Cond
	raw   []byte // all output
	ended bool
}

const (
	enterScreen = "\x1b[?1049h"
	leaveScreen = "\x1b[?1049l"
	windowBound = time.Minute // for what never comes
)

// quietMachine returns a machine with proposals and an index, which starts no worker.
func quietMachine(t *testing.T, proposals int, settings string) machine {
	m := newMachine(t)
	m.quiet(t, proposals, settings)
	return m
}

func (m machine) quiet(t testing.TB, proposals int, settings string) {
	m.propose(proposals)
	m.must("stats")
	config := filepath.Join(m.home, "config", "learnings")
	if err := os.MkdirAll(config, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(config, "config.toml"), []byte("learning.enabled = false\n"+settings), 0o600); err != nil {
		t.Fatal(err)
	}
}

// openWindow starts the program on a terminal; how changes what is started.
func openWindow(t testing.TB, m machine, how ...func(*window)) *window {
	t.Helper()
	pty, tty, err := openTerminal()
	if err != nil {
		t.Fatal(err)
	}
	defer tty.Close()
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	w := &window{t: t, m: m, pty: pty, cmd: m.command(ctx), em: vt.NewEmulator(100, 30), answers: true}
	w.news = sync.NewCond(&w.mu)
	w.fd = int(pty.Fd())
	if err := unix.SetNonblock(w.fd, true); err != nil { // or Close would wait for the reader
		t.Fatal(err)
	}
	w.cmd.Env = append(w.cmd.Env, "TERM=xterm-256color", "COLORTERM=truecolor")
	w.cmd.Stdin, w.cmd.Stdout, w.cmd.Stderr = tty, tty, tty
	w.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	for _, f := range how {
		f(w)
	}
	if err := w.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cancel(); pty.Close() })
	go func() {
		buf := make([]byte, 4096)
		for {
			n, err := w.em.Read(buf)
			if n > 0 && w.answers {
				_, _ = pty.Write(buf[:n])
			}
			if err != nil {
				return
			}
		}
	}()
	go w.follow()
	return w
}

// follow reads the output until the program ends.
func (w *window) follow() {
	buf := make([]byte, 64<<10)
	for {
		n, err := w.pty.Read(buf)
		w.mu.Lock()
		w.raw = append(w.raw, buf[:n]...)
		_, _ = w.em.Write(buf[:n])
		w.ended = w.ended || err != nil
		w.news.Broadcast()
		w.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// until waits until ok accepts the screen and the output so far.
func (w *window) until(what string, ok func(screen, raw string) bool) {
	w.t.Helper()
	late := false
	t := time.AfterFunc(windowBound, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		late = true
		w.news.Broadcast()
	})
	defer t.Stop()
	w.mu.Lock()
	defer w.mu.Unlock()
	for !ok(w.em.String(), string(w.raw)) {
		if late || w.ended {
			w.t.Fatalf("the desk does not show %s (it has ended: %v):\n%s\n%q", what, w.ended, w.em.String(), w.raw[max(len(w.raw)-2000, 0):])
		}
		w.news.Wait()
	}
}

// wait waits for texts on the screen.
func (w *window) wait(want ...string) {
	w.t.Helper()
	w.until(fmt.Sprintf("%q", want), func(screen, _ string) bool {
		return !slices.ContainsFunc(want, func(s string) bool { return !strings.Contains(screen, s) })
	})
}

func (w *window) keys(text string) {
	w.t.Helper()
	if _, err := w.pty.WriteString(text); err != nil {
		w.t.Fatal(err)
	}
}

// drawn returns the length of the output so far.
func (w *window) drawn() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.raw)
}

// since waits for a text after a position of the output.
func (w *window) since(from int, want string) {
	w.t.Helper()
	w.until(fmt.Sprintf("%q again", want), func(_, raw string) bool { return strings.Contains(raw[from:], want) })
}

// end waits for the program to end and returns its exit code.
func (w *window) end() int {
	w.t.Helper()
	done := make(chan struct{})
	go func() { _ = w.cmd.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(windowBound):
		_ = w.cmd.Process.Kill()
		<-done
		w.mu.Lock()
		defer w.mu.Unlock()
		w.t.Fatalf("it did not end:\n%s", w.em.String())
	}
	return w.cmd.ProcessState.ExitCode()
}

// all returns the whole output of a program that has ended.
func (w *window) all() string {
	w.t.Helper()
	late := time.AfterFunc(windowBound, func() { w.t.Error("the terminal has no end"); w.pty.Close() })
	defer late.Stop()
	w.mu.Lock()
	defer w.mu.Unlock()
	for !w.ended {
		w.news.Wait()
	}
	return string(w.raw)
}

// cooked reports whether the terminal is in a shell's mode.
func (w *window) cooked() bool {
	mode, err := unix.IoctlGetTermios(w.fd, unix.TCGETS)
	return err == nil && mode.Lflag&unix.ICANON != 0 && mode.Lflag&unix.ECHO != 0
}

func (w *window) resize(width, height int) {
	_ = unix.IoctlSetWinsize(w.fd, unix.TIOCSWINSZ, &unix.Winsize{Row: uint16(height), Col: uint16(width)})
}

// approved counts approved lessons on disk.
func (m machine) approved() (n int) {
	m.t.Helper()
	for _, l := range m.all() {
		if l.Status == lessons.Approved {
			n++
		}
	}
	return n
}

// inShell starts the program as a shell's job. The shell prints when it stops and resumes
// it at the next line typed.
func inShell(w *window) {
	script := `set -m; "` + w.cmd.Path + `"; echo "code=$?"; while read line; do fg >/dev/null; echo "code=$?"; done`
	w.cmd.Path, w.cmd.Args = "/bin/sh", []string{"sh", "-c", script}
}

// Ctrl+z stops the desk and restores the terminal. The desk resumes as it was, redrawn in
// the current window size.
func TestDeskStops(t *testing.T) {
	t.Parallel()
	m := quietMachine(t, 3, "")
	w := openWindow(t, m, inShell)
	w.wait("Lesson number", "idle")
	for range 2 {
		w.keys("j")
		from := w.drawn()
		w.keys("\x1a")
		w.since(from, leaveScreen)
		w.since(from, "code=1") // 148 in most shells
		if !w.cooked() {
			t.Error("the terminal is not as the shell wants it")
		}
		w.resize(90, 24)
		from = w.drawn()
		w.keys("\n")
		w.since(from, enterScreen)
		w.since(from, "Lesson number")
		w.until("the whole page", func(screen, _ string) bool {
			return strings.Contains(screen, "1 Review") && strings.Contains(screen, "? keys")
		})
	}
	w.keys("a")
	w.wait("✓ approved")
	w.keys("q")
	w.since(0, "code=0")
	w.keys("\x04")
	w.end()
	if n := m.approved(); n != 1 {
		t.Errorf("%d are approved", n)
	}
}

// A desk that no shell could resume does not stop.
func TestDeskGoesOn(t *testing.T) {
	t.Parallel()
	m := quietMachine(t, 3, "")
	w := openWindow(t, m)
	w.wait("Lesson number", "idle")
	w.keys("\x1a")
	w.wait("no shell has started the desk")
	w.keys("a")
	w.wait("✓ approved")
	w.keys("q")
	if code := w.end(); code != 0 || !w.cooked() {
		t.Errorf("code %d", code)
	}
}

// Terminals that do not answer, or answer late, wrongly, or while somebody types, neither
// delay the desk nor produce keys.
func TestDeskOnOddTerminals(t *testing.T) {
	t.Parallel()
	t.Run("silent", func(t *testing.T) {
		t.Parallel()
		w := openWindow(t, quietMachine(t, 3, ""), func(w *window) { w.answers = false })
		w.wait("Lesson number", "? keys")
		w.keys("q")
		if code := w.end(); code != 0 {
			t.Errorf("code %d", code)
		}
	})
	t.Run("rubbish", func(t *testing.T) {
		t.Parallel()
		w := openWindow(t, quietMachine(t, 3, ""), func(w *window) { w.answers = false })
		w.wait("Lesson number", "idle")
		w.keys("/")
		w.wait("enter keep the filter")
		for _, answer := range []string{
			"\x1b]11;rgb:ffff/ffff/ffff\x1b\\", "\x1b]11;rgb:0000/0000/0000\a", "\x1b]10;nonsense\x1b\\", "\x1b[?62;1;6;22c", "\x1b[>41;354;0c", "\x1b[?1u",
			"\x1b[?2026;2$y", "\x1b[?9999;0$y", "\x1bP>|XTerm(354)\x1b\\", "\x1bP1+r544e=787465726d\x1b\\", "\x1b[12;40R", "\x1b_Gi=1;OK\x1b\\", "\x1b[I", "\x1b[O", "\x1b[8;30;100t",
		} {
			w.keys(answer[:1])
			w.keys(answer[1:])
			w.keys("n") // typed in between
		}
		w.wait("/ nnnnnnnnnnnnnnn")
		w.keys("\x1b]11;rgb:ffff/") // in pieces, and late
		w.keys("ffff/ffff\x1b\\x\x1b[?62")
		w.keys(";22cy")
		w.wait("/ nnnnnnnnnnnnnnnxy")
		w.keys("\x1b")
		w.wait("? keys")
		w.keys("q")
		if code := w.end(); code != 0 {
			t.Errorf("code %d", code)
		}
	})
	t.Run("lies", func(t *testing.T) {
		t.Parallel()
		w := openWindow(t, quietMachine(t, 3, ""))
		w.wait("Lesson number", "idle")
		from := w.drawn()
		w.resize(10000, 10000)
		w.since(from, "Lesson number")
		if mb := memoryOf(t, w.cmd.Process.Pid, "VmHWM"); mb > 4096 { // with the race detector; 300 MB without
			t.Errorf("it holds %.0f MB", mb)
		}
		for _, s := range [][2]int{{0, 0}, {1, 1}, {10000, 10000}, {65535, 1}, {1, 65535}, {59, 15}} {
			w.resize(s[0], s[1])
			w.keys("j")
		}
		for i := range 200 {
			w.resize(60+i%60, 16+i%20)
		}
		from = w.drawn()
		w.resize(100, 30)
		w.since(from, "Lesson number")
		w.keys("a")
		w.since(from, "approved")
		w.keys("q")
		if code := w.end(); code != 0 {
			t.Errorf("code %d", code)
		}
	})
	t.Run("lies at the start", func(t *testing.T) {
		t.Parallel()
		w := openWindow(t, quietMachine(t, 3, ""), func(w *window) { w.resize(10000, 10000) })
		if code := w.end(); code != exitError || !strings.Contains(w.all(), "stty cols 120 rows 40") {
			t.Errorf("code %d: %q", code, w.all())
		}
	})
	t.Run("no colour", func(t *testing.T) {
		t.Parallel()
		w := openWindow(t, quietMachine(t, 3, ""), func(w *window) { w.cmd.Env = append(w.cmd.Env, "NO_COLOR=1") })
		w.wait("Lesson number", "idle")
		w.keys("q")
		if w.end(); strings.Contains(w.all(), "\x1b[38;") || strings.Contains(w.all(), "\x1b[48;") {
			t.Error("there is colour")
		}
	})
	t.Run("dumb", func(t *testing.T) {
		t.Parallel()
		w := openWindow(t, quietMachine(t, 3, ""), func(w *window) { w.cmd.Env = append(w.cmd.Env, "TERM=dumb") })
		if code := w.end(); code != exitUsage || !strings.Contains(w.all(), "learnings review --plain") || strings.Contains(w.all(), "\x1b") {
			t.Errorf("code %d: %q", code, w.all())
		}
	})
	t.Run("pipe", func(t *testing.T) {
		t.Parallel()
		for name, pipe := range map[string]func(*exec.Cmd, *os.File){"in": func(c *exec.Cmd, f *os.File) { c.Stdin, c.SysProcAttr.Setctty = f, false }, "out": func(c *exec.Cmd, f *os.File) { c.Stdout = f }} {
			f, err := os.Open(os.DevNull)
			if err != nil {
				t.Fatal(err)
			}
			w := openWindow(t, quietMachine(t, 3, ""), func(w *window) { pipe(w.cmd, f) })
			if code := w.end(); code != exitUsage || !strings.Contains(w.all(), "learnings review --plain") {
				t.Errorf("%s: code %d: %q", name, code, w.all())
			}
			f.Close()
		}
	})
}

// After a run its sessions are no longer new and show their number of lessons, in the
// same desk.
func TestDeskKnowsWhatItHasRead(t *testing.T) {
	t.Parallel()
	m := quietMachine(t, 1, "")
	of := filepath.Join("..", "internal", "settings", "sample", "claude-code")
	if err := os.CopyFS(filepath.Join(m.home, "claude", "projects"), os.DirFS(of)); err != nil {
		t.Fatal(err)
	}
	w := openWindow(t, m)
	w.wait("Lesson number", "3 Sessions 3 ●3 new", "idle")
	w.keys("X")
	w.wait("3 files read; what was found waits in Review", "idle")
	w.keys("\x1b3")
	w.wait("3 Sessions 3   4 Insights", "6     3     1   0.0       4") // turns, corrections, errors, reads to edits, lessons
	w.keys("q")
	if code := w.end(); code != 0 {
		t.Errorf("code %d: %q", code, w.all())
	}
}

// Closing the window ends the desk, and keeps decisions.
func TestDeskWindowCloses(t *testing.T) {
	t.Parallel()
	m := quietMachine(t, 3, "")
	w := openWindow(t, m, func(w *window) {
		w.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // no hangup comes: reading fails
	})
	w.wait("Lesson number", "idle")
	w.keys("a")
	w.wait("✓ approved")
	w.pty.Close()
	w.end()
	if n := m.approved(); n != 1 {
		t.Errorf("%d are approved", n)
	}
}

// Signals in the middle of a batch end the desk, keep decisions and restore the terminal.
func TestDeskEndsInABatch(t *testing.T) {
	t.Parallel()
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP} {
		t.Run(sig.String(), func(t *testing.T) {
			if signal.Ignored(sig) {
				t.Skip("the tests run under nohup, so the desk ignores this signal too")
			}
			t.Parallel()
			m := quietMachine(t, 60, "")
			w := openWindow(t, m)
			w.wait("Lesson number", "idle")
			w.keys("nnnnn*")
			w.wait("● 60")
			w.keys("a")
			w.wait("approve 60")
			w.keys("y")
			w.until("that it is decided", func(screen, _ string) bool { return !strings.Contains(screen, "approve 60") })
			_ = w.cmd.Process.Signal(sig)
			if code := w.end(); code != exitInterrupted {
				t.Errorf("code %d", code)
			}
			if n := m.approved(); n != 60 {
				t.Errorf("%d of 60 are approved", n)
			}
			if !w.cooked() || !strings.Contains(w.all(), leaveScreen) {
				t.Error("the terminal is not as it was")
			}
		})
	}
}
