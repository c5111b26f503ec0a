package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"learnings/cmd/internal/hook"
	"learnings/cmd/internal/process"
	"learnings/cmd/internal/settings"
	"learnings/cmd/internal/term"
	"learnings/extractor"
	"learnings/extractor/intake"
	"learnings/extractor/live"
	"learnings/extractor/model"
	"learnings/extractor/model/llm"
	"learnings/extractor/transcript"
)

// This file is the worker in the background, which a hook, the desk or an
// extraction starts, and which ends when there is nothing left to do. Its rules are:
//
//   - learning.enabled = false and LEARNINGS_DISABLE=1 switch it off.
//   - It asks a model only with learning.model_in_background, and never more than
//     modelRate times in an hour.
//   - It prints nothing, and only proposes.

// askedName is the file that records when a model was asked lately.
const askedName = "asked.json"

// Limits of the work in the background.
const (
	workerLife = time.Hour
	modelRate  = 20             // how many sessions a model is asked about in an hour
	modelBack  = 24 * time.Hour // how old a session may be for that when no hook has reported it
)

// A background extracts while nobody waits for it.
type background struct {
	a        *app
	marks    *extractor.Ledger
	intake   *intake.Intake // made for the first sessions
	opts     extractor.Options
	model    *model.Proposer // nil when the rules do it
	rate     live.Rate
	log      func(format string, args ...any)
	sessions int
	proposed int
}

func newBackground(a *app, log func(format string, args ...any)) (*background, error) {
	c, err := a.configuration()
	if err != nil {
		return nil, err
	}
	b := &background{a: a, log: log}
	if b.marks, err = a.marks(); err != nil {
		return nil, err
	}
	if b.opts, err = extractorOptions(a, nil); err != nil {
		return nil, err
	}
	b.rate = live.Rate{State: a.places.State, Name: askedName, Most: modelRate, Span: time.Hour}
	if name := c.Background(); name != "" {
		l := c.Learning
		if b.model, err = newAsker(a, modelOptions{name: name, budget: l.Budget.Value, ceiling: l.MaxUSDPerRun.Value}); err != nil {
			return nil, err
		}
		b.opts.Proposers = []extractor.Proposer{model.Patient{Proposer: b.model}}
	}
	return b, nil
}

// worker makes the one that calls take.
func (b *background) worker(where transcript.Places) *live.Worker {
	c, _ := b.a.configuration() // it was read before
	o := live.Options{
		State: b.a.places.State, Places: where, Known: b.marks.Recall, Refresh: b.marks.Refresh, Take: b.take,
		MinMessages: c.Learning.MinMessages.Value, Turns: b.model == nil, Log: b.log,
	}
	if b.model != nil {
		o.Back = modelBack
	}
	return live.NewWorker(o)
}

// take extracts from sessions what is new, stores it, and marks it as read.
func (b *background) take(ctx context.Context, files []transcript.File) error {
	if b.intake == nil {
		var err error
		warn := func(format string, args ...any) { b.log("error=%s", hook.Quote(fmt.Errorf(format, args...))) }
		if b.intake, err = b.a.informed(ctx, warn); err != nil {
			return err
		}
	}
	if b.model == nil {
		return b.extract(ctx, files)
	}
	files, err := notWaiting(b.a, files) // in a batch, which is paid for
	if err != nil {
		return err
	}
	// One after the other, so that each counts before the next is asked about.
	for _, f := range files {
		ok, err := b.rate.Allow(b.a.now())
		switch {
		case err != nil:
			return err
		case !ok:
			b.log("put_off=%d reason=%q", len(files), fmt.Sprintf("a model was asked about %d sessions within the hour", modelRate))
			return live.ErrLater
		}
		if err := b.extract(ctx, []transcript.File{f}); err != nil {
			return err
		}
	}
	return nil
}

func (b *background) extract(ctx context.Context, files []transcript.File) error {
	before := b.proposed
	for t, err := range b.intake.Run(ctx, files, b.marks, b.opts) {
		var unread *extractor.FileError
		switch {
		case errors.As(err, &unread):
			b.log("session=%s error=%s", hook.Word(t.Session.ID), hook.Quote(err))
			continue
		case errors.Is(err, llm.ErrCeiling):
			b.log("put_off=%d reason=%s", len(files), hook.Quote(err))
			return live.ErrLater
		case err != nil:
			return err
		}
		b.sessions++
		b.proposed += len(t.Stored)
	}
	if b.proposed > before {
		b.a.follow(ctx)
	}
	return nil
}

// runWorker is the life of a worker. SIGTERM ends it whatever it waits for.
func runWorker(ctx context.Context, e env, h call) {
	if switchedOff(e) {
		return
	}
	ctx, terminated, stop := process.Interruptible(ctx)
	defer stop()
	ctx, cancel := context.WithTimeout(ctx, workerLife)
	defer cancel()
	process.Bounded(terminated, grace, func() { liveWorker(ctx, e, h) })
}

func liveWorker(ctx context.Context, e env, h call) {
	e.stderr = io.Discard
	a := newApp(e, term.NewOutput(io.Discard, false, func(error) {}))
	a.dir = h.dir
	p, err := a.located()
	if err != nil {
		return
	}
	start := time.Now()
	log := func(format string, args ...any) {
		hook.Log(p.HookLog(), a.now(), "event=worker "+fmt.Sprintf(format, args...))
	}
	b, err := work(ctx, a, log)
	if b != nil && b.sessions > 0 {
		log("sessions=%d proposed=%d took=%s", b.sessions, b.proposed, time.Since(start).Round(time.Millisecond))
	}
	if err != nil {
		log("error=%s", hook.Quote(err))
	}
}

func work(ctx context.Context, a *app, log func(format string, args ...any)) (*background, error) {
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
	b, err := newBackground(a, log)
	if err != nil {
		return nil, err
	}
	return b, b.worker(where).Run(ctx)
}
