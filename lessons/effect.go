package lessons

import "fmt"

// This file says which active lessons are not worth what they cost, by what came of
// giving them to sessions. It decides nothing.

// An Effect is what came of giving a lesson to sessions.
type Effect struct {
	Times        int // it was given
	OnTopic      int // of these, to a prompt or an error, and not as a session started
	Read         int // sessions that it was given to, and that were read for what came of it
	Touched      int // of these, in which there is any sign of it
	Followed     int // of these, in which the agent did what it says
	Contradicted int // of these, in which the agent did the opposite, or the person had to say it again
	Tokens       int // that it takes each time
}

const (
	givenOften    = 20   // times, from which on it is told that nothing came of it
	opposedOften  = 3    // sessions in which agents went against a lesson
	costsMuch     = 2000 // tokens in all
	touchedSeldom = 10   // one session in so many
)

// Doubts are the reasons to look at a lesson again that follow from what came of it.
func (e Effect) Doubts() (out []Doubt) {
	add := func(c Concern, format string, args ...any) {
		out = append(out, Doubt{c, fmt.Sprintf(format, args...)})
	}
	tokens := e.Times * e.Tokens
	if e.Contradicted >= opposedOften && e.Contradicted > e.Followed {
		add(Opposed, "agents went against it in %d of %d sessions, and followed it in %d", e.Contradicted, e.Read, e.Followed)
	}
	switch often := e.Times >= givenOften && 2*e.Read >= givenOften; {
	case often && e.Touched == 0:
		add(Untouched, "given %d times, %d tokens, and no sign of it in the %d sessions that were read", e.Times, tokens, e.Read)
	case often && e.Touched*touchedSeldom < e.Read && e.OnTopic*touchedSeldom < e.Times && tokens >= costsMuch:
		add(Costly, "given %d times, %d tokens, to a task %d times, and a sign of it in %d of %d sessions", e.Times, tokens, e.OnTopic, e.Touched, e.Read)
	}
	return out
}
