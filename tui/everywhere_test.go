package tui

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"learnings/lessons"
	"learnings/tui/desk"
	"learnings/tui/kit"
	"learnings/tui/look"
)

// The palette has screens and settings, and a setting applies at once.
func TestSettingsFromThePalette(t *testing.T) {
	fx := fxOn(newCorpus(t, proposals()...))
	kept := map[string]string{}
	fx.Set = func(k, v string) error { kept[k] = v; return nil }
	p := playing(t, fx, 100, 30)
	do := func(words string) *play { return p.press(":").typed(words).press("enter") }
	do("theme: light").wants(t, "a theme", "✓ desk.theme = light is kept")
	if p.a.st.Name != look.Light {
		t.Errorf("the theme is %s", p.a.st.Name)
	}
	do("glyphs: ascii").wants(t, "signs", "v desk.glyphs = ascii is kept", "------")
	do("glyphs: unicode")
	do("motion: off")
	do("mouse: off").wants(t, "mouse", "desk.mouse = false")
	if p.a.mouse || !p.a.fx.Still || kept["desk.theme"] != "light" || kept["desk.glyphs"] != "unicode" || kept["desk.motion"] != "false" {
		t.Errorf("kept are %v", kept)
	}
	do("theme: light").wants(t, "what is so", "theme: light: it is so now")
	p.press("esc")
	do("insights")
	if p.a.on != desk.OnInsights {
		t.Errorf("on screen %d", p.a.on)
	}

	fx.Set = nil
	p = playing(t, fx, 100, 30)
	do("theme: none").wants(t, "nothing to keep it in", "until you quit")
	fx.Set = func(string, string) error { return errors.New("config.toml is not yours") }
	p = playing(t, fx, 100, 30)
	do("theme: none").wants(t, "cannot be kept", "could not be kept: config.toml is not yours")
}

// The palette runs an action of the program and shows its result as a line or a page.
func TestActionsFromThePalette(t *testing.T) {
	fx := fxOn(newCorpus(t, proposals()...))
	fx.Actions = []desk.Action{
		{Name: "sync", About: "Takes and gives.", Off: "no remote is set"},
		{Name: "doctor", Do: func(context.Context) (string, error) { return "hooks ok\nindex ok\x1b[2J\n", nil }},
		{Name: "tidy", Do: func(context.Context) (string, error) { return "3 files", nil }},
		{Name: "break", Do: func(context.Context) (string, error) { return "", errors.New("disk full") }},
	}
	p := playing(t, fx, 100, 30).press(":").typed("sync").wants(t, "greyed", "not now: no remote is set", "Takes and gives.")
	p.press("enter").wants(t, "refused", "sync: no remote is set").press("esc")
	p.press(":").typed("doctor").press("enter").wants(t, "a page", "─ doctor ─", "hooks ok", "index ok")
	frame(t, p, 100, 30, nil)
	p.press("esc", ":").typed("tidy").press("enter").wants(t, "a line", "✓ tidy: 3 files")
	p.press(":").typed("break").press("enter").wants(t, "an error", "break: disk full  esc")
}

// An error stays on the line until esc, and the log keeps it.
func TestErrorsStay(t *testing.T) {
	p := playing(t, fxOn(newCorpus(t, proposals()...)), 120, 30)
	p.send(doneMsg{msg: kit.OutMsg{Out: kit.Warn("the disk is gone")}}).wants(t, "an error", "the disk is gone")
	p.press("j", "k").wants(t, "keys", "the disk is gone  esc").press("a").wants(t, "a decision", "✓ approved", "! an error @")
	p.press("@").wants(t, "the log", "log of this run · 1 error", "the disk is gone", "✓ approved").press("esc", "j")
	if strings.Contains(p.text(), "the disk is gone") || strings.Contains(p.text(), "an error") {
		t.Errorf("read, and there again:\n%s", p.text())
	}
	p.send(doneMsg{msg: desk.SyncedMsg{Err: errors.New("no room")}}).wants(t, "an error", "no room  esc")
	p.send(doneMsg{msg: desk.SyncedMsg{}})
	if strings.Contains(p.text(), "no room") {
		t.Errorf("it is mended, and there still:\n%s", p.text())
	}
	p.send(doneMsg{msg: desk.SyncedMsg{Err: errors.New("broken twice")}}).press("esc", "j")
	if strings.Contains(p.text(), "broken twice") {
		t.Errorf("esc leaves it:\n%s", p.text())
	}
}

// The log is bounded.
func TestLogIsBounded(t *testing.T) {
	var r kit.Log
	for i := range 3 * kit.SaidMost {
		r = r.With(kit.Note{Text: fmt.Sprint(i)}, noon, false)
	}
	if len(r.Said) != kit.SaidMost || r.Said[kit.SaidMost-1].Text != fmt.Sprint(3*kit.SaidMost-1) {
		t.Errorf("%d notes, the last %q", len(r.Said), r.Said[len(r.Said)-1].Text)
	}
}

// Ten million characters in a field, and a key held down, leave the screen whole.
func TestTooMuch(t *testing.T) {
	p := playing(t, fxOn(newCorpus(t, proposals()...)), 80, 24)
	for _, keys := range [][]string{{"/"}, {":"}, {"?"}, {"i"}, {"x", "t"}, {"tab", "/"}} {
		p.press(keys...).send(tea.PasteMsg{Content: strings.Repeat("every word 長い ", 10<<20/17)})
		frame(t, p, 80, 24, keys)
		p.press("esc", "esc", "esc", "alt+1")
	}
	for range 500 {
		p.press("j", "space", "u")
	}
	frame(t, p, 80, 24, nil)
	for _, s := range [][2]int{{0, 0}, {1, 1}, {-5, -5}, {1 << 15, 3}, {3, 1 << 12}, {80, 24}} { // an impossible terminal
		p.send(tea.WindowSizeMsg{Width: s[0], Height: s[1]})
		_ = p.text()
	}
	p.wants(t, "after all that", "1 Review")
}

// Decisions shown as made are stored, even if the screens close first.
func TestNothingDecidedIsLost(t *testing.T) {
	c := newCorpus(t, proposals()...)
	p := playing(t, fxOn(c), 120, 30)
	for range 3 { // none of its jobs start
		m, _ := p.a.Update(keyOf("a"))
		p.a = m.(app)
	}
	if n := len(p.a.writes); n < 2 {
		t.Fatalf("%d writes wait", n)
	}
	n := len(p.a.writes)
	p.a.fx.Shared.Close()
	finish(t.Context(), p.a)
	finish(t.Context(), p.a) // a second time has no effect
	approved := 0
	for _, l := range c.all() {
		if l.Status == lessons.Approved {
			approved++
		}
	}
	if approved != n+1 { // one was approved before
		t.Errorf("%d are approved, want %d", approved, n+1)
	}
}
