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

// Scan reads the session file f through and counts, decoding no more than that
// needs. Of f only the path is used: what lies there now is read. Bad lines are
// counted and are no error. When ctx ends it stops with the cause. The acts of
// subagents count in a file of their own, and not where the parent's file notes
// them.
func Scan(ctx context.Context, f File) (Info, error) { return scan(ctx, f, nil) }

// Watch is [Scan], and gives all turns to see, with what is known of the session by
// then; see may keep neither. They come with the words of persons and the calls of
// tools, but mostly without the words of agents and of the program around them, and
// without the answers of tools that did not fail. Of a call, Old and New are not empty
// where they were not, and Input is the same where the arguments were.
func Watch(ctx context.Context, f File, see func(*Turn, *Session)) (Info, error) {
	return scan(ctx, f, see)
}

func scan(ctx context.Context, f File, see func(*Turn, *Session)) (Info, error) {
	in, f, err := Open(f.Path)
	if err != nil {
		return Info{}, err
	}
	defer in.Close()
	r := NewReader(in, f.Format, f.Options())
	r.counts, r.acts = true, see != nil
	info := Info{File: f}
	count := func(t *Turn) {
		info.count(*t, r.session)
		if see != nil {
			see(t, &r.session)
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
	if r.format.waiting() > 0 {
		r.format.flush() // for a count it is good enough
		for i := range r.out {
			count(&r.out[i])
		}
	} else {
		info.Cut = r.half()
	}
	info.Session, info.End = r.session, r.latest
	if r.acts {
		info.Session = r.Session() // the calls tell where the agent worked
	}
	info.Lines = r.read
	return info, nil
}

// ReadAll finds the session files in places as [FindKnown] does and has each of them
// read, as many at a time as there are processors. It yields what came of them in the
// order in which they are found. What cannot be read is an error, and ReadAll goes on
// with the next; when ctx ends it stops without one.
func ReadAll[T any](ctx context.Context, places Places, known func(File) (File, bool), read func(context.Context, File) (T, error)) iter.Seq2[T, error] {
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
			for f, err := range FindKnown(places, known) {
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
