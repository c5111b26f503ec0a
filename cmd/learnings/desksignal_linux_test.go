package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestDeskSignals ends the desk by signals, as a closed window or a shutdown does: it
// ends at once, restores the terminal, and exits as interrupted.
func TestDeskSignals(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	m.propose(3)
	m.must("stats") // so that there is an index
	// Otherwise each desk would start a worker, which outlives it.
	config := filepath.Join(m.home, "config", "learnings")
	if err := os.MkdirAll(config, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(config, "config.toml"), []byte("learning.enabled = false\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	const times, atOnce = 20, 4
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP} {
		t.Run(sig.String(), func(t *testing.T) {
			if signal.Ignored(sig) {
				t.Skipf("this process ignores %s, as one does that nohup began, and so does what it starts", sig)
			}
			var wg sync.WaitGroup
			turns := make(chan struct{}, atOnce)
			for range times {
				wg.Go(func() {
					turns <- struct{}{}
					defer func() { <-turns }()
					if err := signalDesk(m, sig); err != nil {
						t.Error(err)
					}
				})
			}
			wg.Wait()
		})
	}
}

// signalDesk opens the desk on its own terminal and signals it once the queue is drawn.
func signalDesk(m machine, sig syscall.Signal) error {
	const (
		drawn = "Lesson number"
		left  = "\x1b[?1049l" // the normal screen is back
		bound = 20 * time.Second
	)
	ctx, cancel := context.WithTimeout(context.Background(), bound)
	defer cancel()
	desk, tty, err := openTerminal()
	if err != nil {
		return err
	}
	defer desk.Close()
	cmd := m.command(ctx)
	cmd.Env = append(cmd.Env, "TERM=xterm-256color")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = tty, tty, tty
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	err = cmd.Start()
	tty.Close()
	if err != nil {
		return err
	}
	var seen bytes.Buffer
	sent := false
	for buf := make([]byte, 4096); ; {
		n, err := desk.Read(buf)
		seen.Write(buf[:n])
		if !sent && bytes.Contains(seen.Bytes(), []byte(drawn)) {
			sent = true
			if err := cmd.Process.Signal(sig); err != nil {
				return err
			}
		}
		if err != nil { // the last one has closed the terminal
			break
		}
	}
	_ = cmd.Wait() // the code says it
	switch code := cmd.ProcessState.ExitCode(); {
	case !sent:
		return fmt.Errorf("it drew no lesson:\n%q", seen.String())
	case ctx.Err() != nil:
		return fmt.Errorf("it did not end within %v", bound)
	case code != exitInterrupted:
		return fmt.Errorf("code %d, want %d", code, exitInterrupted)
	case !bytes.Contains(seen.Bytes(), []byte(left)):
		return fmt.Errorf("it did not give the terminal back")
	}
	return nil
}

// openTerminal returns both ends of a new terminal of 100 columns.
func openTerminal() (desk, tty *os.File, err error) {
	if desk, err = os.OpenFile("/dev/ptmx", os.O_RDWR, 0); err != nil {
		return nil, nil, err
	}
	fd := int(desk.Fd())
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0)
	}
	if err == nil {
		err = unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 30, Col: 100})
	}
	if err == nil {
		tty, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	}
	if err != nil {
		desk.Close()
		return nil, nil, err
	}
	return desk, tty, nil
}
