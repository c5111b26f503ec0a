package lessons

import "fmt"

// This file finds active lessons that cost more than they help, by the outcomes of the
// sessions that were given them. It decides nothing.

// An Effect sums up what giving a lesson to sessions achieved.
type Effect struct {
	Times        int // given
	OnTopic      int // of these, for a prompt or an error rather than at the start
	Read         int // sessions that were given it and read for its outcome
	Touched      int // of these, with any sign of it
	Followed     int // of these, where the agent followed it
	Contradicted int // of these, where the agent did the opposite or the person had to repeat it
	Tokens       int // cost each time
}

const (
	givenOften    = 20   // times given before a lack of effect counts
	opposedOften  = 3    // sessions in which agents went against a lesson
	costsMuch     = 2000 // tokens in all
	touchedSeldom = 10   // one session in this many
)

// Doubts returns the reasons to review a lesson that follow from its effect.
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
