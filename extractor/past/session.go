package past

import (
	"slices"
	"time"

	"learnings/extractor/transcript"
	"learnings/lessons"
)

// A Record is what an agent did in one session. Subagents have sessions of their own.
type Record struct {
	transcript.Info

	Prompt      string  // the beginning of what a person said first, on one line; "" if nobody did
	Corrections int     // times a person corrected the agent, or refused a call with a reason
	Did         [7]int  // calls by kind
	Spin        int     // the most failures of one action in a row with the same error, ignoring other actions between
	Stuck       string  // what was tried then
	Again       int     // the most repetitions of one call with the same arguments
	Blind       int     // edits of files that the session had not read
	Errors      []Error // the most frequent first, at most maxErrors
}

// An Error is one mistake of a session: failures with the same fingerprint.
type Error struct {
	ID          lessons.ID // of the fingerprint, as in `learnings check recurring`
	Doing       string     // the tool, or the program and its subcommand
	Says        string     // the line that says what was wrong
	Count       int
	First, Last time.Time // zero if the transcript does not say
}

// Of returns the number of calls of a kind.
func (r *Record) Of(t Tool) int { return r.Did[t] }

// ReadsPerEdit returns the number of reads for each edit; false if nothing was edited.
func (r *Record) ReadsPerEdit() (float64, bool) {
	if r.Of(Edits) == 0 {
		return 0, false
	}
	return float64(r.Of(Reads)) / float64(r.Of(Edits)), true
}

// FewReads is the number of reads for each edit below which edits often have to be
// redone.
const FewReads = 2.0

// Took returns the time from the first to the last record; false if the transcript has
// no times.
func (r *Record) Took() (time.Duration, bool) {
	start, end := r.Session.Start, r.End
	if start.IsZero() || end.Before(start) {
		return 0, false
	}
	return end.Sub(start), true
}

// A Kind classifies a session as a whole.
type Kind string

// The kinds of sessions. A session may be of several.
const (
	Spinning    Kind = "spinning"    // the same error or the same call again and again
	Blind       Kind = "blind"       // more files were edited unread than read first
	Exploration Kind = "exploration" // only reads and searches, no edits
)

// Kinds lists all kinds.
var Kinds = []Kind{Spinning, Blind, Exploration}

const (
	leastSpin   = 3 // failures in a row
	leastAgain  = 6 // the same call in a session
	leastBlind  = 2 // edits
	leastLooked = 5 // reads and searches
)

// Is reports whether a session is of a kind.
func (r *Record) Is(k Kind) bool {
	switch k {
	case Spinning:
		return r.Spin >= leastSpin || r.Again >= leastAgain
	case Blind:
		return r.Blind >= leastBlind && 2*r.Blind > r.Of(Edits)
	case Exploration:
		return r.Of(Edits) == 0 && r.Of(Reads)+r.Of(Searches) >= leastLooked
	}
	return false
}

// Kinds returns the kinds of the session.
func (r *Record) Kinds() []Kind {
	return slices.DeleteFunc(slices.Clone(Kinds), func(k Kind) bool { return !r.Is(k) })
}
