package main

import (
	"errors"
	"fmt"
	"os"

	"learnings/cmd/internal/hook"
	"learnings/extractor/live"
	"learnings/extractor/model/llm"
)

// workerEvent is the event by which a hook of ours starts the worker.
const workerEvent = "worker"

// wake starts a worker for the corpus unless one runs. It does not wait for it.
func (a *app) wake() error {
	p, err := a.located()
	if err != nil || a.start == nil || a.sample || live.Running(p.State) {
		return err
	}
	if err := os.MkdirAll(p.State, 0o700); err != nil {
		return fmt.Errorf("making the state folder: %w", err)
	}
	return a.start(p.State, "hook", workerEvent, "--dir", p.Corpus)
}

// resume starts a worker when there is something that none has dealt with.
func (a *app) resume() {
	c, err := a.configuration()
	if err == nil && c.Learning.Enabled.Value && (live.Spool{State: a.places.State}).Waiting() {
		_ = a.wake() // else the next one does it
	}
}

// capture takes note of what a hook tells and has a worker deal with it.
func (a *app) capture(e hook.Ending) error {
	p, err := a.located()
	if err != nil {
		return err
	}
	n := live.Notice{Event: live.Event(e.Event), Session: e.Session, Path: e.Transcript, Dir: e.Dir, At: a.now()}
	return errors.Join(live.Spool{State: p.State}.Append(n), a.wake())
}

// switchedOff reports that this process runs in an agent that we have started.
func switchedOff(e env) bool {
	v := e.getenv(llm.DisableVariable)
	return v != "" && v != "0"
}
