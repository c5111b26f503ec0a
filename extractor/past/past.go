// Package past answers questions about finished sessions. It reads each transcript
// once, into a [Session]: figures of what was done, and the events in their order.
// [Kept] caches that in the state, and each question is a query over it: which sessions
// match ([Query]), which mistakes recur ([Find]), which calls a guard would have
// stopped ([Try]), what came of the lessons that were given ([OutcomeReader]), and what
// sessions would have been given ([Backtest]).
package past

import (
	"strings"
	"time"

	"learnings/extractor/rules"
	"learnings/extractor/transcript"
	"learnings/lessons"
	"learnings/lessons/guard"
)

// Options say what may be read of sessions. Several goroutines may call the functions
// at once.
type Options struct {
	Kept     *Kept                         // cache; nil reads every transcript
	Project  func(dir string) string       // names the project of a working directory
	Excluded func(dir, path string) string // what excludes a session; nil or "" excludes none
	Paused   func(time.Time) bool          // reports whether to ignore what was done at a time; nil ignores nothing
	Redact   func(string) string           // removes secrets from what is shown or kept; nil removes none
}

// Listener returns a listener that follows these options.
func (o Options) Listener() transcript.Listener {
	return transcript.Listener{Excluded: o.Excluded, Paused: o.Paused}
}

func (o Options) redact(s string) string {
	if o.Redact == nil {
		return s
	}
	return o.Redact(s)
}

// text redacts a text of a transcript and bounds its length.
func (o Options) text(s string, most int) string {
	s = o.redact(s[:min(len(s), 2*most)]) // half a secret is not recognised
	return strings.ToValidUTF8(s[:min(len(s), most)], "\ufffd")
}

// A Session is a transcript that was read. If the person excludes it, it has no events.
type Session struct {
	Record
	Project  string
	Excluded bool
	Events   []Event
}

// What is the kind of an event.
type What string

const (
	Said  What = "said"  // a person said or stopped something
	Call  What = "call"  // the agent called a tool
	Came  What = "came"  // a tool answered
	Given What = "given" // a harness put a block of lessons into the session
)

// An Event is one thing that happened in a session. Its texts are without secrets.
type Event struct {
	What    What      `json:"w"`
	Line    int       `json:"l"` // of the transcript, from 1
	At      time.Time `json:"t,omitzero"`
	UUID    string    `json:"u,omitempty"` // of the record: agents copy records into new sessions
	Session string    `json:"s,omitempty"` // named by the record, if it is another one
	Side    bool      `json:"x,omitempty"` // between the agent and a subagent
	Text    string    `json:"m,omitempty"` // what was said, or the answer of a failed call

	Kind     transcript.Kind `json:"k,omitempty"` // of what was said
	Corrects bool            `json:"c,omitempty"` // it objects to what the agent did

	ID    string       `json:"i,omitempty"` // of a call
	Tool  string       `json:"n,omitempty"`
	Path  string       `json:"p,omitempty"` // of a file tool
	Does  *guard.Call  `json:"d,omitempty"`
	Of    int          `json:"o,omitempty"` // of an answer: the index of its call, from 1; 0 if unknown
	Ended CallEnd      `json:"e,omitempty"`
	Fails *Failure     `json:"f,omitempty"`
	Gave  []lessons.ID `json:"g,omitempty"` // lessons of a block
}

// A Failure says why a call failed.
type Failure struct {
	ID    lessons.ID  `json:"i"` // the same for equal mistakes
	Print string      `json:"p"` // the text that the id is made from; mistakes are ordered by it
	Doing string      `json:"d"`
	Says  string      `json:"s"`           // the line that says what was wrong
	Known []string    `json:"k"`           // hashes that identify the error
	Cure  *rules.Cure `json:"c,omitempty"` // how the call worked a little later; nil if nothing shows that
}

// of returns the call that an answer belongs to.
func (s *Session) of(e *Event) *Event {
	if e.Of > 0 && e.Of <= len(s.Events) {
		return &s.Events[e.Of-1]
	}
	return &Event{}
}

// does returns what a call would do in the folder of its session.
func (s *Session) does(e *Event) *guard.Call {
	c := guard.Call{}
	if e.Does != nil {
		c = *e.Does
	}
	c.Dir = s.Record.Session.Dir
	return &c
}

// name returns the id of the session, or else the path of its transcript.
func (s *Session) name() string {
	if id := s.Record.Session.ID; id != "" {
		return id
	}
	return s.Path
}
