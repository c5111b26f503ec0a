package lessons

import "cmp"

// A Lane is one of the lists in which proposals wait for a person. [Lesson.Waits] is how
// sure the extractor was; [LaneOf] sets some aside from both.
type Lane string

const (
	Likely      Lane = "likely"      // shown first, and counted
	Maybe       Lane = "maybe"       // not counted as waiting until somebody looks
	FromOutside Lane = "outside"     // another program or another copy brought it: no session taught it here
	Quarantined Lane = "quarantined" // it has one of [Dangers], and is decided on alone
)

// Lanes are how sure an extractor can be, in the order in which they are shown, which is
// also that of their names.
var Lanes = []Lane{Likely, Maybe}

// QueueLanes are the lanes of [LaneOf], in the order in which they are shown.
var QueueLanes = []Lane{Likely, Maybe, FromOutside, Quarantined}

// Waits is how sure the extractor was of a proposal, Likely or Maybe; "" for any other
// lesson.
func (l Lesson) Waits() Lane {
	if l.Status != Pending {
		return ""
	}
	return cmp.Or(l.Lane, Likely)
}

// LaneOf is the lane in which a proposal waits for a person, exactly one; "" for any other
// lesson. What there is to be careful about comes first: a flagged proposal is quarantined
// wherever it came from, and what came from outside is that however likely it is.
func LaneOf(l Lesson) Lane {
	return LaneAs(l, l.Status == Pending && len(Dangers(l)) > 0)
}

// LaneAs is [LaneOf] for who knows already whether [Dangers] finds anything.
func LaneAs(l Lesson, dangerous bool) Lane {
	switch {
	case l.Status != Pending:
		return ""
	case dangerous:
		return Quarantined
	case l.Outside || l.Imported() != "" || l.Elsewhere != (Approval{}):
		return FromOutside
	}
	return l.Waits()
}
