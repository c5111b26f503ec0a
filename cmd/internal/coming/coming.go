// Package coming prints proposals as they come into the corpus, whoever makes them.
package coming

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"learnings/cmd/internal/term"
	"learnings/extractor/transcript"
	"learnings/index/curate"
	"learnings/lessons"
)

// A Printer prints proposals as they come. Its fields but Only and As must be set.
type Printer struct {
	*term.Console
	Corpus *curate.Corpus
	Only   transcript.Places            // of sessions in these places; nil for all
	As     func([]lessons.Lesson) error // prints proposals; nil for a line each
	Now    func() time.Time

	Printed int // so far
	cursor  lessons.Cursor
}

// Begin leaves out what waits already.
func (w *Printer) Begin(ctx context.Context) (err error) {
	w.cursor, err = w.Corpus.End(ctx)
	return err
}

// Print prints what has come since it was last called.
func (w *Printer) Print(ctx context.Context) error {
	came, end, err := w.Corpus.Proposed(ctx, w.cursor)
	if err != nil {
		return err
	}
	w.cursor = end
	for _, l := range came {
		if !w.means(l) {
			continue
		}
		if err := w.line(l); err != nil {
			return err
		}
		w.Printed++
	}
	return w.Out.Flush()
}

// means reports whether a lesson is of the sessions that are watched.
func (w *Printer) means(l lessons.Lesson) bool {
	return w.Only == nil || slices.ContainsFunc(l.Evidence, func(e lessons.Evidence) bool {
		return slices.ContainsFunc(w.Only, func(p transcript.Place) bool {
			rel, err := filepath.Rel(p.Path, e.Path)
			return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
		})
	})
}

func (w *Printer) line(l lessons.Lesson) error {
	switch {
	case w.As != nil:
		return w.As([]lessons.Lesson{l})
	case w.Terminals.Out:
		w.Say("%s  %s  %s %s  %s", w.Now().Local().Format("15:04:05"), l.ID, l.Confidence, l.Category, l.Title(max(w.Terminals.Width-44, 30)))
	default:
		term.TSV(w.Out, string(l.ID), string(l.Category), l.Scope.Project, l.Confidence.String(), l.Content)
	}
	return nil
}
