// Package sessions finds the transcripts of agents with what was done in them, and lists
// them in lines of text.
package sessions

import (
	"context"
	"iter"

	"learnings/extractor"
	"learnings/extractor/past"
	"learnings/extractor/transcript"
)

// A Finder finds sessions. All of its fields must be set.
type Finder struct {
	Catalog extractor.Catalog
	Kept    *past.Kept
	Past    past.Options
}

// All gives the sessions in places, in the order in which they are found. What is kept
// of one is not read again. What cannot be read is an error, and it goes on with the
// next.
func (f Finder) All(ctx context.Context, places transcript.Places) iter.Seq2[past.Row, error] {
	return func(yield func(past.Row, error) bool) {
		for r, err := range f.Kept.List(ctx, places, f.Catalog.Marks.Recall, f.Past) {
			row := past.Row{Record: r}
			if err == nil {
				row = f.row(r)
			}
			if !yield(row, err) {
				return
			}
		}
	}
}

// Keep keeps what was done in a session that an extraction has just read. That it cannot
// be kept does not matter: who lists sessions reads it again.
func (f Finder) Keep(ctx context.Context, file transcript.File, _ extractor.Options) {
	_ = f.Kept.Read(ctx, file, f.Past)
}

// row adds what the corpus knows.
func (f Finder) row(r past.Record) past.Row {
	s := f.Catalog.Session(r.Info)
	r.Info = s.Info
	return past.Row{Record: r, Project: s.Project, Role: s.Role, Lessons: s.Lessons, Fresh: s.Fresh, Short: s.Short, Excluded: s.Excluded}
}
