package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"learnings/cmd/internal/hook"
	"learnings/cmd/internal/process"
	"learnings/cmd/internal/term"
	"learnings/extractor"
	"learnings/extractor/intake"
	"learnings/extractor/model"
	"learnings/extractor/transcript"
)

// This file is the background worker. A hook, the desk or an extraction starts it, and it
// ends when nothing is left to do. Its rules are:
//
//   - learning.enabled = false and LEARNINGS_DISABLE=1 switch it off.
//   - It asks a model only with learning.model_in_background, and never more than
//     [intake.ModelRate] times in an hour.
//   - It prints nothing, and only proposes.

// workerLife is the longest that a worker runs; the next hook starts another.
const workerLife = time.Hour

// newBackground returns the background extraction and its model, or a nil model when it
// uses the rules.
func newBackground(a *app, log func(format string, args ...any)) (*intake.Background, *model.Proposer, error) {
	x := &intake.Background{
		State: a.places.State, Stored: a.follow, Pauses: a.pauses, Log: log, Now: a.now,
		Intake: func(ctx context.Context) (*intake.Intake, error) {
			return a.informed(ctx, func(format string, args ...any) { log("error=%s", hook.Quote(fmt.Errorf(format, args...))) }), nil
		},
		Count: func(ctx context.Context, files []transcript.File) error {
			_, err := count(ctx, a, files, false, nil)
			return err
		},
	}
	var err error
	if x.Options, err = extractorOptions(a, nil); err != nil {
		return nil, nil, err
	}
	name := a.conf.Background()
	if name == "" {
		x.Marks, err = extractor.OpenLedger(x.State)
		return x, nil, err
	}
	p, err := newAsker(a, a.unasked(name, func(format string, args ...any) { log("model=%q", fmt.Sprintf(format, args...)) }))
	if err != nil {
		return nil, nil, err
	}
	x.Model = p
	x.Marks, err = extractor.OpenModelLedger(x.State)
	return x, p, err
}

// runWorker runs a worker to its end. SIGTERM ends it at any time.
func runWorker(ctx context.Context, e env, c hook.Call) {
	process.Frugal()
	if hook.Off(e.getenv) {
		return
	}
	ctx, terminated, stop := process.Interruptible(ctx)
	defer stop()
	ctx, cancel := context.WithTimeout(ctx, workerLife)
	defer cancel()
	process.Bounded(terminated, grace, func() { liveWorker(ctx, e, c) })
}

func liveWorker(ctx context.Context, e env, c hook.Call) {
	e.stderr, e.look = io.Discard, nil
	a := newApp(e, term.NewOutput(io.Discard, false, func(error) {}))
	a.dir = c.Dir
	if a.locate() != nil {
		return
	}
	start := time.Now()
	log := func(format string, args ...any) {
		hook.Log(a.places.HookLog(), a.now(), "event=worker "+fmt.Sprintf(format, args...))
	}
	x, err := work(ctx, a, log)
	if x != nil && x.Sessions > 0 {
		log("sessions=%d proposed=%d took=%s", x.Sessions, len(x.Found), time.Since(start).Round(time.Millisecond))
	}
	if err != nil {
		log("error=%s", hook.Quote(err))
	}
}

// compareFound has the model compare what a worker has found with what waits.
func compareFound(ctx context.Context, a *app, x *intake.Background, asker *model.Proposer) error {
	if asker == nil || len(x.Found) == 0 {
		return nil
	}
	_, advised, err := compare(ctx, a, asker, x.Found, false)
	if len(advised) > 0 {
		a.follow(ctx)
		x.Log("remarks=%d", len(advised))
	}
	return err
}

func work(ctx context.Context, a *app, log func(format string, args ...any)) (x *intake.Background, err error) {
	if a.conf, err = a.places.Load(); err != nil {
		log("error=%s", hook.Quote(err)) // the settings that could be read still hold
	}
	if !a.conf.Learning.Enabled.Value {
		return nil, nil
	}
	if err := a.open(); err != nil {
		return nil, err
	}
	var asker *model.Proposer
	if x, asker, err = newBackground(a, log); err != nil {
		return nil, err
	}
	err = x.Worker(a.transcripts(nil), a.conf.Learning.MinMessages.Value).Run(ctx)
	return x, errors.Join(err, compareFound(ctx, a, x, asker))
}
