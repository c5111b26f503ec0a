package intake

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"time"

	"learnings/extractor/redact"
	"learnings/extractor/transcript"
	"learnings/lessons"
)

const (
	// MostAround is the most turns returned on each side of a moment.
	MostAround = 20
	// farAround is how many turns are read for each one returned: most say nothing.
	farAround = 12
)

// A Moment is the surroundings of a piece of evidence in its session, oldest first, one
// turn on each line with its speaker.
type Moment struct {
	Before, After []string
	Transcript    bool // the turns are from the transcript, not from the copy in the evidence
}

// Around returns the turns before and after a piece of evidence, without secrets. They
// come from the transcript if it still has the moment and may be read, or else from the
// few kept with the evidence. The only error is that of ctx.
func (s Sessions) Around(ctx context.Context, e lessons.Evidence, before, after int) (Moment, error) {
	before, after = min(max(before, 0), MostAround), min(max(after, 0), MostAround)
	m, err := s.reread(ctx, e, before, after)
	if ctx.Err() != nil {
		return Moment{}, ctx.Err()
	}
	if err != nil {
		m = Moment{Before: e.Before[max(0, len(e.Before)-before):], After: e.After[:min(len(e.After), after)]}
	}
	return m, nil
}

var errMoved = errors.New("the moment is not there any more")

// reread looks for the moment in its transcript.
func (s Sessions) reread(ctx context.Context, e lessons.Evidence, before, after int) (Moment, error) {
	if !filepath.IsAbs(e.Path) || e.Line <= 0 {
		return Moment{}, errMoved
	}
	var was, then []transcript.Turn
	there := false
	l := transcript.Listener{Excluded: s.Options.Excluded, Paused: s.Options.Paused}
	_, err := l.Hear(ctx, transcript.File{Path: e.Path}, func(t *transcript.Turn, r *transcript.Reader, _ time.Time) {
		switch {
		case there && len(then) < after*farAround:
			then = append(then, *t)
		case there:
		case quotes(e, t, r.Session()):
			there = true
		default:
			if was = append(was, *t); len(was) > 2*before*farAround {
				was = slices.Delete(was, 0, len(was)-before*farAround)
			}
		}
	})
	if err == nil && !there {
		err = errMoved
	}
	slices.Reverse(was)
	m := Moment{Before: briefs(was, before), After: briefs(then, after), Transcript: true}
	slices.Reverse(m.Before)
	return m, err
}

// quotes reports whether a piece of evidence quotes a turn.
func quotes(e lessons.Evidence, t *transcript.Turn, s transcript.Session) bool {
	if t.UUID != e.UUID && (t.UUID != "" && e.UUID != "" || t.Line != e.Line) {
		return false
	}
	said := lessons.Evidence{UUID: t.UUID, Line: t.Line, Session: t.Session, At: t.At, Quote: t.Text}
	if t.Tool != nil {
		said.Quote += " " + t.Tool.Command
	}
	if said.Session == "" {
		said.Session = s.ID
	}
	return e.SameMoment(said)
}

// briefs returns the first turns that say something.
func briefs(turns []transcript.Turn, most int) (out []string) {
	clean := redact.New().Redact
	for i := range turns {
		if text := turns[i].Brief(clean); text != "" && len(out) < most {
			out = append(out, text)
		}
	}
	return out
}
