package hook

import (
	"context"
	"errors"
	"io"
	"path/filepath"
)

// An Ending is what a hook reports when a session, or a part of one, is over.
type Ending struct {
	Event      string // stop, subagent-stop, pre-compact or session-end
	Session    string // "" when the agent did not say
	Transcript string // absolute path of the transcript; "" when the agent did not say
	Dir        string // where the agent works
}

// capture has the caller take note. What the agent sends may be missing or
// broken: then the note says less.
func capture(ctx context.Context, e event, in io.Reader, c Config, o *outcome) error {
	if c.Capture == nil {
		return nil
	}
	p, err := readPayload(ctx, in, endingWait)
	o.rec.session, o.rec.via = p.Session, "spool"
	if !filepath.IsAbs(p.Path) {
		p.Path = ""
	}
	if !filepath.IsAbs(p.Dir) {
		p.Dir = c.Dir
	}
	a := agentNamed(c.For, agentOf(p.Path))
	ending := Ending{Event: string(e), Session: p.Session, Transcript: p.Path, Dir: p.Dir}
	if a.unnamed {
		ending.Session = "" // by which nothing would be found
	}
	return errors.Join(err, c.Capture(ending))
}
