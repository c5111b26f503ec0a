// Package taken tells what an extraction takes from transcripts.
package taken

import (
	"errors"
	"fmt"

	"learnings/cmd/internal/sessions"
	"learnings/cmd/internal/term"
	"learnings/extractor"
	"learnings/extractor/intake"
	"learnings/lessons"
)

// A Run tells what an extraction takes, and counts it. Console and
// Short must be set.
type Run struct {
	*term.Console
	Short func(path string) string // as people know it
	Named bool                     // the person named the sessions
	Dry   bool                     // nothing is stored
	// Print prints proposals as they come; nil keeps them for [Run.Tell].
	Print func([]lessons.Lesson) error

	Sessions int // with something new
	Excluded int // that are not read
	Failed   int // places that could not be read

	found                                   []lessons.Lesson // only to be listed at the end
	lessons, maybe, offered, again, against int
	short                                   int // sessions with too little in them
}

// Add counts what became of one transcript, and prints what a person should know of it at
// once; err is what came with it. It reports whether the transcript was read. A file that
// cannot be read is counted and is no error.
func (r *Run) Add(t intake.Taken, err error) (read bool, _ error) {
	var unread *extractor.FileError
	switch {
	case errors.As(err, &unread):
		r.Warn("%v", err)
		if unread.Hint != "" {
			r.Note("hint: %s", lessons.Line(unread.Hint))
		}
		r.Failed++
		return false, nil
	case err != nil:
		return false, err
	}
	for _, bad := range t.Bad {
		r.Warn("%v", bad)
	}
	if t.BadMore > 0 {
		r.Warn("%s: %d more bad lines skipped", r.Short(t.File.Path), t.BadMore)
	}
	if t.Excluded != "" {
		r.Excluded++
		if r.Named {
			r.Warn("%s is not read: learning.exclude has %q", r.Short(t.File.Path), t.Excluded)
		}
		return false, nil
	}
	if t.Short {
		r.short++
	}
	r.Sessions++
	r.again += len(t.Again)
	r.against += t.Against
	r.lessons += len(t.Stored)
	r.maybe += Maybes(t.Stored)
	r.offered += Offered(t)
	if r.Print != nil {
		return true, r.Print(t.Stored)
	}
	r.found = append(r.found, t.Stored...)
	return true, nil
}

// Tell lists the proposals, unless they were printed as they came, and says in a line what
// the run has come to. The error is that places could not be read.
func (r *Run) Tell() error {
	for _, l := range r.found {
		if r.Terminals.Out {
			r.Say("%s %s  %s", l.Confidence, l.Category, l.Title(max(r.Terminals.Width-24, 30)))
		} else {
			term.TSV(r.Out, string(l.ID), string(l.Category), l.Scope.Project, l.Confidence.String(), l.Content)
		}
	}
	r.Note("%s", r.line())
	if r.Failed > 0 {
		return fmt.Errorf("%s could not be read", term.Plural(r.Failed, "place"))
	}
	return nil
}

func (r *Run) line() string {
	what := "proposed "
	if r.Dry {
		what = "would propose "
	}
	line := fmt.Sprintf("%s from %s with something new", what+term.InLanes(r.lessons-r.maybe, r.maybe, "lesson"), term.Plural(r.Sessions, "session"))
	if r.again > 0 {
		line += fmt.Sprintf("; %s known already", term.Plural(r.again, "moment"))
	}
	if r.against > 0 {
		line += fmt.Sprintf("; %s against lessons that were given: `learnings stale`", term.Plural(r.against, "correction"))
	}
	if r.short > 0 {
		line += "; " + sessions.LeftShort(r.short)
	}
	if r.Excluded > 0 {
		line += fmt.Sprintf("; %s excluded (learning.exclude)", term.Plural(r.Excluded, "session"))
	}
	if r.offered > 0 {
		line += fmt.Sprintf("; %s offered for what waits already", term.Plural(r.offered, "better wording"))
	}
	if r.lessons > 0 && !r.Dry {
		line += "; `learnings` opens the review"
	}
	return line
}

// Maybes counts the proposals that may be lessons.
func Maybes(ls []lessons.Lesson) (n int) {
	for _, l := range ls {
		if l.Waits() == lessons.Maybe {
			n++
		}
	}
	return n
}

// Offered counts the proposals that wait already and were offered a better wording.
func Offered(t intake.Taken) (n int) {
	for _, again := range t.Again {
		if again.Offer != nil && again.Status == lessons.Pending {
			n++
		}
	}
	return n
}
