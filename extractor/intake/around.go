package intake

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

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
	said.Session = cmp.Or(said.Session, s.ID)
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

const (
	// latest is how many of the last transcripts are searched for a session that no
	// file is named after; lately bounds their age.
	latest = 6
	lately = 48 * time.Hour
	// leastName is the length from which a part of a file name identifies a session.
	leastName = 8
	// leastQuote is the length from which a match is no accident.
	leastQuote = 8
)

// candidates returns the transcripts named after a session, marked Named, or if there
// are none, the latest ones.
func (s Sessions) candidates(session string) []transcript.File {
	var named, last []transcript.File
	for f := range s.unopened() {
		switch {
		case len(session) >= leastName && strings.Contains(filepath.Base(f.Path), session):
			f.Named = true
			named = append(named, f)
		case s.Now().Sub(f.ModTime) < lately:
			last = append(last, f)
		}
	}
	if len(named) > 0 {
		return newest(named, latest)
	}
	return newest(last, latest)
}

// Since returns at most most transcripts that were written to within a time, the latest
// first.
func (s Sessions) Since(within time.Duration, most int) []transcript.File {
	var out []transcript.File
	for f := range s.unopened() {
		if s.Now().Sub(f.ModTime) < within {
			out = append(out, f)
		}
	}
	return newest(out, most)
}

func newest(files []transcript.File, most int) []transcript.File {
	slices.SortStableFunc(files, func(a, b transcript.File) int { return b.ModTime.Compare(a.ModTime) })
	return files[:min(len(files), most)]
}

// unopened yields transcripts by name and time, because opening all would open
// thousands of files. It opens only databases, which hold several sessions each.
func (s Sessions) unopened() iter.Seq[transcript.File] {
	return func(yield func(transcript.File) bool) {
		for _, p := range s.Places {
			for f, err := range transcript.FindKnown(transcript.Places{p}, func(f transcript.File) (transcript.File, bool) {
				f.Format = p.Format
				return f, !transcript.NamedDatabase(f.Path)
			}) {
				if err == nil && !yield(f) {
					return
				}
			}
		}
	}
}

// fold normalizes a text for comparing quotes: lower case, with one blank for any white
// space. It returns "" if the text is too short to search for.
func fold(s string) string {
	f := strings.ToLower(strings.Join(words(s), " "))
	if utf8.RuneCountInString(f) < leastQuote {
		return ""
	}
	return f
}

// words splits a quote into words without the marks around it.
func words(quote string) []string {
	return strings.Fields(strings.Trim(strings.ToValidUTF8(quote, "\ufffd"), " \t\n\"'“”`"))
}

// finder matches a quote in a text, ignoring case and differences in white space.
func finder(quote string) *regexp.Regexp {
	all := words(quote)
	for i, w := range all {
		all[i] = regexp.QuoteMeta(w)
	}
	return regexp.MustCompile(`(?i)` + strings.Join(all, `\s+`))
}
