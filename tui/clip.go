package tui

import (
	"context"
	"os/exec"
	"strings"

	"github.com/atotto/clipboard"

	tea "charm.land/bubbletea/v2"

	"learnings/tui/desk"
	"learnings/tui/kit"
)

// What desk.clipboard may be: by the terminal and by the system, by the terminal alone,
// or not at all.
const (
	clipBoth = "auto"
	clipNone = "none"
)

// clippedMsg says that the system took a text, or why not.
type clippedMsg struct{ err error }

// copying has the terminal put a text on the clipboard, and the system where it has one:
// many a terminal, and tmux by itself, leaves such requests unheard.
func copying(a app, m desk.CopyMsg) (tea.Model, tea.Cmd) {
	getenv := a.fx.Terminal.Getenv
	switch {
	case a.fx.Clipboard == clipNone:
		return a.do(kit.Warn("nothing was copied: desk.clipboard is none"))
	case a.fx.Clipboard == clipBoth && getenv != nil:
		return a.do(kit.Out{Cmd: tea.SetClipboard(m.Text)}.And(kit.Run(func(ctx context.Context) tea.Msg {
			return clippedMsg{copyBy(ctx, getenv, m.Text)}
		})))
	}
	return a, tea.SetClipboard(m.Text)
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
