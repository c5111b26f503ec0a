package tui

import (
	"reflect"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"learnings/tui/desk"
)

// play is the program without a terminal: it does every command at once, in
// order, so that a view can be looked at when all is done.
type play struct {
	t testing.TB
	a app
}

func playing(t testing.TB, fx desk.Desk, w, h int) *play {
	t.Helper()
	p := &play{t: t, a: newApp(t.Context(), fx)}
	p.send(tea.WindowSizeMsg{Width: w, Height: h}, startMsg{})
	return p
}

func (p *play) send(msgs ...tea.Msg) *play {
	for len(msgs) > 0 {
		m, cmd := p.a.Update(sized(p.a, msgs[0]))
		p.a = m.(app)
		msgs = append(messages(cmd), msgs[1:]...)
	}
	return p
}

// messages are what a command and the commands in it answer.
func messages(cmd tea.Cmd) []tea.Msg {
	if cmd == nil {
		return nil
	}
	switch m := cmd().(type) {
	case nil:
		return nil
	case tea.BatchMsg:
		var all []tea.Msg
		for _, c := range m {
			all = append(all, messages(c)...)
		}
		return all
	default:
		if reflect.TypeOf(m).PkgPath() != reflect.TypeOf(app{}).PkgPath() {
			return nil // for the terminal
		}
		return []tea.Msg{m}
	}
}

func (p *play) press(keys ...string) *play {
	for _, k := range keys {
		p.send(keyOf(k))
	}
	return p
}

func (p *play) typed(text string) *play { return p.press(strings.Split(text, "")...) }

// text is the screen without its looks.
func (p *play) text() string {
	lines := strings.Split(ansi.Strip(p.a.View().Content), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, " ")
	}
	return strings.Join(lines, "\n")
}
