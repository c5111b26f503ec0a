package told

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"learnings/extractor/redact"
	"learnings/extractor/transcript"
	"learnings/lessons"
)

const (
	// MostAround is how many turns are told on each side.
	MostAround = 20
	// farAround is how many turns are looked at for each that is told: most tell nothing.
	farAround = 12
	// mostTold bytes of a turn are looked at for the few that are told.
	mostTold = 16 << 10
)

// A Moment is a piece of evidence with what stood around it in its session, each turn on
// one line with who spoke, oldest first.
type Moment struct {
	Before, After []string
	Transcript    bool // they are from the transcript; else from the evidence's own copy
}

// Around tells the turns before and after a piece of evidence: those of the transcript,
// where it is still there and still has the moment, or else the few that were kept with
// the evidence. Secrets are taken out. The only error is that of ctx.
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
func (s Sessions) reread(ctx context.Context, e lessons.Evidence, before, after int) (m Moment, err error) {
	if !filepath.IsAbs(e.Path) || e.Line <= 0 {
		return m, errMoved
	}
	in, f, err := transcript.Open(e.Path)
	if err != nil {
		return m, err
	}
	defer in.Close()
	r := transcript.NewReader(in, f.Format, f.Options())
	var was, then []transcript.Turn
	there := false
	n := 0
	for t, err := range r.Turns() {
		var bad *transcript.LineError
		if n++; n%256 == 0 && ctx.Err() != nil {
			return m, ctx.Err()
		}
		switch {
		case errors.As(err, &bad):
			continue
		case err != nil:
			return m, err
		case s.Options.Paused != nil && s.Options.Paused(t.At):
			continue
		case there:
			then = append(then, t)
		case is(&t, r.Session(), e):
			there = true
		default:
			if was = append(was, t); len(was) > 2*before*farAround+1 {
				was = slices.Delete(was, 0, len(was)-before*farAround)
			}
		}
		if len(then) > after*farAround {
			break
		}
	}
	if !there {
		return m, errMoved
	}
	if s.Options.Excluded != nil {
		if by := s.Options.Excluded(r.Session().Dir, e.Path); by != "" {
			return m, fmt.Errorf("%w: %s", ErrExcluded, by)
		}
	}
	slices.Reverse(was)
	m = Moment{Before: briefs(was, before), After: briefs(then, after), Transcript: true}
	slices.Reverse(m.Before)
	return m, nil
}

// is reports that a turn is the one that a piece of evidence quotes.
func is(t *transcript.Turn, s transcript.Session, e lessons.Evidence) bool {
	if t.UUID != e.UUID && (t.UUID != "" && e.UUID != "" || t.Line != e.Line) {
		return false
	}
	text := t.Text
	if t.Tool != nil {
		text += " " + t.Tool.Command
	}
	session := t.Session
	if session == "" {
		session = s.ID
	}
	return e.SameMoment(lessons.Evidence{UUID: t.UUID, Line: t.Line, Session: session, At: t.At, Quote: text})
}

// briefs tells at most so many turns of those that tell a reader something.
func briefs(turns []transcript.Turn, most int) []string {
	redactor := redact.New()
	var out []string
	for i := range turns {
		if len(out) == most {
			break
		}
		t := &turns[i]
		t.Text = start(t.Text)
		if text := t.Brief(redactor.Redact); text != "" {
			out = append(out, text)
		}
	}
	return out
}

// start is so much of a text as is looked at, in whole characters.
func start(s string) string {
	if len(s) <= mostTold {
		return s
	}
	n := mostTold
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// Clean gives what takes secrets out of text.
func Clean() func(string) string { return redact.New().Redact }

// Safe takes secrets out of a text, and cuts it to so many bytes.
func Safe(s string, most int) string {
	if strings.TrimSpace(s) == "" {
		return ""
	}
	s = redact.New().Redact(start(s))
	for len(s) > most {
		_, n := utf8.DecodeLastRuneInString(s)
		s = s[:len(s)-n]
	}
	return s
}
