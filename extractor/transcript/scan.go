package transcript

import (
	"context"
	"errors"
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
func Scan(ctx context.Context, f File) (Info, error) {
	in, f, err := Open(f.Path)
	if err != nil {
		return Info{}, err
	}
	defer in.Close()
	r := NewReader(in, f.Format, f.Options())
	r.counts = true
	info := Info{File: f}
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
			info.count(t, r.session)
		}
	}
	if r.format.waiting() > 0 {
		r.format.flush() // for a count it is good enough
		for _, t := range r.out {
			info.count(t, r.session)
		}
	} else {
		info.Cut = r.half()
	}
	info.Session, info.End = r.session, r.latest
	info.Lines = r.read
	return info, nil
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
