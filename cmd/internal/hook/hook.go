// Package hook answers the hooks of coding agents: programs that an agent runs at certain
// moments, with JSON on standard input, and whose output it gives to the model.
//
// A hook must never get in a person's way. With a broken corpus, a missing index or an
// agent that sends nonsense, [Run] still returns soon and without an error. It prints one
// object in the agent's form, or nothing. It uses no network and no model, and only
// writes its log, what the session was given, and what a person typed to have it
// remembered, as a proposal. It never decides on a lesson. When a turn or session ends it leaves a notice for the
// worker.
//
// [Answer] runs the command line of `learnings hook EVENT` and of learnings-hook
// ([Small]), which does little else and starts in a quarter of the time.
package hook

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"learnings/extractor/live"
	"learnings/index/recall"
	"learnings/lessons"
)

// SessionStart is the event of a session's start, as named on the command line.
const SessionStart = "session-start"

// StartTokens is the default number of tokens that a session starts with.
const StartTokens = recall.StartTokens

// Patience is the time limit of a hook, and LogPatience the extra time for logging that
// it was exceeded.
const (
	Patience    = 1500 * time.Millisecond
	LogPatience = 200 * time.Millisecond
)

// A Setup holds the paths and the configuration of hooks.
type Setup struct {
	Corpus string // the folder of lessons
	State  string // this machine's state of the corpus
	Index  string
	Log    string // a file; "" keeps no log

	Role        string  // for sessions without a role
	MaxInject   int     // lessons per prompt at most; 0 gives none at all
	StartTokens int     // given at a session's start
	Holdout     float64 // the share of sessions that a lesson is withheld from
	TrustEdits  bool    // give unconfirmed lessons of other programs
	Learn       bool    // note sessions

	Project func(dir string) string // of a working directory
	// Excluded says what excludes a session by its folder and transcript, "" for nothing.
	// Nil excludes none.
	Excluded func(dir, path string) string
	// Asked makes a proposal of what a prompt asks to have remembered, without secrets; false
	// if it asks for nothing. Nil finds nothing.
	Asked   func(prompt string, at lessons.Evidence, in lessons.Scope) (lessons.Lesson, bool)
	Trouble error // errors in the configuration, for the log
}

// A Config is what one call needs.
type Config struct {
	Setup
	Dir  string                  // where the agent works, if it does not say
	Note func(live.Notice) error // stores a notice of an ended session, or part of one; nil stores none

	For   string // the calling agent, as in --for; "" if unknown
	Probe string // see [ProbeVariable]; "" for none
	Now   func() time.Time
}

// An outcome is the result of an event.
type outcome struct {
	text []byte       // to print
	done func() error // records that text was printed; may be nil
	rec  record
}

// Run answers one event. It reads the agent's JSON from in, which may be nil, and writes
// the text for the model to out.
func Run(ctx context.Context, name string, in io.Reader, out io.Writer, c Config) {
	ctx, cancel := context.WithTimeout(ctx, Patience)
	defer cancel()
	start := time.Now()
	done := make(chan outcome, 1)
	go func() {
		o := outcome{rec: record{event: name, agent: c.For}}
		defer func() {
			if r := recover(); r != nil {
				o.text, o.done = nil, nil
				o.rec.err = errors.Join(o.rec.err, fmt.Errorf("panic: %v", r))
			}
			done <- o
		}()
		o.rec.err = errors.Join(o.rec.err, answer(ctx, name, in, c, &o))
	}()
	var o outcome
	select {
	case o = <-done:
	case <-ctx.Done():
		// Whatever still runs ends with the process and prints nothing.
		o.rec = record{event: name, agent: c.For, err: errors.New("gave up: it took too long")}
	}
	if len(o.text) > 0 {
		if _, err := out.Write(o.text); err != nil {
			o.done = nil
			o.rec.err = errors.Join(o.rec.err, err)
		}
	}
	if o.done != nil {
		o.rec.err = errors.Join(o.rec.err, o.done())
	}
	o.rec.err = errors.Join(c.Trouble, o.rec.err)
	o.rec.took = time.Since(start)
	o.rec.write(c.Log, c.Now())
}

// answer computes the outcome of an event.
func answer(ctx context.Context, name string, in io.Reader, c Config, o *outcome) error {
	e := eventOf(name)
	if c.Probe != "" && e != "" {
		return probe(ctx, e, in, c, o)
	}
	switch e {
	case "":
		return errors.New("no such event")
	case preTool:
		return guarded(ctx, in, c, o)
	case preCompact, stop, subagentStop, sessionEnd:
		return ended(ctx, e, in, c, o)
	}
	p, err := readPayload(ctx, in, payloadWait)
	o.rec.session = p.Session
	if err != nil {
		return err
	}
	a := agentNamed(c.For, agentOf(p.Path))
	if called := eventOf(p.Event); p.Event != "" && called != e {
		if e != toolFailure || called != postTool {
			return fmt.Errorf("called for %s: the agent would not accept the answer to %s", word(p.Event), e)
		}
		e = postTool
	}
	if e != userPrompt && (c.MaxInject < 1 || !a.answers(e)) {
		return nil
	}
	if p.Dir == "" || !filepath.IsAbs(p.Dir) {
		p.Dir = c.Dir
	}
	t := telling{Config: c, agent: a, event: e, payload: p, outcome: o}
	switch e {
	case sessionStart:
		return t.start(ctx)
	case userPrompt:
		return t.prompt(ctx)
	case subagentStart:
		return t.subagent(ctx)
	}
	return t.failure(ctx)
}

// ended notes the end of a session or a part of one. If the agent's JSON is missing or
// broken the notice has less.
func ended(ctx context.Context, e event, in io.Reader, c Config, o *outcome) error {
	if c.Note == nil {
		return nil
	}
	p, err := readPayload(ctx, in, endingWait)
	o.rec.session, o.rec.via = p.Session, "spool"
	n := live.Notice{Event: live.Event(e), Session: p.Session, Path: p.Path, Dir: p.Dir, At: c.Now()}
	if !filepath.IsAbs(n.Path) {
		n.Path = ""
	}
	if !filepath.IsAbs(n.Dir) {
		n.Dir = c.Dir
	}
	if agentNamed(c.For, agentOf(n.Path)).unnamed {
		n.Session = "" // it would find nothing
	}
	return errors.Join(err, c.Note(n))
}
