package lessons

import (
	"cmp"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"
)

// A Proof is what was learned about a lesson after it was proposed: the outcomes of
// giving it to agents, and when a person last confirmed it.
//
// Alpha and Beta are the parameters of a Beta distribution above its prior: the weights
// of the outcomes for and against the lesson. Weights halve every 180 days, so that a
// lesson without news returns to its prior rather than to 0: silence is not evidence of
// harm.
type Proof struct {
	Prior         Confidence `json:"prior,omitempty"` // the proposer's, before any outcome; 0 while it equals Lesson.Confidence
	Alpha         float64    `json:"alpha,omitempty"` // as of Last, like Beta
	Beta          float64    `json:"beta,omitempty"`
	Outcomes      int        `json:"outcomes,omitempty"` // their number
	Last          time.Time  `json:"last_outcome,omitzero"`
	Confirmed     time.Time  `json:"confirmed,omitzero"`      // when a person last said so
	Confirmations int        `json:"confirmations,omitempty"` // since it was approved
	Own           bool       `json:"own,omitempty"`           // a person set Lesson.Confidence; it is not computed
}

// An Outcome is the result of giving a lesson to an agent once.
type Outcome struct {
	Weight float64 // 1 for an explicit report
	Reward float64 // from 0 (it did harm) to 1 (it helped)
	At     time.Time
}

// The outcomes that people and agents report. The rewards of reactions are those of
// Gimli's outcome table. A reaction weighs half of a report, because it may have had
// other causes.
var (
	Helpful = Outcome{Weight: 1, Reward: 1}
	Harmful = Outcome{Weight: 1, Reward: 0}
	// Corrected: a person corrected the agent on the subject of a lesson that it had been
	// given.
	Corrected = Outcome{Weight: 2, Reward: 0}

	// Followed and Missed are read from a session's transcript: the agent did what the
	// lesson says, or did the opposite or repeated its mistake.
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

// Seen returns the outcome that a session's transcript shows for a lesson it was given.
// The rules are:
//
//   - People come first. A confidence that a person has set stays (Proof.Own). If the
//     lesson was reported on in the session, or a person corrected the agent on its
//     subject, the transcript does not count; nor is an outcome counted again that a
//     person has taken back.
//   - A transcript weighs half of a report and counts once per session, however often
//     it is read. If it shows both or neither, nothing changes: being given, cited or
//     ignored proves nothing.
//   - A session that the lesson was held out of only serves as comparison.
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
	priorStrength = 4               // the weight of a prior, in outcomes of weight 1
	outcomeLife   = 180 * 24        // half-life of an outcome, in hours
	leastPrior    = Confidence(.01) // so that a prior is never 0
)

// Observed returns the lesson after an outcome. Confidence, unless a person has set it,
// and counters follow: an outcome counts as help if its reward is at least 0.8, and as
// harm if it is 0 and its weight at least 1. An outcome older than the last one counts
// with the weight it has left.
func (l Lesson) Observed(o Outcome) Lesson {
	l.Proof.Prior = cmp.Or(l.Proof.Prior, max(l.Confidence, leastPrior))
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

// at returns the proof with its weights at a later time.
func (p Proof) at(t time.Time) Proof {
	if !p.Last.IsZero() && t.After(p.Last) {
		g := fade(t.Sub(p.Last))
		p.Alpha, p.Beta = p.Alpha*g, p.Beta*g
	}
	p.Last = t
	return p
}

// fade returns the share of its weight that an outcome of an age still has.
func fade(age time.Duration) float64 { return math.Exp2(-age.Hours() / outcomeLife) }

// settled sets the confidence of a lesson from its proof.
func settled(l Lesson) Lesson {
	p := &l.Proof
	switch {
	case p.Own || p.Prior == 0:
	case p.Alpha == 0 && p.Beta == 0:
		l.Confidence, p.Prior = p.Prior, 0 // the same as Confidence
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

// Mean returns the confidence at a time: what a person set, or else the mean of the Beta
// distribution, a/(a+b) with
//
//	a = 4·prior + Alpha·2^(-days/180)   b = 4·(1-prior) + Beta·2^(-days/180)
//
// where days is the time since the last outcome. Lesson.Confidence is the mean at the
// last outcome. The decay is that of gptme's Thompson sampling; the mean is Jøsang and
// Ismail's reputation with our own prior.
func (l Lesson) Mean(now time.Time) Confidence {
	if l.Proof.Own {
		return l.Confidence
	}
	return computed(l, now)
}

// Bound returns a careful estimate of how often a lesson helps, for ranking: the mean
// less one standard deviation, sqrt(a·b/((a+b)²(a+b+1))), at least 0. Priors are clamped
// to 0.3 to 0.9, because no extractor is surer than that. A confidence that a person set
// counts as a prior without outcomes.
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

// Moved returns by how much the outcomes of p outweigh those of before, as of the last
// one.
func (p Proof) Moved(before Proof) float64 {
	before = before.at(p.Last)
	return p.Alpha + p.Beta - before.Alpha - before.Beta
}

// Rated sets a person's own confidence, which outcomes do not change.
func (l Lesson) Rated(c Confidence) Lesson {
	l.Proof.Prior = cmp.Or(l.Proof.Prior, max(l.Confidence, leastPrior))
	l.Confidence, l.Proof.Own = c, true
	return l
}

// Unrated returns to the computed confidence.
func (l Lesson) Unrated() Lesson {
	l.Proof.Own = false
	return settled(l)
}

// raised returns the lesson with a higher confidence from its proposer.
func raised(l Lesson, c Confidence) Lesson {
	if l.Proof.Prior == 0 {
		l.Confidence = c
		return l
	}
	l.Proof.Prior = c
	return settled(l)
}

// Confirmed returns when a person last decided on the lesson or, before any decision,
// when it was made.
func (l Lesson) Confirmed() time.Time {
	last := l.Created
	for _, t := range []time.Time{l.Decided.At, l.Proof.Confirmed} {
		if t.After(last) {
			last = t
		}
	}
	return last
}

// mergeProof returns a with the higher prior of both and their outcomes added up. A
// confidence that a person set stays, a's before b's.
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

// Carry adds to target, an earlier state of a lesson, the uses, outcomes and evidence
// that now has beyond then. It returns false if now differs from then in anything else,
// which restoring target would lose.
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

// TakenFrom returns l without the uses and outcomes that the change added. The change
// must have a Before and an After.
func (c Change) TakenFrom(l Lesson) Lesson {
	last := l.Use.Last
	l = shifted(l, *c.After, *c.Before)
	l.Use.Last = last
	return l
}

// shifted returns l with the uses and outcomes that b has beyond a.
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
		t.Alpha, t.Beta, t.Last = 0, 0, time.Time{} // a remainder from rounding
	}
	l.Proof = t
	return settled(l)
}

// bare returns l without uses, outcomes and the sessions of these, and without the
// signature of its decision, which a sync adds.
func bare(l Lesson) Lesson {
	l.Proof.Prior = priorOf(l)
	if !l.Proof.Own {
		l.Confidence = 0
	}
	l.Use, l.Rev, l.Decided.Signed = Use{}, "", ""
	l.Evidence = slices.DeleteFunc(slices.Clone(l.Evidence), Evidence.Opposes)
	if len(l.Evidence) == 0 {
		l.Evidence = nil
	}
	l.Proof.Alpha, l.Proof.Beta, l.Proof.Outcomes, l.Proof.Last = 0, 0, 0, time.Time{}
	return l
}

// Repeats is the share of common keywords above which amplihack treats a new learning as
// a repeat of an existing one.
const Repeats = 0.6

// SharedKeywords returns the share of the shorter keyword list that the other lesson has
// too, ignoring case. It is 0 if either lesson has fewer than two keywords: one word is a
// subject, not a lesson.
func SharedKeywords(a, b Lesson) float64 {
	one, other := keywords(a), keywords(b)
	if len(one) < 2 || len(other) < 2 {
		return 0
	}
	both := 0
	for w := range one {
		if other[w] {
			both++
		}
	}
	return float64(both) / float64(min(len(one), len(other)))
}

func keywords(l Lesson) map[string]bool {
	out := map[string]bool{}
	for _, t := range l.Tags {
		if t = strings.ToLower(Line(t)); t != "" {
			out[t] = true
		}
	}
	return out
}

// Affirmed returns l after it was learned again as by: its confidence rises by a fifth of
// the distance between the higher of the two and 1, unless a person set it, and by's
// evidence is added. If l has that evidence already, Affirmed returns l unchanged.
func (l Lesson) Affirmed(by Lesson) Lesson {
	again := l.Witnessed(by.Evidence)
	if len(again.Evidence) == len(l.Evidence) {
		return l
	}
	if !again.Proof.Own {
		c := max(priorOf(again), by.Confidence)
		c += (1 - c) / 5
		again = raised(again, Confidence(math.Min(float64(c), 1)).Round())
	}
	return again
}
