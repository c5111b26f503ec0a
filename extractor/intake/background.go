package intake

import (
	"context"
	"errors"
	"fmt"
	"time"

	"learnings/extractor"
	"learnings/extractor/live"
	"learnings/extractor/model/llm"
	"learnings/extractor/transcript"
)

const (
	// AskedName is the key in the state of when a model was asked lately.
	AskedName = "asked"
	// ModelRate is the most sessions a model is asked about in an hour.
	ModelRate = 20

	modelBack = 24 * time.Hour // how old a session that no hook reported may be to be asked about
)

// A Background takes in sessions as they end, while nobody waits. It prints nothing,
// only proposes, and asks a model at most [ModelRate] times an hour. All fields but the
// last two must be set.
type Background struct {
	State   string // folder of what this machine knows of the corpus
	Marks   *extractor.Ledger
	Options extractor.Options
	Model   bool                                           // Options ask a model
	Intake  func(ctx context.Context) (*Intake, error)     // called for the first sessions
	Stored  func(ctx context.Context)                      // called after proposals were stored
	Count   func(context.Context, []transcript.File) error // reads what became of the lessons that sessions were given
	Pauses  func() (live.Pauses, error)                    // called each time, because a person may pause while it works
	Log     func(format string, args ...any)
	Now     func() time.Time

	Sessions int // taken in
	Proposed int // lessons proposed from them

	intake *Intake
	rate   live.Rate
}

// Worker returns the worker that takes in sessions in some places. It handles a session
// at a compaction only after minMessages messages of a person.
func (x *Background) Worker(where transcript.Places, minMessages int) *live.Worker {
	x.rate = live.Rate{State: x.State, Name: AskedName, Most: ModelRate, Span: time.Hour}
	o := live.Options{
		State: x.State, Places: where, Known: x.Marks.Recall, Refresh: x.Marks.Refresh, Take: x.take,
		MinMessages: minMessages, Turns: !x.Model, Log: x.Log,
	}
	if x.Model {
		o.Back = modelBack
	}
	return live.NewWorker(o)
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
	if !x.Model {
		return x.extract(ctx, files)
	}
	// One by one, so that each counts before the next is asked about.
	for _, f := range files {
		ok, err := x.rate.Allow(x.Now())
		switch {
		case err != nil:
			return err
		case !ok:
			x.Log("put_off=%d reason=%q", len(files), fmt.Sprintf("a model was asked about %d sessions within the hour", ModelRate))
			return live.ErrLater
		}
		if err := x.extract(ctx, []transcript.File{f}); err != nil {
			return err
		}
	}
	return nil
}

func (x *Background) extract(ctx context.Context, files []transcript.File) error {
	before := x.Proposed
	for t, err := range x.intake.Run(ctx, files, x.Marks, x.Options) {
		var unread *extractor.FileError
		switch {
		case errors.As(err, &unread):
			x.Log("session=%q error=%q", t.Session.ID, err.Error())
			continue
		case errors.Is(err, llm.ErrCeiling):
			x.Log("put_off=%d reason=%q", len(files), err.Error())
			return live.ErrLater
		case err != nil:
			return err
		}
		x.Sessions++
		x.Proposed += len(t.Stored)
	}
	if x.Proposed > before {
		x.Stored(ctx)
	}
	return x.Count(ctx, files)
}
