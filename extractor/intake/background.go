package intake

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"learnings/extractor"
	"learnings/extractor/live"
	"learnings/extractor/transcript"
	"learnings/lessons"
)

const (
	// AskedName is the key in the state of when a model was asked lately.
	AskedName = "asked"
	// ModelRate is the most sessions a model is asked about in an hour.
	ModelRate = 20

	mostSilent = 3 // sessions in a row without an answer, after which no more are asked about

	modelBack = 24 * time.Hour // how old a session that no hook reported may be to be asked about
)

// A Background takes in sessions as they end, while nobody waits. It prints nothing,
// only proposes, and asks a model at most [ModelRate] times an hour. Where the model
// cannot be had, the rules read. All fields but the last two must be set.
type Background struct {
	State   string // folder of what this machine knows of the corpus
	Marks   *extractor.Ledger
	Options extractor.Options
	Model   extractor.Proposer                             // read by it, with its own Marks; nil for the proposers of Options
	Intake  func(ctx context.Context) (*Intake, error)     // called for the first sessions
	Stored  func(ctx context.Context)                      // called after proposals were stored
	Count   func(context.Context, []transcript.File) error // reads what became of the lessons that sessions were given
	Pauses  func() (live.Pauses, error)                    // called each time, because a person may pause while it works
	Log     func(format string, args ...any)
	Now     func() time.Time

	Sessions int              // taken in
	Found    []lessons.Lesson // the lessons proposed from them

	intake *Intake
	rate   live.Rate
}

// Worker returns the worker that takes in sessions in some places. It handles a session
// at a compaction only after minMessages messages of a person.
func (x *Background) Worker(where transcript.Places, minMessages int) *live.Worker {
	x.rate = live.Rate{State: x.State, Name: AskedName, Most: ModelRate, Span: time.Hour}
	o := live.Options{
		State: x.State, Places: where, Known: x.known, Refresh: x.Marks.Refresh, Take: x.take,
		MinMessages: minMessages, Turns: x.Model == nil, Log: x.Log,
	}
	if x.Model != nil {
		o.Back = modelBack
	}
	return live.NewWorker(o)
}

// known completes a transcript that has nothing new: to the model, what the rules alone
// have read is new.
func (x *Background) known(f transcript.File) (transcript.File, bool) {
	if x.Model != nil && !x.Marks.Fresh(f) {
		return f, false
	}
	return x.Marks.Recall(f)
}

// take extracts what is new in sessions, stores it, and marks it as read.
func (x *Background) take(ctx context.Context, files []transcript.File) error {
	pauses, err := x.Pauses()
	if err != nil {
		return err
	}
	if pauses.Holds(x.Now()) {
		return live.ErrLater
	}
	x.Options.Paused = pauses.Holds
	if x.intake == nil {
		if x.intake, err = x.Intake(ctx); err != nil {
			return err
		}
	}
	if x.Model == nil {
		return x.extract(ctx, files, x.Marks, x.Options)
	}
	asking := x.Options
	asking.Proposers = []extractor.Proposer{x.Model}
	// One by one, so that each counts before the next is asked about.
	silent := 0 // in a row
	for i, f := range files {
		ok, err := x.rate.Allow(x.Now())
		if err == nil && !ok {
			err = fmt.Errorf("a model was asked about %d sessions within the hour", ModelRate)
		} else if err == nil {
			err = x.extract(ctx, []transcript.File{f}, x.Marks, asking)
		}
		if err == nil || ctx.Err() != nil {
			if silent = 0; err != nil {
				return err
			}
			continue
		}
		rest, later := files[i:], live.ErrLater
		if silent++; errors.Is(err, extractor.ErrSilent) && silent < mostSilent {
			rest, later = rest[:1], nil // it may be this session alone
		}
		x.Log("put_off=%d reason=%q", len(rest), err.Error())
		rules, err := extractor.OpenLedger(x.State)
		if err == nil {
			err = x.extract(ctx, rest, rules, x.Options)
		}
		if err = cmp.Or(err, later); err != nil {
			return err
		}
	}
	return nil
}

func (x *Background) extract(ctx context.Context, files []transcript.File, marks *extractor.Ledger, o extractor.Options) error {
	before := len(x.Found)
	for t, err := range x.intake.Run(ctx, files, marks, o) {
		var unread *extractor.FileError
		switch {
		case errors.As(err, &unread) && !errors.Is(err, extractor.ErrSilent):
			x.Log("session=%q error=%q", t.Session.ID, err.Error())
			continue
		case err != nil:
			return err
		}
		x.Sessions++
		x.Found = append(x.Found, t.Stored...)
	}
	if len(x.Found) > before {
		x.Stored(ctx)
	}
	return x.Count(ctx, files)
}
