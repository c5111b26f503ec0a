package transcript

import (
	"context"
	"errors"
	"iter"
	"runtime"
	"time"
)

// An Info is what one pass over a session file tells of it.
type Info struct {
	File
	Session    Session
	End        time.Time // the latest time in the file
	Lines      int       // that were read
	BadLines   int       // of which could not be
	FirstBad   *LineError
	Human      int  // turns in which a person said something: messages, steering, reasons, answers, commands, shell lines
	Calls      int  // of tools, by the agent itself
	ToolErrors int  // answers that say that the tool failed
	Refusals   int  // calls that the person refused or stopped
	Cut        bool // the end of the file is half a record: it is being written, or its agent died
}

// Scan reads the session file f through and counts. Of f only the path is used: what lies there now is read. Bad lines are
// counted and are no error. When ctx ends it stops with the cause. The acts of
// subagents count in a file of their own, and not where the parent's file notes
// them.
func Scan(ctx context.Context, f File) (Info, error) { return scan(ctx, f, nil) }

// A Listener reads sessions for what a person lets be read of them.
type Listener struct {
	Excluded func(dir, path string) string // what excludes a session; nil or "" excludes none
	Paused   func(time.Time) bool          // whether turns at a time are left out; nil leaves out none
}

// ErrExcluded is the error for a session that a person excludes.
var ErrExcluded = errors.New("the session is excluded by learning.exclude")

// Hear reads the session file f through, as [Scan] does, and calls see for each turn that
// was not said in a pause. A turn without a time has that of the turn before it, and the
// first ones that of the file. see may keep the turn. Where a session lies is known only
// as it is read: of one that turns out to be excluded the error is [ErrExcluded], and what
// was seen must be forgotten.
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
		r.format.flush() // for a count it is good enough
		for i := range r.out {
			count(&r.out[i])
		}
	} else {
		info.Cut = r.half()
	}
	info.Session, info.End, info.Lines = r.session, r.latest, r.read
	if see != nil {
		info.Session = r.Session() // the calls tell where the agent worked
	}
	return info, nil
}

// All gives values as [ReadAll] takes them.
func All[T any](all []T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for _, x := range all {
			if !yield(x, nil) {
				return
			}
		}
	}
}

// ReadAll has each file, or what stands for one, read, as many at a time as there are
// processors. It yields what came of them in the order of the files. What cannot be read
// is an error, and ReadAll goes on with the next; when ctx ends it stops without one.
func ReadAll[F, T any](ctx context.Context, files iter.Seq2[F, error], read func(context.Context, F) (T, error)) iter.Seq2[T, error] {
	type answered struct {
		of  T
		err error
	}
	return func(yield func(T, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		line := make(chan chan answered, 2*runtime.GOMAXPROCS(0)) // each file's answer has a place in it
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
				cancel() // and let those that are being read come to their end
			}
		}
	}
}

func (i *Info) count(t Turn, s Session) {
	switch {
	case t.Sidechain && s.Parent == "": // a subagent's, noted in the file of its parent
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
