package lessons

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// This file says when a rejected lesson is proposed again. A rejected lesson is a
// tombstone: what says the same, in whatever words, stays away until there is more
// reason for it than there was. How much more depends on the reason that the person
// gave:
//
//   - "too specific": another project shows the same, or three more sessions do.
//   - "not true": the person says it in two more sessions; what an agent or a
//     tool says counts for nothing.
//   - "one-off": two more sessions show it.
//   - "duplicate of ID": never; what shows it is evidence of that lesson.
//   - any other, and none: one more session shows it.
//
// Only what was said after the decision counts, in sessions that the tombstone
// had not known then.

// A Refusal is what the reason of a rejection means for later proposals.
type Refusal string

const (
	Refused     Refusal = ""
	TooSpecific Refusal = "too specific"
	NotTrue     Refusal = "not true"
	OneOff      Refusal = "one-off"
	Duplicate   Refusal = "duplicate"
)

var refusals = []struct {
	refusal Refusal
	says    func() *regexp.Regexp
}{
	{Duplicate, LazyRegexp(`(?i)\b(?:duplicate|dup|same|copy) (?:of|as) (?:lesson )?([a-z0-9_-]{4,64})\b`)},
	{TooSpecific, LazyRegexp(`(?i)\b(?:too|overly) (?:specific|narrow|particular)\b`)},
	{OneOff, LazyRegexp(`(?i)\b(?:one[- ]off|one[- ]time|(?:only|just) (?:this )?once|just this time)\b`)},
	{NotTrue, LazyRegexp(`(?i)\b(?:not|never|un|in)[- ]?(?:true|correct|right)\b|\b(?:wrong|false|mistaken)\b`)},
}

// Refusal reads the reason of a rejection, and of a duplicate the id, or the
// beginning of one, of the lesson that it names.
func (d Decision) Refusal() (Refusal, string) {
	for _, r := range refusals {
		if m := r.says().FindStringSubmatch(d.Reason); m != nil {
			if r.refusal == Duplicate {
				return Duplicate, strings.ToLower(m[1])
			}
			return r.refusal, ""
		}
	}
	return Refused, ""
}

// sessionsNeeded is how many more sessions bring each refusal back.
var sessionsNeeded = map[Refusal]int{Refused: 1, TooSpecific: 3, NotTrue: 2, OneOff: 2}

// Returns reports whether a proposal that says the same as a rejected lesson
// should be made nevertheless, and gives all evidence since the rejection, that
// of the proposal included. The rejected lesson has gathered the evidence of
// the proposals that stayed away ([Lesson.Since]).
func (l Lesson) Returns(p Lesson) (since []Evidence, back bool) {
	since = l.Since(MergeEvidence(l.Evidence, p.Evidence))
	refusal, _ := l.Decided.Refusal()
	need, ok := sessionsNeeded[refusal]
	if !ok || len(since) == 0 {
		return since, false
	}
	sessions := map[string]bool{}
	for _, e := range since {
		if refusal != NotTrue || e.By == ByPerson {
			sessions[e.Session] = true
		}
	}
	elsewhere := refusal == TooSpecific && p.Scope.Project != l.Scope.Project
	return since, elsewhere || len(sessions) >= need
}

// Since are the pieces of evidence from after the last decision on a lesson, of
// sessions that it did not know then. A copy of what it knew is not new.
func (l Lesson) Since(all []Evidence) []Evidence {
	var out []Evidence
	for _, e := range all {
		old := func(o Evidence) bool { return (o.Session == e.Session || o.SameMoment(e)) && !o.At.After(l.Decided.At) }
		if e.At.After(l.Decided.At) && !e.Opposes() && !slices.ContainsFunc(l.Evidence, old) {
			out = append(out, e)
		}
	}
	return out
}

// sinceDeclined counts how often the subject of a proposal was seen since the same
// was rejected.
func sinceDeclined(l Lesson) int {
	times := 0
	for _, e := range l.Evidence {
		if e.At.After(l.Origin.DeclinedAt) && !e.Opposes() {
			times++
		}
	}
	return times
}

// Returned says of a proposal that the same was rejected before, and how often
// it was seen since, as in "seen 3 more times since you rejected it"; "" for
// any other lesson.
func (l Lesson) Returned() string {
	if l.Origin.Declined == "" {
		return ""
	}
	n := sinceDeclined(l)
	if n == 1 {
		return "seen once more since you rejected it"
	}
	return fmt.Sprintf("seen %d more times since you rejected it", n)
}
