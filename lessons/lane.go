package lessons

import (
	"fmt"
	"strings"
	"time"
)

// A Lane is one of the lists of proposals waiting for a person. [Lesson.Waits] is by the
// extractor's certainty; [LaneOf] also sets proposals aside by source and danger.
type Lane string

const (
	Likely      Lane = "likely"      // shown first, and counted
	Maybe       Lane = "maybe"       // counted as waiting only once somebody looks
	FromOutside Lane = "outside"     // from another program or copy: no session taught it here
	Quarantined Lane = "quarantined" // has one of [Dangers], and is decided on one at a time
)

// QueueLanes are the lanes of [LaneOf], in display order, which is also that of their
// names.
var QueueLanes = []Lane{Likely, Maybe, FromOutside, Quarantined}

// Waits returns the lane of a proposal, Likely or Maybe: by the confidence that a person has
// set, or as the extractor said. It is "" for any other lesson.
func (l Lesson) Waits() Lane {
	switch {
	case l.Status != Pending:
		return ""
	case l.Lane == Maybe && !l.Proof.Own, l.Proof.Own && l.Confidence < LikelyAt:
		return Maybe
	}
	return Likely
}

// Waiting has the number of proposals in each lane. Every face that says how many wait
// counts with it, or asks the index, which has the same rule.
type Waiting map[Lane]int

// Add counts a lesson if it waits for a person at a time: if it is a proposal and is not
// snoozed.
func (n Waiting) Add(l Lesson, now time.Time) {
	if l.Status == Pending && !l.Snoozed(now) {
		n[LaneOf(l)]++
	}
}

// WaitingOf counts those of some lessons that wait for a person at a time.
func WaitingOf(ls []Lesson, now time.Time) Waiting {
	n := Waiting{}
	for _, l := range ls {
		n.Add(l, now)
	}
	return n
}

// String names the lanes that have proposals, and always the first.
func (n Waiting) String() string {
	parts := []string{fmt.Sprintf("%d %s", n[Likely], Likely)}
	for _, lane := range QueueLanes[1:] {
		if n[lane] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n[lane], lane))
		}
	}
	if last := len(parts) - 1; last > 0 {
		return strings.Join(parts[:last], ", ") + " and " + parts[last]
	}
	return parts[0]
}

// All returns the sum.
func (n Waiting) All() (sum int) {
	for _, m := range n {
		sum += m
	}
	return sum
}

// Due returns the number that a badge shows: of proposals, without what may be a lesson.
func (n Waiting) Due() int { return n[Likely] + n[FromOutside] + n[Quarantined] }

// Less returns the difference of n and m, at least 0 in each lane.
func (n Waiting) Less(m Waiting) Waiting {
	out := Waiting{}
	for lane, i := range n {
		if more := i - m[lane]; more > 0 {
			out[lane] = more
		}
	}
	return out
}

// LaneOf returns the lane in which a proposal waits; "" for any other lesson. Danger
// comes before source, and source before certainty.
func LaneOf(l Lesson) Lane {
	return LaneAs(l, l.Status == Pending && len(Dangers(l)) > 0)
}

// LaneAs is [LaneOf] for callers that already know whether [Dangers] finds anything.
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
