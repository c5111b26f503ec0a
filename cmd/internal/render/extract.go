package render

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"learnings/cmd/internal/term"
	"learnings/extractor"
	"learnings/extractor/intake"
	"learnings/extractor/transcript"
	"learnings/index/curate"
	"learnings/lessons"
)

// An Extraction prints and counts extraction results. Console and Short must be set.
type Extraction struct {
	*term.Console
	Short func(path string) string // formats a path for people
	Named bool                     // the person named the sessions
	Dry   bool                     // store nothing

	Sessions int // sessions with something new
	Excluded int // excluded sessions
	Failed   int // unreadable places

	found                   []lessons.Lesson // in order
	offered, again, against int
	short                   int // sessions that are too short
}

// Add counts the result of one transcript and prints what a person should know at once;
// err is the error that came with it. It reports whether the transcript was read. An
// unreadable file is counted and not returned as an error.
func (r *Extraction) Add(t intake.Taken, err error) (read bool, _ error) {
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
		if r.Excluded++; r.Named {
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
	r.offered += Offered(t)
	r.found = append(r.found, t.Stored...)
	if r.JSON { // print each as it comes
		return true, r.Give(Shelf{Lessons: t.Stored})
	}
	return true, nil
}

// Found returns the proposals so far.
func (r *Extraction) Found() []lessons.Lesson { return r.found }

// Revise takes the proposals as they are now.
func (r *Extraction) Revise(found []lessons.Lesson) { r.found = found }

// Tell lists the proposals, unless they were printed already, and a summary. It returns
// an error if places could not be read.
func (r *Extraction) Tell() error {
	for _, l := range r.found {
		if !r.JSON {
			proposal(r.Console, l, "")
		}
	}
	r.Note("%s", r)
	if r.Failed > 0 {
		return fmt.Errorf("%s could not be read", term.Plural(r.Failed, "place"))
	}
	return nil
}

// String returns the summary.
func (r *Extraction) String() string {
	did := "proposed"
	if r.Dry {
		did = "would propose"
	}
	line := fmt.Sprintf("%s %s from %s with something new", did, term.InLanes(lessons.WaitingOf(r.found, time.Time{}), "lesson"), term.Plural(r.Sessions, "session"))
	for _, x := range []struct {
		n         int
		one, says string
	}{
		{r.again, "moment", " known already"},
		{r.against, "correction", " against lessons that were given: `learnings check stale`"},
		{r.Excluded, "session", " excluded (learning.exclude)"},
		{r.offered, "better wording", " offered for what waits already"},
	} {
		if x.n > 0 {
			line += "; " + term.Plural(x.n, x.one) + x.says
		}
	}
	if r.short > 0 {
		line += "; " + leftShort(r.short)
	}
	if len(r.found) > 0 && !r.Dry {
		line += "; `learnings` opens the review"
	}
	return line
}

// Offered counts the waiting proposals that were offered a better wording.
func Offered(t intake.Taken) (n int) {
	for _, again := range t.Again {
		if again.Offer != nil && again.Status == lessons.Pending {
			n++
		}
	}
	return n
}

// A Watch prints proposals as they enter the corpus. All fields but Only must be set.
type Watch struct {
	*term.Console
	Corpus *curate.Corpus
	Only   transcript.Places // only sessions in these places; nil for all
	Now    func() time.Time

	Printed int // so far
	cursor  lessons.Cursor
}

// Begin skips the proposals that already wait.
func (w *Watch) Begin(ctx context.Context) (err error) {
	w.cursor, err = w.Corpus.End(ctx)
	return err
}

// Print prints the proposals since the last call.
func (w *Watch) Print(ctx context.Context) error {
	came, end, err := w.Corpus.Proposed(ctx, w.cursor)
	if err != nil {
		return err
	}
	w.cursor = end
	for _, l := range came {
		switch {
		case w.Only != nil && !slices.ContainsFunc(l.Evidence, w.watched):
			continue
		case !w.JSON:
			proposal(w.Console, l, w.Now().Local().Format("15:04:05")+"  "+string(l.ID)+"  ")
		default:
			if err := w.Give(Shelf{Lessons: []lessons.Lesson{l}}); err != nil {
				return err
			}
		}
		w.Printed++
	}
	return w.Out.Flush()
}

// watched reports whether evidence is from a watched session.
func (w *Watch) watched(e lessons.Evidence) bool {
	return slices.ContainsFunc(w.Only, func(p transcript.Place) bool {
		rel, err := filepath.Rel(p.Path, e.Path)
		return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
	})
}

// proposal prints a proposal on one line, on a terminal with before in front.
func proposal(c *term.Console, l lessons.Lesson, before string) {
	if !c.Terminals.Out {
		term.TSV(c.Out, string(l.ID), string(l.Category), l.Scope.Project, l.Trust(), l.Content)
		return
	}
	c.Say("%s%s %s  %s", before, l.Trust(), l.Category, l.Title(max(c.Terminals.Width-24-len(before), 30)))
}
