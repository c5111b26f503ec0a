package desk

import (
	"context"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/atotto/clipboard"

	tea "charm.land/bubbletea/v2"

	"learnings/tui/kit"
)

// Values of desk.clipboard: by the terminal and the system, by the terminal only, or not
// at all.
const (
	clipBoth = "auto"
	clipNone = "none"
)

// Copy copies text by the terminal, and by the system where possible: many terminals, and
// tmux by default, ignore the request.
func (fx Desk) Copy(m CopyMsg) kit.Out {
	if fx.Clipboard == clipNone {
		return kit.Warn("nothing was copied: desk.clipboard is none")
	}
	return fx.Leave(m.Of, func() kit.Out { return fx.copied(m) })
}

func (fx Desk) copied(m CopyMsg) kit.Out {
	getenv := fx.Terminal.Getenv
	switch o := kit.Say("copied %s", m.What).And(kit.Out{Cmd: tea.SetClipboard(m.Text)}); {
	case fx.Clipboard != clipBoth || getenv == nil:
		return o
	default:
		return o.And(kit.Run(func(ctx context.Context) tea.Msg {
			if err := copyBy(ctx, getenv, m.Text); err != nil {
				return kit.OutMsg{Out: kit.Say("the terminal was asked to copy it; the system's clipboard did not: %v", err)}
			}
			return nil
		}))
	}
}

// copyBy copies text to the system's clipboard, if the person sits at this machine.
func copyBy(ctx context.Context, getenv func(string) string, text string) error {
	switch {
	case getenv("TMUX") != "":
		cmd := exec.CommandContext(ctx, "tmux", "load-buffer", "-w", "-")
		cmd.Stdin = strings.NewReader(text)
		return cmd.Run()
	case getenv("SSH_CONNECTION") != "" || getenv("SSH_TTY") != "" || clipboard.Unsupported:
		return nil // the terminal does it, or nothing can
	}
	return clipboard.WriteAll(text)
}

// Stdin returns the standard input of the screens. It calls gone when the terminal
// closes, where Bubble Tea would wait for a key forever.
func Stdin(gone func()) io.Reader { return &stdin{File: os.Stdin, gone: gone} }

type stdin struct {
	*os.File
	gone func()
}

// Terminal returns the file itself, for a program that takes over the terminal.
func (s *stdin) Terminal() *os.File { return s.File }

func (s *stdin) Read(p []byte) (int, error) {
	n, err := s.File.Read(p)
	if err != nil {
		s.gone()
	}
	return n, err
}

// glance is how often the screens check for changes by other programs, such as proposals
// of the background worker.
const glance = 3 * time.Second

// spinning is the time between two frames of the spinner.
const spinning = 100 * time.Millisecond

// Watch sends glances and spinner ticks until ctx ends.
func (fx Desk) Watch(ctx context.Context, send func(tea.Msg)) {
	t, spin := time.NewTicker(glance), time.NewTicker(spinning)
	defer t.Stop()
	defer spin.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
			send(GlanceMsg{})
		case <-spin.C:
			if fx.Shared.Busy.Load() > 0 {
				send(kit.SpinMsg{})
			}
		}
	}
}
