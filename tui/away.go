package tui

import (
	tea "charm.land/bubbletea/v2"

	"learnings/tui/kit"
)

// stopMsg asks to go back to the shell.
type stopMsg struct{}

// leave goes back to the shell, if there is one that can bring the desk back.
func leave(a app) (tea.Model, tea.Cmd) {
	if !hasShell() {
		return a.do(kit.Warn("no shell has started the desk that could bring it back"))
	}
	return a, tea.Suspend
}
