package past

import (
	"cmp"
	"context"
	"iter"
	"path/filepath"
	"sync"
	"time"

	"learnings/extractor"
	"learnings/extractor/transcript"
)

// A Row is a session with what the corpus knows about it.
type Row struct {
	Record
	Project  string
	Role     string
	Lessons  int    // taken from it
	Fresh    bool   // something in it has not been extracted yet
	Short    bool   // left until it grows
	Excluded string // the pattern that excludes it
}

// A Finder lists sessions with what the corpus knows about them, and answers queries
// about those listed. All exported fields but NotRead must be set. Several goroutines
// may use it.
type Finder struct {
	Options
	Marks   *extractor.Ledger
	Role    string         // of sessions that name none
	NotRead func() []error // errors to yield after the first listing; may be nil
	Now     func() time.Time

	mu   sync.Mutex
	rows map[string]Row // by path
}

// All yields the sessions in places, in the order in which they are found. It reads
// only those that are not kept, or have changed. After an error for one it goes on with
// the next.
func (f *Finder) All(ctx context.Context, places transcript.Places) iter.Seq2[Row, error] {
	known := func(file transcript.File) (transcript.File, bool) {
		file.Path = absolute(file.Path)
		if r, ok := f.Kept.Recall(file); ok {
			file.Format, file.Agent = r.Format, r.Agent
			return file, true
		}
		return f.Marks.Recall(file)
	}
	return func(yield func(Row, error) bool) {
		for s, err := range f.each(ctx, transcript.FindKnown(places, known), false) {
			row := Row{Record: s.Record}
			if err == nil {
				row = f.row(s.Record)
			}
			if !yield(row, err) {
				return
			}
		}
	}
}

// row adds what the corpus knows. If the session is not read now, the mark of an
// earlier extraction says what the transcript says of itself.
func (f *Finder) row(r Record) Row {
	row := Row{Record: r, Fresh: !f.Marks.Fresh(r.File)}
	s := &row.Record.Session
	if m, ok := f.Marks.Mark(absolute(r.Path)); ok {
		row.Lessons, row.Short = m.Lessons, m.Short() && !row.Fresh
		if s.ID == "" {
			*s = m.Session
		}
	}
	if s.Dir != "" {
		row.Project = f.Project(s.Dir)
	}
	row.Role = cmp.Or(s.Role, r.Agent, f.Role)
	if f.Excluded != nil {
		if row.Excluded = f.Excluded(s.Dir, r.Path); row.Excluded != "" {
			row.Fresh, row.Short = false, false
		}
	}
	return row
}

// Unread is the number of turns of a session that is not read yet.
const Unread = -1

// List yields each session twice, for a screen: first with what is kept, or else with what
// its beginning says and [Unread] turns, then as read. What cannot be read is
// an error.
func (f *Finder) List(ctx context.Context, places transcript.Places) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		told := map[string]bool{} // each error is reported once
		tell := func(row Row, err error) bool {
			if err != nil {
				if told[err.Error()] {
					return true
				}
				told[err.Error()] = true
			}
			return ctx.Err() == nil && yield(row, err)
		}
		// Extractions of the desk and of hooks commit through other ledgers.
		if err := f.Marks.Refresh(); err != nil && !tell(Row{}, err) {
			return
		}
		for file, err := range transcript.FindKnown(places, f.Marks.Recall) {
			var row Row
			if err == nil {
				row = f.found(file)
			}
			if !tell(row, err) {
				return
			}
		}
		if f.NotRead != nil {
			for _, err := range f.NotRead() {
				if !tell(Row{}, err) {
					return
				}
			}
		}
		for row, err := range f.All(ctx, places) {
			if err == nil {
				f.keep(row)
			}
			if !tell(row, err) {
				return
			}
		}
	}
}

// found is a session before it is read.
func (f *Finder) found(file transcript.File) Row {
	r, known := f.Kept.Recall(file)
	if !known {
		r = Record{Info: transcript.Info{File: file, Session: transcript.Peek(file)}}
	}
	row := f.row(r)
	if !known {
		row.Human, row.Corrections, row.ToolErrors = Unread, Unread, Unread
	}
	row.Record.Session.ID = cmp.Or(row.Record.Session.ID, filepath.Base(file.Path))
	f.keep(row)
	return row
}

func (f *Finder) keep(row Row) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.rows == nil {
		f.rows = map[string]Row{}
	}
	f.rows[row.Path] = row
}

// Where parses a query and returns a function that reports whether it matches the
// listed session at a path. The error is that of [Parse].
func (f *Finder) Where(query string) (func(path string) bool, error) {
	q, err := Parse(query, f.Now())
	if err != nil {
		return nil, err
	}
	return func(path string) bool {
		f.mu.Lock()
		row, ok := f.rows[path]
		f.mu.Unlock()
		return ok && q.Match(&row)
	}, nil
}
