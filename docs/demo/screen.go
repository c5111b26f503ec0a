package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/charmbracelet/x/vt"
)

// A screen is the program on an emulated terminal.
type screen struct {
	cmd *exec.Cmd
	pty *os.File

	mu    sync.Mutex
	em    *vt.Emulator
	since []byte    // what was written since the last frame
	last  time.Time // when something was
}

// start runs the program on its sample, with a home of its own.
func start(program, dir string, w, h int) (*screen, error) {
	pty, tty, err := openTerminal(w, h)
	if err != nil {
		return nil, fmt.Errorf("making a terminal: %w", err)
	}
	defer tty.Close()
	home, tmp := filepath.Join(dir, "home"), filepath.Join(dir, "tmp")
	for _, d := range []string{home, tmp} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			return nil, err
		}
	}
	program, err = filepath.Abs(program)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(program, "--sample")
	cmd.Dir = home
	cmd.Env = []string{"HOME=" + home, "TMPDIR=" + tmp, "PATH=/usr/bin:/bin", "USER=sam", "TERM=xterm-256color", "COLORTERM=truecolor", "LANG=C.UTF-8", "TZ=UTC"}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = tty, tty, tty
	cmd.SysProcAttr = ownTerminal()
	s := &screen{cmd: cmd, pty: pty, em: vt.NewEmulator(w, h), last: time.Now()}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	go func() { _, _ = io.Copy(pty, s.em) }() // what a terminal answers when it is asked
	go s.follow()
	return s, nil
}

func (s *screen) follow() {
	b := make([]byte, 64<<10)
	for {
		n, err := s.pty.Read(b)
		if n > 0 {
			s.mu.Lock()
			_, _ = s.em.Write(b[:n])
			s.since = append(s.since, b[:n]...)
			s.last = time.Now()
			s.mu.Unlock()
		}
		if err != nil {
			return
		}
	}
}

func (s *screen) send(code string) error {
	s.mu.Lock()
	s.last = time.Now()
	s.mu.Unlock()
	_, err := s.pty.WriteString(code)
	return err
}

// settle waits until the screen stands still.
func (s *screen) settle() {
	for begun := time.Now(); time.Since(begun) < patience; time.Sleep(20 * time.Millisecond) {
		s.mu.Lock()
		still := time.Since(s.last) > quiet
		s.mu.Unlock()
		if still {
			return
		}
	}
}

func (s *screen) wait(text string) error {
	for begun := time.Now(); time.Since(begun) < patience; time.Sleep(20 * time.Millisecond) {
		s.mu.Lock()
		shown := s.em.String()
		s.mu.Unlock()
		if strings.Contains(shown, text) {
			s.settle()
			return nil
		}
	}
	return fmt.Errorf("the screen does not show it:\n%s", s.em.String())
}

func (s *screen) close() {
	_ = s.cmd.Process.Kill()
	_ = s.cmd.Wait()
	_ = s.pty.Close()
}
