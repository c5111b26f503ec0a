// Package hook answers the hooks of coding agents: programs that an agent runs
// at certain moments, with JSON on standard input, and whose standard output it
// gives to the model.
//
// A hook stands in the way of a person who wants to work. So whatever happens,
// a broken corpus, a missing index, an agent that sends nonsense, [Run] returns
// soon and without an error; it prints one object in the form that this agent
// accepts, or nothing; it asks no network and no model, and writes nothing but its own
// log, what the session was given ([given]) and what the next one that begins would be.
// It never decides on a lesson. Of the end of a turn or of a session it takes a note for the
// worker.
//
// [Answer] is the whole of it, from the command line on, for `learnings hook EVENT` and
// for learnings-hook ([Small]), which can do little else and starts in a quarter of the
// time.
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
)

// SessionStart is the event with which a session begins, as the command line names it.
const SessionStart = "session-start"

// StartTokens is how many tokens a session starts with where nothing else is set.
const StartTokens = recall.StartTokens

// Patience is after how long the agent goes on without us, and LogPatience how much
// longer the log of that may take.
const (
	Patience    = 1500 * time.Millisecond
	LogPatience = 200 * time.Millisecond
)

// A Setup says where things are, and what the configuration says of hooks.
type Setup struct {
	Corpus string // the folder of lessons
	State  string // that of what this machine knows of them
	Index  string
	Log    string // a file; "" keeps no log

	Role        string            // of an agent that names none
	MaxInject   int               // lessons that a prompt brings at most; 0 gives none at all
	StartTokens int               // of what a session starts with
	Holdout     float64           // the share of sessions out of which a lesson is held
	TrustEdits  bool              // whether lessons that other programs wrote are given unconfirmed
	Learn       bool              // whether sessions are noted
	Aliases     map[string]string // of projects
	Trouble     error             // what is wrong with the configuration, for the log
}

// A Config is what a hook works on.
type Config struct {
	Setup
	Dir     string                  // where the agent works, when it does not say so itself
	Project func(dir string) string // of a working directory
	Note    func(live.Notice) error // takes note of a session that has ended, or a part of it; nil takes none
	For     string                  // the agent that calls, as --for has it; "" when it is not said
	Probe   string                  // see [ProbeVariable]; "" for none
	Now     func() time.Time
}

// An outcome is what came of an event.
type outcome struct {
	text []byte       // to be printed
	done func() error // remembers that it was; nil for nothing to remember
	rec  record
}

// Run answers one event: what the agent says comes from in (nil when it can say
// nothing), and what the model is to read goes to out.
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
		// What still runs ends with the process and prints nothing.
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

// answer finds out what to print, if anything.
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
	if c.MaxInject < 1 || !a.answers(e) {
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

// ended notes that a session, or a part of one, has ended. What the agent sends may be
// missing or broken: then the note says less.
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
		n.Session = "" // by which nothing would be found
	}
	return errors.Join(err, c.Note(n))
}
