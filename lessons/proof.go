package lessons

import (
	"math"
	"reflect"
	"slices"
	"time"
)

// A Proof is what became known of a lesson after it was proposed: what came of
// giving it to agents, and when a person last said that it still holds.
//
// Alpha and Beta are the parameters of a Beta distribution above its prior: the
// weight of the outcomes that speak for the lesson and against it. What an
// outcome weighs halves in 180 days, so that without news a lesson
// goes back to its prior and not to nothing: silence is no evidence of harm.
type Proof struct {
	Prior         Confidence `json:"prior,omitempty"` // before any outcome, from the proposer; 0 while that is Lesson.Confidence itself
	Alpha         float64    `json:"alpha,omitempty"` // as it was at Last, like Beta
	Beta          float64    `json:"beta,omitempty"`
	Outcomes      int        `json:"outcomes,omitempty"` // how many there were
	Last          time.Time  `json:"last_outcome,omitzero"`
	Confirmed     time.Time  `json:"confirmed,omitzero"`      // when a person last said that it holds
	Confirmations int        `json:"confirmations,omitempty"` // how often since it was approved
	Own           bool       `json:"own,omitempty"`           // Lesson.Confidence is what a person set, and stays; it is not computed
}

// An Outcome is what came of a lesson that was given to an agent.
type Outcome struct {
	Weight float64 // how much it counts; 1 is somebody's word for it
	Reward float64 // from 0, it did harm, to 1, it helped
	At     time.Time
}

// The outcomes that people and agents report. The rewards of a reaction are
// those of Gimli's outcome table; it weighs half of a plain word, for what was
// done with a lesson may have had other reasons.
var (
	Helpful = Outcome{Weight: 1, Reward: 1}
	Harmful = Outcome{Weight: 1, Reward: 0}
	// Corrected is a person correcting the agent on the subject of a lesson
	// that it had been given.
	Corrected = Outcome{Weight: 2, Reward: 0}

	// Followed and Missed are what a session's transcript shows by itself: the agent
	// did what the lesson says, or the opposite, or made its mistake again.
	Followed = Outcome{Weight: 0.5, Reward: 1}
	Missed   = Outcome{Weight: 0.5, Reward: 0}

	Reactions = map[string]Outcome{
		"completed": {Weight: 0.5, Reward: 1.0},
		"acted":     {Weight: 0.5, Reward: 0.8},
		"snoozed":   {Weight: 0.5, Reward: 0.3},
		"dismissed": {Weight: 0.5, Reward: 0.1},
		"ignored":   {Weight: 0.5, Reward: 0.0},
	}
)

// Seen is the outcome that the transcript of a session shows of a lesson that it was
// given. The rule is:
//
//   - What a person says goes first. A confidence that a person has set stays
//     (Proof.Own). Of a session in which a lesson was reported on, or a person corrected
//     the agent on its subject, the transcript counts for nothing; and an outcome that a
//     person has taken back is not counted again.
//   - A transcript counts half of a word, once for a session, however often it is read.
//     One that shows both, or neither, moves nothing: being given, cited or passed over
//     in silence is no proof.
//   - A session out of which the lesson was held counts for the comparison alone.
func Seen(followed, missed bool) (o Outcome, ok bool) {
	switch {
	case followed == missed:
		return o, false
	case followed:
		return Followed, true
	}
	return Missed, true
}

const (
	priorStrength = 4               // outcomes of weight 1 that a prior is worth
	outcomeLife   = 180 * 24        // hours in which an outcome comes to weigh half
	leastPrior    = Confidence(.01) // a prior of 0 would be no prior
)

// Observed is the lesson after an outcome. The confidence follows, unless a
// person has set it, and so do the counters: an outcome counts as help from a
// reward of 0.8 on, and as harm when it is 0 and weighs 1 or more. An outcome
// from before the last one counts as much as it still would.
func (l Lesson) Observed(o Outcome) Lesson {
	if l.Proof.Prior == 0 {
		l.Proof.Prior = max(l.Confidence, leastPrior)
	}
	p := &l.Proof
	w := max(o.Weight, 0)
	if o.At.After(p.Last) {
		*p = p.at(o.At)
	} else {
		w *= fade(p.Last.Sub(o.At))
	}
	r := min(max(o.Reward, 0), 1)
	p.Alpha += w * r
	p.Beta += w * (1 - r)
	p.Outcomes++
	switch {
	case r >= 0.8:
		l.Use.Helped++
	case r == 0 && o.Weight >= 1:
		l.Use.Harmed++
	}
	return settled(l)
}

// at is the proof as it will weigh at a later time.
func (p Proof) at(t time.Time) Proof {
	if !p.Last.IsZero() && t.After(p.Last) {
		g := fade(t.Sub(p.Last))
		p.Alpha, p.Beta = p.Alpha*g, p.Beta*g
	}
	p.Last = t
	return p
}

// fade is the share that an outcome still weighs.
func fade(age time.Duration) float64 { return math.Exp2(-age.Hours() / outcomeLife) }

// settled gives the lesson the confidence that its proof makes.
func settled(l Lesson) Lesson {
	p := &l.Proof
	switch {
	case p.Own || p.Prior == 0:
	case p.Alpha == 0 && p.Beta == 0:
		l.Confidence, p.Prior = p.Prior, 0 // which says it again
	default:
		l.Confidence = computed(l, p.Last)
	}
	return l
}

func priorOf(l Lesson) Confidence {
	if l.Proof.Prior != 0 {
		return l.Proof.Prior
	}
	return l.Confidence
}

func computed(l Lesson, now time.Time) Confidence {
	p := l.Proof.at(now)
	a := priorStrength*float64(priorOf(l)) + p.Alpha
	b := priorStrength*float64(1-priorOf(l)) + p.Beta
	return Confidence(a / (a + b)).Round()
}

// Mean is the confidence at a time: what a person set, or else the mean of the
// Beta distribution, a/(a+b) with
//
//	a = 4·prior + Alpha·2^(-days/180)   b = 4·(1-prior) + Beta·2^(-days/180)
//
// where days is the time since the last outcome. Lesson.Confidence is that of
// the last outcome. The decay towards the prior is that of gptme's Thompson
// sampling; the mean is Jøsang and Ismail's reputation, with a prior of our own.
func (l Lesson) Mean(now time.Time) Confidence {
	if l.Proof.Own {
		return l.Confidence
	}
	return computed(l, now)
}

// Bound is a careful estimate of how often a lesson helps, for ranking: the
// mean less one standard deviation, sqrt(a·b/((a+b)²(a+b+1))), and at least 0.
// Priors count as 0.3 to 0.9 here, for no extractor is surer than that of
// anything. What a person set counts as a prior without outcomes.
func (l Lesson) Bound(now time.Time) float64 {
	prior, p := priorOf(l), l.Proof.at(now)
	if p.Own {
		prior, p = l.Confidence, Proof{}
	}
	m := min(max(float64(prior), 0.3), 0.9)
	a, b := priorStrength*m+p.Alpha, priorStrength*(1-m)+p.Beta
	n := a + b
	return max(0, a/n-math.Sqrt(a*b/(n*n*(n+1))))
}

// Moved is how much the outcomes of a lesson weigh more than they did before,
// as of the last of them.
func (p Proof) Moved(before Proof) float64 {
	before = before.at(p.Last)
	return p.Alpha + p.Beta - before.Alpha - before.Beta
}

// Rated sets a person's own confidence, which stays whatever the outcomes are.
func (l Lesson) Rated(c Confidence) Lesson {
	if l.Proof.Prior == 0 {
		l.Proof.Prior = max(l.Confidence, leastPrior)
	}
	l.Confidence, l.Proof.Own = c, true
	return l
}

// Unrated goes back from a person's own confidence to the computed one.
func (l Lesson) Unrated() Lesson {
	l.Proof.Own = false
	return settled(l)
}

// raised returns the lesson with a higher confidence of its proposer.
func raised(l Lesson, c Confidence) Lesson {
	if l.Proof.Prior == 0 {
		l.Confidence = c
		return l
	}
	l.Proof.Prior = c
	return settled(l)
}

// Confirmed is when a lesson was last known to hold: when a person decided on
// it, or else when it was made.
func (l Lesson) Confirmed() time.Time {
	last := l.Created
	for _, t := range []time.Time{l.Decided.At, l.Proof.Confirmed} {
		if t.After(last) {
			last = t
		}
	}
	return last
}

// mergeProof returns a with what is known of both lessons, which become one:
// the higher prior, and the outcomes added up. A person's own confidence stays, that of the first
// before that of the second.
func mergeProof(a, b Lesson) Lesson {
	if (b.Proof == Proof{}) && (a.Proof == Proof{}) {
		a.Confidence = max(a.Confidence, b.Confidence)
		return a
	}
	prior := max(priorOf(a), priorOf(b), leastPrior)
	p, q := a.Proof, b.Proof
	if q.Last.After(p.Last) {
		p = p.at(q.Last)
	} else {
		q = q.at(p.Last)
	}
	if q.Own && !p.Own {
		p.Own, a.Confidence = true, b.Confidence
	}
	p.Prior = prior
	p.Alpha += q.Alpha
	p.Beta += q.Beta
	p.Outcomes += q.Outcomes
	p.Confirmations = min(p.Confirmations, q.Confirmations)
	if q.Confirmed.After(p.Confirmed) {
		p.Confirmed = q.Confirmed
	}
	a.Proof = p
	return settled(a)
}

// Carry gives a lesson that is put back to what it was the uses, outcomes and
// evidence that it has had meanwhile: what now has more of them than then is
// added to target. It is false when now differs from then in more than these,
// for then somebody has decided something meanwhile that putting it back would
// lose.
func Carry(now, then, target Lesson) (Lesson, bool) {
	known := func(e Evidence) bool { return slices.ContainsFunc(then.Evidence, e.same) }
	meanwhile := slices.DeleteFunc(slices.Clone(now.Evidence), known)
	if len(meanwhile) > 0 {
		now.Evidence = slices.DeleteFunc(slices.Clone(now.Evidence), func(e Evidence) bool { return !known(e) })
		if len(now.Evidence) == 0 {
			now.Evidence = nil
		}
	}
	if a, b := bare(now), bare(then); !reflect.DeepEqual(a, b) {
		return target, false
	}
	target = shifted(target, then, now)
	target.Evidence = MergeEvidence(target.Evidence, meanwhile)
	return target, true
}

// TakenFrom is a lesson without the uses and outcomes that the change, which must
// have a Before and an After, brought to it. All others stay.
func (c Change) TakenFrom(l Lesson) Lesson {
	last := l.Use.Last
	l = shifted(l, *c.After, *c.Before)
	l.Use.Last = last
	return l
}

// shifted is the lesson with what b has more of uses and outcomes than a.
func shifted(l Lesson, a, b Lesson) Lesson {
	u, old := b.Use, a.Use
	l.Use.Used = max(l.Use.Used+u.Used-old.Used, 0)
	l.Use.Helped = max(l.Use.Helped+u.Helped-old.Helped, 0)
	l.Use.Harmed = max(l.Use.Harmed+u.Harmed-old.Harmed, 0)
	if u.Last != old.Last {
		l.Use.Last = u.Last
	}
	p, q := b.Proof, a.Proof
	if p.Outcomes == q.Outcomes && p.Last.Equal(q.Last) {
		return l
	}
	last := l.Proof.Last
	for _, t := range []time.Time{p.Last, q.Last} {
		if t.After(last) {
			last = t
		}
	}
	prior := max(priorOf(l), leastPrior)
	t := l.Proof.at(last)
	p, q = p.at(last), q.at(last)
	t.Prior = prior
	t.Alpha = max(t.Alpha+p.Alpha-q.Alpha, 0)
	t.Beta = max(t.Beta+p.Beta-q.Beta, 0)
	if t.Outcomes = max(t.Outcomes+p.Outcomes-q.Outcomes, 0); t.Outcomes == 0 {
		t.Alpha, t.Beta, t.Last = 0, 0, time.Time{} // what rounding has left
	}
	l.Proof = t
	return settled(l)
}

// bare is the lesson without uses and outcomes, and what they were seen in.
func bare(l Lesson) Lesson {
	l.Proof.Prior = priorOf(l)
	if !l.Proof.Own {
		l.Confidence = 0
	}
	l.Use, l.Rev = Use{}, ""
	l.Evidence = slices.DeleteFunc(slices.Clone(l.Evidence), Evidence.Opposes)
	if len(l.Evidence) == 0 {
		l.Evidence = nil
	}
	l.Proof.Alpha, l.Proof.Beta, l.Proof.Outcomes, l.Proof.Last = 0, 0, 0, time.Time{}
	return l
}
