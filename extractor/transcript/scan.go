package transcript

import (
	"context"
	"errors"
	"iter"
	"runtime"
	"time"
)

// An Info is what one pass over a session file finds.
type Info struct {
	File
	Session    Session
	End        time.Time // the latest time in the file
	Lines      int       // read
	BadLines   int       // that could not be read
	FirstBad   *LineError
	Human      int  // turns in which a person said something: messages, steering, reasons, answers, commands, shell lines
	Calls      int  // of tools, by the agent itself
	ToolErrors int  // answers that say that the tool failed
	Refusals   int  // calls that the person refused or stopped
	Cut        bool // the file ends within a record: it is being written, or its agent died
}

// Scan reads the current content of the file at f.Path and counts. Bad lines are
// counted and are no error. When ctx ends, Scan returns its cause. Acts of subagents
// count in their own files, not in the file of the parent.
func Scan(ctx context.Context, f File) (Info, error) { return scan(ctx, f, nil) }

// A Listener reads sessions within the limits that a person set.
type Listener struct {
	Excluded func(dir, path string) string // returns what excludes a session, or ""; nil excludes none
	Paused   func(time.Time) bool          // reports whether to skip turns at a time; nil skips none
}

// ErrExcluded is the error for a session that a person excludes.
var ErrExcluded = errors.New("the session is excluded by learning.exclude")

// Hear reads the session file f like [Scan], and calls see for each turn that was not
// said in a pause. A turn without a time has that of the turn before it, or else that
// of the file. see may keep the turn. The folder of a session is known only while it is
// read: if the session turns out to be excluded, the error is [ErrExcluded] and the
// caller must drop what it has seen.
func (l Listener) Hear(ctx context.Context, f File, see func(t *Turn, r *Reader, at time.Time)) (Info, error) {
	var at time.Time
	info, err := scan(ctx, f, func(t *Turn, r *Reader, info *Info) {
		if at.IsZero() {
			at = info.ModTime
		}
		if !t.At.IsZero() {
			at = t.At
		}
		if l.Paused == nil || !l.Paused(at) {
			see(t, r, at)
		}
	})
	if err == nil && l.Excluded != nil && l.Excluded(info.Session.Dir, info.Path) != "" {
		err = ErrExcluded
	}
	return info, err
}

func scan(ctx context.Context, f File, see func(*Turn, *Reader, *Info)) (Info, error) {
	in, f, err := Open(f.Path)
	if err != nil {
		return Info{}, err
	}
	defer in.Close()
	r := NewReader(in, f.Format, f.Options())
	info := Info{File: f}
	count := func(t *Turn) {
		info.count(*t, r.session)
		if see != nil {
			see(t, r, &info)
		}
	}
	for t, err := range r.Turns() {
		if ctx.Err() != nil {
			return Info{}, context.Cause(ctx)
		}
		var bad *LineError
		switch {
		case errors.As(err, &bad):
			if info.BadLines++; info.FirstBad == nil {
				info.FirstBad = bad
			}
		case err != nil:
			return Info{}, err
		default:
			count(&t)
		}
	}
	if see == nil && r.format.waiting() > 0 {
		r.format.flush() // good enough for a count
		for i := range r.out {
			count(&r.out[i])
		}
	} else {
		info.Cut = r.half()
	}
	info.Session, info.End, info.Lines = r.session, r.latest, r.read
	if see != nil {
		info.Session = r.Session() // paths of the calls tell where the agent worked
	}
	return info, nil
}

// All returns values as an argument for [ReadAll].
func All[T any](all []T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for _, x := range all {
			if !yield(x, nil) {
				return
			}
		}
	}
}

// ReadAll calls read for each file, as many at a time as there are processors, and
// yields the results in the order of the files. After an error it goes on with the next
// file; when ctx ends it stops without one.
func ReadAll[F, T any](ctx context.Context, files iter.Seq2[F, error], read func(context.Context, F) (T, error)) iter.Seq2[T, error] {
	type answered struct {
		of  T
		err error
	}
	return func(yield func(T, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		line := make(chan chan answered, 2*runtime.GOMAXPROCS(0)) // keeps the answers in the order of the files
		go func() {
			defer close(line)
			slots := make(chan struct{}, runtime.GOMAXPROCS(0))
			for f, err := range files {
				answer := make(chan answered, 1)
				select {
				case line <- answer:
				case <-ctx.Done():
					return
				}
				if err != nil {
					answer <- answered{err: err}
					continue
				}
				slots <- struct{}{}
				go func() {
					defer func() { <-slots }()
					of, err := read(ctx, f)
					answer <- answered{of, err}
				}()
			}
		}()
		for answer := range line {
			s := <-answer
			if ctx.Err() == nil && !yield(s.of, s.err) {
				cancel() // and let running reads finish
			}
		}
	}
}

func (i *Info) count(t Turn, s Session) {
	switch {
	case t.Sidechain && s.Parent == "": // of a subagent, in the file of its parent
	case t.Kind == Call:
		i.Calls++
	case t.Kind == Result && t.Failed:
		i.ToolErrors++
	case t.Kind == Result && t.Refused:
		i.Refusals++
	case t.Speaker == Person && t.Text != "":
		i.Human++
	}
}
