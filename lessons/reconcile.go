package lessons

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"
)

// Reconcile does a three-way merge of a lesson: base is the common state, ours and theirs
// are the two copies. The result does not depend on which is called ours. A lesson
// missing from base is the zero Lesson.
//
// A field that only one side changed has that side's value. Where both changed,
//
//   - the status is that of the newer decision; at the same moment, the one that leaves
//     the lesson alive;
//   - counters and outcomes are those of base plus what each side added;
//   - evidence, tags, triggers and unknown fields are merged, without what either side
//     removed;
//   - texts and everything else are those of the side with the newer decision.
//
// An approval holds for what it was made on: if one side approved what the other reworded,
// the approved text wins; and if the other has not approved it, all that sessions are given
// is as it was approved.
//
// If a text is lost by that, other is the lesson of the losing side as a pending
// proposal. Its id is derived from the lesson's, so that every copy makes the same one.
func Reconcile(base, ours, theirs Lesson) (one Lesson, other *Lesson) {
	base.Rev, ours.Rev, theirs.Rev = "", "", ""
	switch {
	case reflect.DeepEqual(ours, theirs), reflect.DeepEqual(theirs, base):
		return ours, nil
	case reflect.DeepEqual(ours, base):
		return theirs, nil
	}
	a, b := ours, theirs
	if senior(b, a) {
		a, b = b, a
	}
	l := a
	l.Category = pick(base.Category, a.Category, b.Category)
	l.Wording = Wording{
		Content: pick(base.Content, a.Content, b.Content),
		Insight: pick(base.Insight, a.Insight, b.Insight),
		Example: pick(base.Example, a.Example, b.Example),
	}
	l.Tags = pickTerms(base.Tags, a.Tags, b.Tags)
	l.Triggers = pickTerms(base.Triggers, a.Triggers, b.Triggers)
	l.Scope = Scope{
		Project: pick(base.Scope.Project, a.Scope.Project, b.Scope.Project),
		Role:    pick(base.Scope.Role, a.Scope.Role, b.Scope.Role),
		Global:  pick(base.Scope.Global, a.Scope.Global, b.Scope.Global),
	}
	l.Limit = Limit{
		Paths: pickTerms(base.Limit.Paths, a.Limit.Paths, b.Limit.Paths),
		Agent: pick(base.Limit.Agent, a.Limit.Agent, b.Limit.Agent),
		Until: pickTime(base.Limit.Until, a.Limit.Until, b.Limit.Until, later),
	}
	l.Evidence = pickList(base.Evidence, a.Evidence, b.Evidence, Evidence.same)
	l.Use = Use{
		Used:   grown(base.Use.Used, a.Use.Used, b.Use.Used),
		Helped: grown(base.Use.Helped, a.Use.Helped, b.Use.Helped),
		Harmed: grown(base.Use.Harmed, a.Use.Harmed, b.Use.Harmed),
		Last:   pickTime(base.Use.Last, a.Use.Last, b.Use.Last, later),
	}
	l = reconcileProof(l, base, a, b)
	l.Pinned = pick(base.Pinned, a.Pinned, b.Pinned)
	if l.Guard = a.Guard; a.Guard.Equal(base.Guard) {
		l.Guard = b.Guard
	}
	l.Origin = Origin{
		Source:    pick(base.Origin.Source, a.Origin.Source, b.Origin.Source),
		Extractor: pick(base.Origin.Extractor, a.Origin.Extractor, b.Origin.Extractor),
		Rule:      pick(base.Origin.Rule, a.Origin.Rule, b.Origin.Rule),

		Declined:   pick(base.Origin.Declined, a.Origin.Declined, b.Origin.Declined),
		DeclinedAt: pickTime(base.Origin.DeclinedAt, a.Origin.DeclinedAt, b.Origin.DeclinedAt, later),

		Score:   pick(base.Origin.Score, a.Origin.Score, b.Origin.Score),
		Stands:  pick(base.Origin.Stands, a.Origin.Stands, b.Origin.Stands),
		Against: pick(base.Origin.Against, a.Origin.Against, b.Origin.Against),
		Advice:  pick(base.Origin.Advice, a.Origin.Advice, b.Origin.Advice),
		Unsaid:  pickTerms(base.Origin.Unsaid, a.Origin.Unsaid, b.Origin.Unsaid),
	}
	l.Lane = pick(base.Lane, a.Lane, b.Lane)
	l.Offer = pick(base.Offer, a.Offer, b.Offer)
	verdict := pick(verdictOf(base), verdictOf(a), verdictOf(b))
	l.Status, l.Decided = verdict.status, verdict.decision
	l.Elsewhere = pick(base.Elsewhere, a.Elsewhere, b.Elsewhere)
	l.Without = pickTerms(base.Without, a.Without, b.Without)
	l.Outside = pick(base.Outside, a.Outside, b.Outside)
	l.HoldsWith = pickList(base.HoldsWith, a.HoldsWith, b.HoldsWith, func(h, o Holding) bool { return h.ID == o.ID })
	l.Created = pickTime(base.Created, a.Created, b.Created, earlier)
	l.Extra = pickList(base.Extra, a.Extra, b.Extra, func(f, g Field) bool { return f.Key == g.Key })
	approver, rest := a, b
	if verdictOf(a) != verdict {
		approver, rest = b, a
	}
	if l.Status == Approved && verdict != verdictOf(base) && verdictOf(rest) != verdict {
		reworded := l.Wording != approver.Wording
		if l.Wording = approver.Wording; rest.Status != Approved {
			l = l.Given(approver)
		}
		if reworded {
			return l, variant(l, rest)
		}
	}
	if lost(base.Content, a.Content, b.Content) || lost(base.Insight, a.Insight, b.Insight) || lost(base.Example, a.Example, b.Example) {
		other = variant(l, b)
	}
	return l, other
}

// Common returns a base for two lessons whose common state is unknown: it has the counts
// that both have reached, so that a copied corpus is not counted twice.
func Common(a, b Lesson) Lesson {
	var c Lesson
	c.Use.Used, c.Use.Helped, c.Use.Harmed = min(a.Use.Used, b.Use.Used), min(a.Use.Helped, b.Use.Helped), min(a.Use.Harmed, b.Use.Harmed)
	last := earlier(a.Proof.Last, b.Proof.Last)
	p, q := a.Proof.at(last), b.Proof.at(last)
	c.Proof = Proof{Alpha: min(p.Alpha, q.Alpha), Beta: min(p.Beta, q.Beta), Outcomes: min(p.Outcomes, q.Outcomes), Last: last,
		Confirmations: min(p.Confirmations, q.Confirmations)}
	return c
}

// senior orders two states of a lesson the same on every machine: the newer decision
// first, then the one that is alive.
func senior(a, b Lesson) bool {
	if !a.Decided.At.Equal(b.Decided.At) {
		return a.Decided.At.After(b.Decided.At)
	}
	if (a.Status == Merged) != (b.Status == Merged) {
		return b.Status == Merged
	}
	x, _ := json.Marshal(a) // texts, numbers and times can always be marshaled
	y, _ := json.Marshal(b)
	return bytes.Compare(x, y) > 0
}

// A verdict is a status and the decision that made it, which are merged as one.
type verdict struct {
	status   Status
	decision Decision
}

func verdictOf(l Lesson) verdict { return verdict{l.Status, l.Decided} }

// pick returns the value that changed; a if both did.
func pick[T comparable](base, a, b T) T {
	if a == base {
		return b
	}
	return a
}

// lost reports whether pick drops a change.
func lost(base, a, b string) bool { return a != b && a != base && b != base && b != "" }

func grown(base, a, b int) int { return max(a+b-base, 0) }

func pickTime(base, a, b time.Time, both func(a, b time.Time) time.Time) time.Time {
	switch {
	case a.Equal(base):
		return b
	case b.Equal(base):
		return a
	}
	return both(a, b)
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// earlier returns the earlier time, ignoring zero times.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// pickTerms merges two lists of words, up to [MaxTerms].
func pickTerms(base, a, b []string) []string {
	out := pickList(base, a, b, strings.EqualFold)
	return out[:min(len(out), MaxTerms)]
}

// pickList merges two lists, without what either side removed from base. Of an item in
// both, the changed one stays.
func pickList[T any](base, a, b []T, same func(T, T) bool) []T {
	switch {
	case reflect.DeepEqual(a, b), reflect.DeepEqual(b, base):
		return a
	case reflect.DeepEqual(a, base):
		return b
	}
	find := func(list []T, x T) (T, bool) {
		if i := slices.IndexFunc(list, func(y T) bool { return same(x, y) }); i >= 0 {
			return list[i], true
		}
		return x, false
	}
	var out []T
	for _, x := range a {
		was, had := find(base, x)
		theirs, has := find(b, x)
		switch {
		case !has && had:
			continue
		case has && had && reflect.DeepEqual(x, was):
			x = theirs
		}
		out = append(out, x)
	}
	for _, x := range b {
		_, had := find(base, x)
		if _, has := find(a, x); !has && !had {
			out = append(out, x)
		}
	}
	return out
}

// reconcileProof adds up the outcomes of both sides, weighted as of the last one, and
// sets l's confidence from them. A confidence that a person set on either side stays.
func reconcileProof(l, base, a, b Lesson) Lesson {
	last := later(base.Proof.Last, later(a.Proof.Last, b.Proof.Last))
	z, p, q := base.Proof, a.Proof, b.Proof
	if !last.IsZero() {
		z, p, q = z.at(last), p.at(last), q.at(last)
	}
	type setting struct {
		own   bool
		value Confidence
	}
	set := func(l Lesson) setting {
		if l.Proof.Own {
			return setting{true, l.Confidence}
		}
		return setting{}
	}
	own := pick(set(base), set(a), set(b))
	prior := pick(priorOf(base), priorOf(a), priorOf(b))
	l.Proof = Proof{
		Alpha:         max(p.Alpha+q.Alpha-z.Alpha, 0),
		Beta:          max(p.Beta+q.Beta-z.Beta, 0),
		Outcomes:      grown(z.Outcomes, p.Outcomes, q.Outcomes),
		Last:          last,
		Confirmed:     pickTime(z.Confirmed, p.Confirmed, q.Confirmed, later),
		Confirmations: grown(z.Confirmations, p.Confirmations, q.Confirmations),
		Own:           own.own,
	}
	l.Confidence = prior
	if own.own {
		l.Confidence = own.value
	}
	if own.own || a.Proof.Prior != 0 || b.Proof.Prior != 0 {
		l.Proof.Prior = prior
	}
	return settled(l)
}

// variant returns the text of b as a proposal beside l.
func variant(l, b Lesson) *Lesson {
	v := Lesson{
		ID:       IDFrom("variant", string(l.ID), b.Content, b.Insight, b.Example),
		Status:   Pending,
		Category: b.Category, Wording: b.Wording, Tags: l.Tags, Triggers: l.Triggers, Scope: l.Scope, Limit: l.Limit,
		Confidence: priorOf(l), Evidence: l.Evidence, Created: l.Created,
		Origin: Origin{
			Source: l.Origin.Source, Extractor: "sync",
			Rule: fmt.Sprintf("%s was changed on two machines at once: this is what the other one says; merge it into %s, or reject it", l.ID, l.ID),
		},
		Extra: []Field{{Key: VariantKey, Value: string(l.ID)}},
	}
	return &v
}

// VariantKey is the field of a proposal from Reconcile that names the lesson with the
// other text.
const VariantKey = "variant_of"
