// Package past answers questions about sessions that are over. It reads each transcript
// once, into a [Session]: figures of what was done, and the events in their order. [Kept]
// keeps that in the state, and each question is a query over it: which sessions were like
// that ([Query]), which mistakes come back over sessions ([Find]), which calls a guard
// would have stopped ([Try]), what came of the lessons that were given ([OutcomeReader]),
// and what sessions would have been given ([Backtest]).
package past

import (
	"strings"
	"time"

	"learnings/extractor/rules"
	"learnings/extractor/transcript"
	"learnings/lessons"
	"learnings/lessons/guard"
)

// Options say what may be read of sessions, and what they are called. Several goroutines
// may call the functions at once.
type Options struct {
	Kept     *Kept                         // what was read before; nil reads every transcript
	Project  func(dir string) string       // names the project of a working directory
	Excluded func(dir, path string) string // what excludes a session; nil or "" excludes none
	Paused   func(time.Time) bool          // what was done at such a time does not count; nil counts everything
	Redact   func(string) string           // takes secrets out of what is shown or kept; nil takes out none
}

// Listener reads sessions as these options say.
func (o Options) Listener() transcript.Listener {
	return transcript.Listener{Excluded: o.Excluded, Paused: o.Paused}
}

func (o Options) redact(s string) string {
	if o.Redact == nil {
		return s
	}
	return o.Redact(s)
}

// text makes a text of a transcript fit to be kept: without secrets, and not long.
func (o Options) text(s string, most int) string {
	s = o.redact(s[:min(len(s), 2*most)]) // half a secret is not recognised
	return strings.ToValidUTF8(s[:min(len(s), most)], "\ufffd")
}

// A Session is one transcript, read. Of one that the person excludes it has no events.
type Session struct {
	Record
	Project  string
	Excluded bool
	Events   []Event
}

// A What is what kind of thing an event is.
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
	Session string    `json:"s,omitempty"` // that the record names, where it is another one
	Side    bool      `json:"x,omitempty"` // between the agent and a subagent
	Text    string    `json:"m,omitempty"` // what was said; of a call that failed, the answer

	Kind     transcript.Kind `json:"k,omitempty"` // of what was said
	Corrects bool            `json:"c,omitempty"` // it speaks against what the agent has done

	ID    string       `json:"i,omitempty"` // of a call
	Tool  string       `json:"n,omitempty"`
	Path  string       `json:"p,omitempty"` // of a file tool
	Does  *guard.Call  `json:"d,omitempty"`
	Of    int          `json:"o,omitempty"` // of an answer: the place of its call, from 1; 0 where that is not known
	Ended CallEnd      `json:"e,omitempty"`
	Fails *Failure     `json:"f,omitempty"`
	Gave  []lessons.ID `json:"g,omitempty"` // lessons of a block
}

// A Failure says why a call failed.
type Failure struct {
	ID    lessons.ID  `json:"i"` // the same for the same mistake
	Print string      `json:"p"` // of which it is made, by which mistakes are ordered
	Doing string      `json:"d"`
	Says  string      `json:"s"`           // the line that says what was wrong
	Known []string    `json:"k"`           // hashes by which the error is known again
	Cure  *rules.Cure `json:"c,omitempty"` // how the call worked a little later; nil when nothing shows that
}

// of gives the call that an answer is of.
func (s *Session) of(e *Event) *Event {
	if e.Of > 0 && e.Of <= len(s.Events) {
		return &s.Events[e.Of-1]
	}
	return &Event{}
}

// does is what a call would do, in the folder of its session.
func (s *Session) does(e *Event) *guard.Call {
	c := guard.Call{}
	if e.Does != nil {
		c = *e.Does
	}
	c.Dir = s.Record.Session.Dir
	return &c
}

// name is the id of the session, or else the path of its transcript.
func (s *Session) name() string {
	if id := s.Record.Session.ID; id != "" {
		return id
	}
	return s.Path
}
