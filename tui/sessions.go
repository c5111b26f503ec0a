package tui

import (
	tea "charm.land/bubbletea/v2"
)

// sessions are the transcripts of every agent on this machine.
type sessions struct {
	fx   effects
	w, h int
}

func newSessions(fx effects) sessions { return sessions{fx: fx} }

func (p sessions) start() (sessions, out) { return p, out{} }

func (p sessions) resize(w, h int) sessions {
	p.w, p.h = w, h
	return p
}

func (p sessions) typing() bool { return false }

func (p sessions) update(tea.Msg) (sessions, out) { return p, out{} }

func (p sessions) press(tea.KeyPressMsg) (sessions, out, bool) { return p, out{}, false }

func (p sessions) hints() []hint { return nil }

func (p sessions) tab() string { return "" }

func (p sessions) view(st style) string {
	return box{title: "sessions", on: true}.draw(nil, p.w, p.h, st)
}
