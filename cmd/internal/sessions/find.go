// Package sessions finds the transcripts of agents with what was done in them, and lists
// them in lines of text.
package sessions

import (
	"context"
	"iter"
	"time"

	"learnings/extractor"
	"learnings/extractor/redact"
	"learnings/extractor/telemetry"
	"learnings/extractor/transcript"
)

// A Finder finds sessions. All of its fields must be set.
type Finder struct {
	Catalog extractor.Catalog
	Kept    *telemetry.Kept
	Paused  func(time.Time) bool
}

// All gives the sessions in places, in the order in which they are found. What is kept
// of one is not read again. What cannot be read is an error, and it goes on with the
// next.
func (f Finder) All(ctx context.Context, places transcript.Places) iter.Seq2[telemetry.Row, error] {
	return func(yield func(telemetry.Row, error) bool) {
		o := telemetry.Options{Excluded: f.Catalog.Excluded.Func(), Paused: f.Paused, Redactor: redact.New()}
		for r, err := range telemetry.List(ctx, places, f.Catalog.Marks.Recall, f.Kept, o) {
			row := telemetry.Row{Record: r}
			if err == nil {
				row = f.row(r)
			}
			if !yield(row, err) {
				return
			}
		}
	}
}

// Keep keeps what was done in a session that an extraction has just read, of which the
// options say what is not to be read. That it cannot be kept does not matter: who lists
// sessions reads it again.
func (f Finder) Keep(ctx context.Context, file transcript.File, o extractor.Options) {
	_ = telemetry.Keep(ctx, f.Kept, file, telemetry.Options{Excluded: o.Excluded, Paused: o.Paused, Redactor: redact.New()})
}

// row adds what the corpus knows.
func (f Finder) row(r telemetry.Record) telemetry.Row {
	s := f.Catalog.Session(r.Info)
	r.Info = s.Info
	return telemetry.Row{Record: r, Project: s.Project, Role: s.Role, Lessons: s.Lessons, Fresh: s.Fresh, Short: s.Short, Excluded: s.Excluded}
}
