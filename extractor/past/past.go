// Package past answers questions about sessions that are over, from their transcripts:
// what an agent did in each ([Read], kept by [Kept] and asked for by a [Query]), which
// mistakes come back over sessions ([Find]), which calls a guard would have stopped
// ([Try]), what came of the lessons that were given ([OutcomeReader]), and what sessions
// would have been given ([Backtest]).
package past

import (
	"context"
	"errors"
	"iter"
	"time"

	"learnings/extractor/transcript"
)

// Options say what may be read of sessions, and what they are called. Several goroutines
// may call the functions at once.
type Options struct {
	Project  func(dir string) string       // names the project of a working directory
	Excluded func(dir, path string) string // what excludes a session; nil or "" excludes none
	Paused   func(time.Time) bool          // what was done at such a time does not count; nil counts everything
	Redact   func(string) string           // takes secrets out of what is shown or kept; nil takes out none
}

// Listener reads sessions as these options say.
func (o Options) Listener() transcript.Listener {
	return transcript.Listener{Excluded: o.Excluded, Paused: o.Paused}
}

func (o Options) redact(s string) string {
	if o.Redact == nil {
		return s
	}
	return o.Redact(s)
}

// A Reading is what one transcript gave.
type Reading[T any] struct {
	File   transcript.File
	Of     T
	Err    error // why it could not be read
	Counts bool  // it was read, and is not excluded
}

// Each reads files, several at a time, and yields what came of them in their order.
func Each[T any](ctx context.Context, files []transcript.File, read func(context.Context, transcript.File) (T, error)) iter.Seq[Reading[T]] {
	one := func(ctx context.Context, f transcript.File) (Reading[T], error) {
		of, err := read(ctx, f)
		r := Reading[T]{f, of, err, err == nil}
		if errors.Is(err, transcript.ErrExcluded) {
			r.Err = nil
		}
		return r, nil
	}
	return func(yield func(Reading[T]) bool) {
		for r := range transcript.ReadAll(ctx, transcript.All(files), one) {
			if !yield(r) {
				return
			}
		}
	}
}
