package recurring

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"iter"
	"runtime"
	"sync"

	"learnings/extractor/rules"
	"learnings/extractor/transcript"
	"learnings/lessons"
)

const (
	// maxFailures is how many errors of one transcript are kept, so that a
	// hostile one cannot fill the memory.
	maxFailures = 20_000
	// readAhead is how many files may have been read ahead of their turn, for
	// each one that is being read.
	readAhead = 4
)

// A failure is a call that failed.
type failure struct {
	rules.Mistake
	record   uint64 // hash of the record's id, 0 for none: agents copy records into new sessions
	project  string
	evidence lessons.Evidence
	cure     *rules.Cure // how the call worked a little later; nil when nothing shows that
}

// A reading is the result of reading one transcript.
type reading struct {
	failures []failure
	err      error
}

// readAll reads files, as many at once as there are processors, and yields the
// results in the order of the files.
func readAll(ctx context.Context, files []transcript.File, o Options) iter.Seq2[transcript.File, reading] {
	return func(yield func(transcript.File, reading) bool) {
		ctx, stop := context.WithCancel(ctx)
		var wg sync.WaitGroup
		defer wg.Wait()
		defer stop() // ends the reading of files that nobody waits for
		workers := runtime.GOMAXPROCS(0)
		busy := make(chan struct{}, workers)
		waiting := make(chan chan reading, readAhead*workers)
		wg.Go(func() {
			defer close(waiting)
			for _, f := range files {
				done := make(chan reading, 1)
				select {
				case waiting <- done:
				case <-ctx.Done():
					return
				}
				busy <- struct{}{}
				wg.Go(func() {
					defer func() { <-busy }()
					var r reading
					r.failures, r.err = read(ctx, f, o)
					done <- r
				})
			}
		})
		i := 0
		for done := range waiting {
			if !yield(files[i], <-done) {
				return
			}
			i++
		}
	}
}

// read gives the failures of one transcript.
func read(ctx context.Context, f transcript.File, o Options) ([]failure, error) {
	file, found, err := transcript.Open(f.Path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	r := transcript.NewReader(file, found.Format, found.Options())
	var out []failure
	var cures rules.Cures
	at := found.ModTime // of what has no time, and nothing before it that has one
	for t, err := range r.Turns() {
		var bad *transcript.LineError
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case errors.As(err, &bad):
			continue
		case err != nil:
			return nil, fmt.Errorf("reading %s: %w", f.Path, err)
		case len(out) == maxFailures:
			continue
		}
		if !t.At.IsZero() {
			at = t.At
		}
		if o.Paused != nil && o.Paused(at) {
			continue
		}
		if c, ok := cures.Watch(r.Session().Dir, len(out), &t); ok {
			for _, i := range c.Failed {
				out[i].cure = &c
			}
		}
		m, ok := rules.MistakeOf(&t)
		if !ok {
			continue
		}
		s := r.Session()
		x := failure{Mistake: m, evidence: lessons.Evidence{
			Agent: string(found.Format), Session: cmp.Or(t.Session, s.ID, f.Path), UUID: t.UUID, Path: f.Path, Line: t.Line,
			By: lessons.ByTool, From: "tool-error", At: t.At, Quote: m.Error,
		}}
		if t.Tool.Command != "" {
			x.evidence.Before = []string{"agent, " + t.Tool.Name + ": " + clipped(t.Tool.Command)}
		}
		if t.UUID != "" {
			h := fnv.New64a()
			_, _ = h.Write([]byte(t.UUID + "\x00" + m.Print))
			x.record = h.Sum64()
		}
		out = append(out, x)
	}
	dir := r.Session().Dir
	if o.Excluded != nil && o.Excluded(dir, f.Path) != "" {
		return nil, nil
	}
	name := o.Project(dir)
	for i := range out {
		out[i].project = name
	}
	return out, nil
}
