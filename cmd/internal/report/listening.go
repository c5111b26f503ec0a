package report

import (
	"fmt"
	"io"
	"time"

	"learnings/cmd/internal/status"
	"learnings/cmd/internal/term"
	"learnings/extractor/pause"
)

// Listening is whether sessions are listened to now, and the pause if not.
type Listening struct {
	Paused bool
	pause.Pause
}

// String says it in words.
func (l Listening) String() string {
	if l.Until.IsZero() {
		return status.Pause(l.Paused, nil)
	}
	return status.Pause(l.Paused, &l.Until)
}

func (l Listening) Terminal(p *term.Page) {
	p.Line("%s", l)
	if l.Paused {
		p.Line("hooks give and propose nothing; what is said meanwhile is not read later either")
	}
}

func (l Listening) Plain(w io.Writer) { fmt.Fprintln(w, l) }

func (l Listening) Objects() []any { return []any{l.Object()} }

// Object is what is known as JSON has it.
func (l Listening) Object() any {
	type object struct {
		Paused bool       `json:"paused"`
		From   *time.Time `json:"from,omitempty"`
		Until  *time.Time `json:"until,omitempty"`
	}
	o := object{Paused: l.Paused}
	if l.Paused {
		o.From = &l.From
		if !l.Until.IsZero() {
			o.Until = &l.Until
		}
	}
	return o
}
