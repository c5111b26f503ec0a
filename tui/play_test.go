package tui

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"learnings/lessons"
	"learnings/tui/desk"
	"learnings/tui/look"
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

// Forms of golden screens: plain text, with styles, or with readable styles.
func plain(p *play) string  { return p.text() }
func looked(p *play) string { return p.a.View().Content }
func inked(p *play) string  { return strings.ReplaceAll(p.a.View().Content, "\x1b", "^[") }

// inEverySize compares a screen after some keys, at the important sizes and in some
// themes.
func inEverySize(t *testing.T, name string, fx func() desk.Desk, show func(*play) string, themes []string, keys ...string) {
	t.Helper()
	for _, size := range [][2]int{{60, 16}, {80, 24}, {120, 40}, {200, 60}} {
		p := playing(t, fx(), size[0], size[1]).press(keys...)
		frame(t, p, size[0], size[1], keys)
		for _, theme := range themes {
			t.Run(strings.Trim(fmt.Sprintf("%s-%dx%d-%s", name, size[0], size[1], theme), "-"), func(t *testing.T) {
				p.a.fx.Theme = theme
				p.a, _ = p.a.restyled(true)
				golden.RequireEqual(t, show(p))
			})
		}
	}
}

var threeThemes = []string{look.Dark, look.Light, look.None}

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
