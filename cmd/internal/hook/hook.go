// Package hook answers the hooks of coding agents: programs that an agent runs
// at certain moments, with JSON on standard input, and whose standard output it
// gives to the model.
//
// A hook stands in the way of a person who wants to work. So whatever happens,
// a broken corpus, a missing index, an agent that sends nonsense, [Run] returns
// soon and without an error; it prints one envelope that Claude Code and Codex
// both accept, or nothing; it asks no network and no model, and writes nothing
// but its own log. It never decides on a lesson. The end of a turn or of a session
// it passes to its caller, which must be as quick.
package hook

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"learnings/index"
	"learnings/index/recall"
	"learnings/lessons"
	"learnings/lessons/store"
)

// SessionStart is the event that is answered, as the command line names it.
// The others are those of [EventName].
const SessionStart = "session-start"

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

	Role       string            // of an agent that names none
	MaxInject  int               // lessons at most; 0 gives none
	TrustEdits bool              // whether lessons that other programs wrote are given unconfirmed
	Learn      bool              // whether sessions are noted
	Aliases    map[string]string // of projects
	Trouble    error             // what is wrong with the configuration, for the log
}

// A Config is what a hook works on.
type Config struct {
	Setup
	Dir     string                  // where the agent works, when it does not say so itself
	Project func(dir string) string // of a working directory
	Capture func(Ending) error      // takes note of a session; nil takes none
	Now     func() time.Time
}

// Run answers one event: what the agent says comes from in (nil when it can say
// nothing), and what the model is to read goes to out.
func Run(ctx context.Context, event string, in io.Reader, out io.Writer, c Config) {
	ctx, cancel := context.WithTimeout(ctx, Patience)
	defer cancel()
	start := time.Now()
	type outcome struct {
		text []byte
		rec  record
	}
	done := make(chan outcome, 1)
	go func() {
		rec := record{event: event}
		defer func() {
			if r := recover(); r != nil {
				rec.err = errors.Join(rec.err, fmt.Errorf("panic: %v", r))
				done <- outcome{nil, rec}
			}
		}()
		text, err := answer(ctx, event, in, c, &rec)
		rec.err = errors.Join(rec.err, err)
		done <- outcome{text, rec}
	}()
	var o outcome
	select {
	case o = <-done:
	case <-ctx.Done():
		// What still runs ends with the process and prints nothing.
		o.rec = record{event: event, err: errors.New("gave up: it took too long")}
	}
	if len(o.text) > 0 {
		if _, err := out.Write(o.text); err != nil {
			o.rec.err = errors.Join(o.rec.err, err)
		}
	}
	o.rec.err = errors.Join(c.Trouble, o.rec.err)
	o.rec.took = time.Since(start)
	o.rec.write(c.Log, c.Now())
}

// answer gives the line to print, or nothing.
func answer(ctx context.Context, event string, in io.Reader, c Config, rec *record) ([]byte, error) {
	if name, ok := EventName(event); ok {
		return nil, capture(ctx, name, in, c, rec)
	}
	if event != SessionStart {
		return nil, errors.New("no such event")
	}
	p, err := readPayload(ctx, in, payloadWait)
	rec.session = p.Session
	if err != nil {
		return nil, err
	}
	if p.Event != "" && !strings.EqualFold(p.Event, envelopeEvent) {
		return nil, fmt.Errorf("called for %s: the agent would not accept the answer to %s", word(p.Event), envelopeEvent)
	}
	if c.MaxInject < 1 {
		return nil, nil
	}
	s := recall.Situation{Role: p.Role, Agent: agentOf(p.Path), TrustEdits: c.TrustEdits, Now: c.Now()}
	if s.Role == "" {
		s.Role = c.Role
	}
	if p.Dir == "" || !filepath.IsAbs(p.Dir) {
		p.Dir = c.Dir
	}
	if p.Dir != "" {
		s.Project = c.Project(p.Dir)
	}
	rec.project = s.Project
	chosen, err := pick(ctx, c, s, rec)
	if err != nil {
		return nil, err
	}
	rec.given = len(recall.IDs(chosen))
	return envelope(chosen, s.Project)
}

// pick asks the index and confirms each lesson in its file. Where the index
// cannot answer it reads the project's own files.
func pick(ctx context.Context, c Config, s recall.Situation, rec *record) ([]recall.Choice, error) {
	budget := recall.Budget{Lessons: c.MaxInject}
	st, err := store.Open(c.Corpus, store.Options{State: c.State, Now: c.Now})
	if err != nil {
		return nil, err
	}
	rec.via = "index"
	chosen, err := recall.Pick(ctx, index.At(c.Index), st.Reread, s, budget)
	if err == nil || ctx.Err() != nil {
		return chosen, err
	}
	rec.via, rec.err = "files", err
	// Only the store knows which of them came from outside.
	asStored := func(l lessons.Lesson) (lessons.Lesson, error) { return st.Get(l.ID) }
	return recall.Pick(ctx, index.Over(files(ctx, c.Corpus, s.Project)), asStored, s, budget)
}

// envelopeEvent is the name of the event in what agents send and expect.
const envelopeEvent = "SessionStart"

// envelope is the one form of answer that Claude Code and Codex both accept:
// Codex refuses an object with any other key.
func envelope(chosen []recall.Choice, project string) ([]byte, error) {
	var text strings.Builder
	if err := recall.Write(&text, chosen, recall.Style{Project: project}); err != nil {
		return nil, fmt.Errorf("writing the lessons: %v", err)
	}
	if text.Len() == 0 {
		return nil, nil
	}
	type output struct {
		Event   string `json:"hookEventName"`
		Context string `json:"additionalContext"`
	}
	var line bytes.Buffer
	enc := json.NewEncoder(&line)
	enc.SetEscapeHTML(false)
	err := enc.Encode(struct {
		Output output `json:"hookSpecificOutput"`
	}{output{envelopeEvent, text.String()}})
	return line.Bytes(), err
}
