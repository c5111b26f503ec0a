package tui

import (
	"reflect"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"learnings/lessons"
	"learnings/tui/desk"
)

// play is the program without a terminal. It runs every command at once and in order, so
// that a test sees the final view.
type play struct {
	t testing.TB
	a app
}

func playing(t testing.TB, fx desk.Desk, w, h int) *play {
	t.Helper()
	if testing.Short() {
		t.Skip("left out with -short, which the race detector runs with: this test is one goroutine")
	}
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

// messages returns the answers of a command and the commands in it.
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

// text returns the screen without styles.
func (p *play) text() string {
	lines := strings.Split(ansi.Strip(p.a.View().Content), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, " ")
	}
	return strings.Join(lines, "\n")
}

// afterKeys compares screens of one size, each after the keys of its name.
func afterKeys(t *testing.T, fx func() desk.Desk, w, h int, named map[string][]string) {
	t.Helper()
	for name, keys := range named {
		t.Run(name, func(t *testing.T) { golden.RequireEqual(t, playing(t, fx(), w, h).press(keys...).text()) })
	}
}

// over returns a function that makes desks, each over a new corpus.
func over(t *testing.T, ls func() []lessons.Lesson) func() desk.Desk {
	return func() desk.Desk { return fxOn(newCorpus(t, ls()...)) }
}
