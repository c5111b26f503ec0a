package tui

import (
	"bytes"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/vt"
)

// A terminal is an emulated terminal that runs the program.
type terminal struct {
	t    *testing.T
	p    *tea.Program
	done chan error

	mu  sync.Mutex // vt.SafeEmulator does not guard String
	em  *vt.Emulator
	raw bytes.Buffer // everything sent
}

func start(t *testing.T, m tea.Model, w, h int, env ...string) *terminal {
	t.Helper()
	s := &terminal{t: t, em: vt.NewEmulator(w, h), done: make(chan error, 1)}
	_, _ = s.em.WriteString("\x1b[20h") // newline mode: no tty adds carriage returns
	go func() { _, _ = io.Copy(io.Discard, s.em) }()
	in, _ := io.Pipe() // keys come by Send
	s.p = tea.NewProgram(m, tea.WithContext(t.Context()), tea.WithInput(in), tea.WithOutput(s),
		tea.WithWindowSize(w, h), tea.WithoutSignals(), tea.WithEnvironment(append(env, "TERM=xterm-256color", "COLORTERM=truecolor", "TTY_FORCE=1")))
	go func() { _, err := s.p.Run(); s.done <- err }()
	return s
}

func (s *terminal) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.raw.Write(b)
	return s.em.Write(b)
}

func (s *terminal) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.em.String()
}

// sent returns everything sent to the terminal.
func (s *terminal) sent() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.raw.String()
}

// press sends keys by the names that the help uses.
func (s *terminal) press(keys ...string) *terminal {
	for _, k := range keys {
		s.p.Send(keyOf(k))
	}
	return s
}

var named = map[string]rune{
	"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "space": tea.KeySpace, "up": tea.KeyUp, "down": tea.KeyDown,
	"insert": tea.KeyInsert, "home": tea.KeyHome, "end": tea.KeyEnd, "f2": tea.KeyF2, "f5": tea.KeyF5, "backspace": tea.KeyBackspace, "pgdown": tea.KeyPgDown, "pgup": tea.KeyPgUp, "left": tea.KeyLeft, "right": tea.KeyRight,
}

func keyOf(name string) tea.KeyPressMsg {
	if r, ok := named[name]; ok {
		k := tea.KeyPressMsg{Code: r}
		if r == tea.KeySpace {
			k.Text = " "
		}
		return k
	}
	if rest, ok := strings.CutPrefix(name, "ctrl+"); ok {
		return tea.KeyPressMsg{Code: rune(rest[0]), Mod: tea.ModCtrl}
	}
	if name == "shift+tab" {
		return tea.KeyPressMsg{Code: tea.KeyTab, Mod: tea.ModShift}
	}
	if rest, ok := strings.CutPrefix(name, "alt+"); ok {
		return tea.KeyPressMsg{Code: rune(rest[0]), Mod: tea.ModAlt}
	}
	r := []rune(name)[0]
	return tea.KeyPressMsg{Code: r, Text: name}
}

// write types a text.
func (s *terminal) write(text string) *terminal {
	for _, r := range text {
		if r == ' ' {
			s.press("space")
			continue
		}
		s.press(string(r))
	}
	return s
}

// see waits as wait does, and returns s.
func (s *terminal) see(want ...string) *terminal {
	s.t.Helper()
	s.wait(want...)
	return s
}

// wait returns the screen once it is idle and shows all of want.
func (s *terminal) wait(want ...string) string {
	s.t.Helper()
	want = append(want, "idle")
	for end := time.Now().Add(time.Minute); ; {
		got, missing := s.String(), ""
		for _, w := range want {
			if !strings.Contains(got, w) {
				missing = w
			}
		}
		if missing == "" {
			return got
		}
		if time.Now().After(end) {
			s.t.Fatalf("no %q on screen:\n%s", missing, got)
		}
		<-time.After(2 * time.Millisecond)
	}
}

// resize changes the size of the terminal. The screen must be idle.
func (s *terminal) resize(w, h int) {
	s.mu.Lock()
	s.em.Resize(w, h)
	s.mu.Unlock()
	s.p.Send(tea.WindowSizeMsg{Width: w, Height: h})
}

// quit quits and checks that the program ended without an error.
func (s *terminal) quit() {
	s.t.Helper()
	s.press("ctrl+c")
	if err := <-s.done; err != nil {
		s.t.Fatal(err)
	}
}
