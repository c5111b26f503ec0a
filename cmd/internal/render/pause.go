package render

import (
	"time"

	"learnings/cmd/internal/hook"
	"learnings/cmd/internal/term"
	"learnings/extractor/live"
)

// Listening says whether sessions are read now, and the pause if not.
type Listening struct {
	Paused bool
	live.Pause
}

func (l Listening) until() *time.Time {
	if l.Until.IsZero() {
		return nil
	}
	return &l.Until
}

// String describes the state.
func (l Listening) String() string { return hook.PauseSays(l.Paused, l.until()) }

func (l Listening) Terminal(p *term.Page) {
	p.Line("%s", l)
	if l.Paused {
		p.Line("hooks give and propose nothing; what is said meanwhile is not read later either")
	}
}

func (l Listening) Objects() []any {
	var from *time.Time
	if l.Paused {
		from = &l.From
	}
	return []any{term.Object(nil, "paused", l.Paused, "from?", from, "until?", l.until())}
}
