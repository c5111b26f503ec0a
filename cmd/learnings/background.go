package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"learnings/cmd/internal/answer"
	"learnings/cmd/internal/hook"
	"learnings/cmd/internal/process"
	"learnings/cmd/internal/settings"
	"learnings/cmd/internal/term"
	"learnings/extractor"
	"learnings/extractor/intake"
	"learnings/extractor/model"
	"learnings/extractor/transcript"
)

// This file is the worker in the background, which a hook, the desk or an
// extraction starts, and which ends when there is nothing left to do. Its rules are:
//
//   - learning.enabled = false and LEARNINGS_DISABLE=1 switch it off.
//   - It asks a model only with learning.model_in_background, and never more than
//     [intake.ModelRate] times in an hour.
//   - It prints nothing, and only proposes.

// workerLife is how long a worker works at most; the next hook starts another.
const workerLife = time.Hour

// newBackground makes what extracts while nobody waits for it, and the model that it
// asks, or nil if the rules do it.
func newBackground(a *app, log func(format string, args ...any)) (*intake.Background, *model.Proposer, error) {
	c, err := a.configuration()
	if err != nil {
		return nil, nil, err
	}
	marks, err := a.marks()
	if err != nil {
		return nil, nil, err
	}
	x := &intake.Background{
		State: a.places.State, Marks: marks, Stored: a.follow, Pauses: a.pauses, Log: log, Now: a.now,
		Intake: func(ctx context.Context) (*intake.Intake, error) {
			return a.informed(ctx, func(format string, args ...any) { log("error=%s", hook.Quote(fmt.Errorf(format, args...))) })
		},
	}
	x.Count = func(ctx context.Context, files []transcript.File) error {
		_, err := count(ctx, a, files, false, nil)
		return err
	}
	if x.Options, err = extractorOptions(a, nil); err != nil {
		return nil, nil, err
	}
	name := c.Background()
	if name == "" {
		return x, nil, nil
	}
	l := c.Learning
	p, err := newAsker(a, modelOptions{name: name, budget: l.Budget.Value, ceiling: l.MaxUSDPerRun.Value})
	if err != nil {
		return nil, nil, err
	}
	if x.Marks, err = a.modelMarks(); err != nil {
		return nil, nil, err
	}
	x.Model, x.Options.Proposers = true, []extractor.Proposer{model.Patient{Proposer: p}}
	return x, p, nil
}

// runWorker is the life of a worker. SIGTERM ends it whatever it waits for.
func runWorker(ctx context.Context, e env, c answer.Call) {
	process.Frugal()
	if answer.Off(e.getenv) {
		return
	}
	ctx, terminated, stop := process.Interruptible(ctx)
	defer stop()
	ctx, cancel := context.WithTimeout(ctx, workerLife)
	defer cancel()
	process.Bounded(terminated, grace, func() { liveWorker(ctx, e, c) })
}

func liveWorker(ctx context.Context, e env, c answer.Call) {
	e.stderr, e.look = io.Discard, nil
	a := newApp(e, term.NewOutput(io.Discard, false, func(error) {}))
	a.dir = c.Dir
	p, err := a.located()
	if err != nil {
		return
	}
	start := time.Now()
	log := func(format string, args ...any) {
		hook.Log(p.HookLog(), a.now(), "event=worker "+fmt.Sprintf(format, args...))
	}
	x, err := work(ctx, a, log)
	if x != nil && x.Sessions > 0 {
		log("sessions=%d proposed=%d took=%s", x.Sessions, x.Proposed, time.Since(start).Round(time.Millisecond))
	}
	if err != nil {
		log("error=%s", hook.Quote(err))
	}
}

func work(ctx context.Context, a *app, log func(format string, args ...any)) (*intake.Background, error) {
	c, err := settings.Load(a.places.Config)
	if err != nil {
		log("error=%s", hook.Quote(err)) // what can be read of it holds
	}
	a.config = &c
	if !c.Learning.Enabled.Value {
		return nil, nil
	}
	where, err := a.transcripts(nil)
	if err != nil {
		return nil, err
	}
	x, _, err := newBackground(a, log)
	if err != nil {
		return nil, err
	}
	return x, x.Worker(where, c.Learning.MinMessages.Value).Run(ctx)
}
