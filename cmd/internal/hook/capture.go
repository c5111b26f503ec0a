package hook

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"time"
)

// An Ending is what a hook reports when a session, or a part of one, is over.
type Ending struct {
	Event      string // see [EventName]
	Session    string // "" when the agent did not say
	Transcript string // absolute path of the transcript; "" when the agent did not say
	Dir        string // where the agent works
}

// eventNames are the events that are recorded, by the names that agents have for
// them.
var eventNames = map[string]string{
	"stop": "stop", "after-agent": "stop", // Claude Code, Codex, Cursor; Gemini CLI
	"subagent-stop": "subagent-stop",
	"pre-compact":   "pre-compact", "pre-compress": "pre-compact",
	"session-end": "session-end",
}

// EventName gives our name for an event that is recorded: stop, subagent-stop,
// pre-compact or session-end. It is false for any other.
func EventName(event string) (string, bool) {
	m, ok := eventNames[event]
	return m, ok
}

// endingWait is for how long an agent may take to say which session it is:
// short, for note is taken also of one that does not say.
const endingWait = 40 * time.Millisecond

// capture has the caller take note. What the agent sends may be missing or
// broken: then the note says less.
func capture(ctx context.Context, event string, in io.Reader, c Config, rec *record) error {
	if c.Capture == nil {
		return nil
	}
	p, err := readPayload(ctx, in, endingWait)
	rec.session, rec.via = p.Session, "spool"
	if !filepath.IsAbs(p.Path) {
		p.Path = ""
	}
	if !filepath.IsAbs(p.Dir) {
		p.Dir = c.Dir
	}
	return errors.Join(err, c.Capture(Ending{Event: event, Session: p.Session, Transcript: p.Path, Dir: p.Dir}))
}
