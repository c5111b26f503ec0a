package past

import (
	"slices"
	"time"

	"learnings/extractor/transcript"
	"learnings/lessons"
)

// A Record is what an agent did in one session. Its numbers are of the agent itself:
// subagents have sessions of their own.
type Record struct {
	transcript.Info

	Prompt      string  // the beginning of the first thing that a person said, on one line; "" where nobody did
	Corrections int     // times that a person corrected the agent, or refused a call and said why
	Did         [7]int  // of tools, by kind
	Spin        int     // how often, at most, the same failed in a row with the same error, whatever was done in between
	Stuck       string  // what was tried then
	Again       int     // how often, at most, the same call was made with the same arguments
	Blind       int     // edits of files that the session had not read
	Errors      []Error // what failed, the most frequent first, at most maxErrors
}

// An Error is one mistake of a session: failures with the same fingerprint.
type Error struct {
	ID          lessons.ID // of the fingerprint, which is that of `learnings check recurring`
	Doing       string     // the tool, or the program and its subcommand
	Says        string     // the line that says what was wrong
	Count       int
	First, Last time.Time // zero where the transcript does not say
}

// Of is how many calls are of a kind.
func (r *Record) Of(t Tool) int { return r.Did[t] }

// ReadsPerEdit is how many files were read for each edit; false if nothing was edited.
func (r *Record) ReadsPerEdit() (float64, bool) {
	if r.Of(Edits) == 0 {
		return 0, false
	}
	return float64(r.Of(Reads)) / float64(r.Of(Edits)), true
}

// FewReads is the number of reads for each edit below which edits are likely to have to
// be done again.
const FewReads = 2.0

// Took is from the first to the last time in the transcript; false where it has none.
func (r *Record) Took() (time.Duration, bool) {
	start, end := r.Session.Start, r.End
	if start.IsZero() || end.Before(start) {
		return 0, false
	}
	return end.Sub(start), true
}

// A Kind is what may be said of a session as a whole.
type Kind string

// The kinds of sessions. One may be of several.
const (
	Spinning    Kind = "spinning"    // the same failed again and again with the same error, or the same call was made so
	Blind       Kind = "blind"       // more files were edited unread than read first
	Exploration Kind = "exploration" // read and searched, and edited nothing
)

// Kinds are all of them.
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

// Kinds are those that a session is of.
func (r *Record) Kinds() []Kind {
	return slices.DeleteFunc(slices.Clone(Kinds), func(k Kind) bool { return !r.Is(k) })
}
