package telemetry

import (
	"context"
	"iter"
	"path/filepath"

	"learnings/extractor/transcript"
)

// List finds the session files in places as [transcript.FindKnown] does, and gives what
// is kept of each, in the order in which they are found. Those of which nothing is kept,
// or that have changed since, are read, as many at a time as there are processors, and
// kept. What cannot be read is an error, and List goes on with the next; the last error
// may be that nothing could be kept.
//
// Of a session that the person excludes nothing is kept, and what was kept before is
// forgotten.
func List(ctx context.Context, places transcript.Places, known func(transcript.File) (transcript.File, bool), k *Kept, o Options) iter.Seq2[Record, error] {
	type seen struct {
		Record
		fresh bool
	}
	asked := func(f transcript.File) (transcript.File, bool) {
		f.Path = absolute(f.Path)
		if f, ok := k.Known(f); ok {
			return f, true
		}
		return known(f)
	}
	read := func(ctx context.Context, f transcript.File) (seen, error) {
		f.Path = absolute(f.Path)
		if r, ok := k.Recall(f); ok {
			return seen{r, false}, nil
		}
		r, err := Read(ctx, f, o)
		return seen{r, true}, err
	}
	return func(yield func(Record, error) bool) {
		var fresh []Record
		var gone []string
		stopped := false
		for s, err := range transcript.ReadAll(ctx, places, asked, read) {
			switch excluded := err == nil && o.excludes(&s.Record); {
			case excluded && !s.fresh:
				gone = append(gone, s.Path)
				s.Record = s.wordless()
			case s.fresh && err == nil && !excluded:
				fresh = append(fresh, s.Record)
			}
			if stopped = !yield(s.Record, err); stopped {
				break
			}
		}
		err := k.Put(fresh...)
		if err == nil {
			err = k.forget(gone)
		}
		if err != nil && !stopped {
			yield(Record{}, err)
		}
	}
}

// Keep reads one session file and keeps what was done in it.
func Keep(ctx context.Context, k *Kept, f transcript.File, o Options) error {
	f.Path = absolute(f.Path)
	if _, ok := k.Recall(f); ok {
		return nil
	}
	r, err := Read(ctx, f, o)
	if err != nil || o.excludes(&r) {
		return err
	}
	return k.Put(r)
}

func (o Options) excludes(r *Record) bool {
	return o.Excluded != nil && o.Excluded(r.Session.Dir, r.Path) != ""
}

// wordless is a record without anything that was said.
func (r Record) wordless() Record {
	r.Prompt, r.Stuck, r.Errors = "", "", nil
	return r
}

func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

// Rows gives everything that is kept, with the project that each working directory is
// of. Those that the person excludes are left out. No transcript is read, and none need
// be there any more.
func (k *Kept) Rows(project func(dir string) string, excluded func(dir, path string) string) []Row {
	out := make([]Row, 0, k.Len())
	o := Options{Excluded: excluded}
	for r := range k.All() {
		if o.excludes(&r) {
			continue
		}
		row := Row{Record: r, Role: r.Session.Role}
		if dir := r.Session.Dir; dir != "" {
			row.Project = project(dir)
		}
		out = append(out, row)
	}
	return out
}
