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

// What desk.clipboard may be: by the terminal and by the system, by the terminal only,
// or not at all.
const (
	clipBoth = "auto"
	clipNone = "none"
)

// Copy has the terminal put a text on the clipboard, and the system where it has one:
// many a terminal, and tmux by itself, leaves such requests unheard.
func (fx Desk) Copy(m CopyMsg) kit.Out {
	getenv := fx.Terminal.Getenv
	switch o := kit.Say("copied %s", m.What).And(kit.Out{Cmd: tea.SetClipboard(m.Text)}); {
	case fx.Clipboard == clipNone:
		return kit.Warn("nothing was copied: desk.clipboard is none")
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

// copyBy gives a text to the clipboard of the system, if that is where the person sits.
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

// Stdin is the standard input of the screens, which calls gone when its terminal is
// closed. Bubble Tea would wait for a key.
func Stdin(gone func()) io.Reader { return &stdin{File: os.Stdin, gone: gone} }

type stdin struct {
	*os.File
	gone func()
}

// Terminal is the file itself, for a program that gets the terminal.
func (s *stdin) Terminal() *os.File { return s.File }

func (s *stdin) Read(p []byte) (int, error) {
	n, err := s.File.Read(p)
	if err != nil {
		s.gone()
	}
	return n, err
}

// glance is how often the screens look for what another program has found: the
// background worker proposes lessons meanwhile.
const glance = 3 * time.Second

// spinning is how often the spinner turns.
const spinning = 100 * time.Millisecond

// Watch makes the screens look for news, and turns the spinner, until ctx ends.
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
