package lessons

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// This file says when a rejected lesson is proposed again. It is a tombstone: a proposal
// that says the same, even in other words, is held back until there is enough new
// evidence. How much depends on the reason for the rejection:
//
//    - "too specific": evidence from another project or three more sessions.
//    - "not true": a person says it in two more sessions; agents and tools do not count.
//    - "one-off": two more sessions show it.
//    - "duplicate of ID": never; its evidence goes to that lesson.
//    - any other or no reason: one more session shows it.
//
// Only what was said after the decision counts, in sessions that the tombstone did not
// know then.

// A Refusal is the kind of reason for a rejection, which decides when proposals return.
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

// Refusal classifies the reason of a rejection. For a duplicate it also returns the id or
// prefix of the other lesson.
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

// sessionsNeeded is the number of further sessions that bring a lesson back.
var sessionsNeeded = map[Refusal]int{Refused: 1, TooSpecific: 3, NotTrue: 2, OneOff: 2}

// Returns reports whether proposal p should be made although l, which says the same, was
// rejected. since is all evidence after the rejection, including p's; l has gathered that
// of the proposals held back so far ([Lesson.Since]).
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

// Since returns the evidence from after the last decision on a lesson, from sessions that
// it did not know then. Copies of known records are not new.
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

// sinceDeclined counts how often a proposal was seen since the same was rejected.
func sinceDeclined(l Lesson) int {
	times := 0
	for _, e := range l.Evidence {
		if e.At.After(l.Origin.DeclinedAt) && !e.Opposes() {
			times++
		}
	}
	return times
}

// Returned says of a proposal how often it was seen since it was rejected, as in "seen 3
// more times since you rejected it"; "" for any other lesson.
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
