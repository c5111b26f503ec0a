package lessons

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
)

// A refusal is a decision that cannot be made on a lesson as it is. It is an
// [ErrInvalid] that does not call the lesson one.
type refusal string

func refused(format string, args ...any) error { return refusal(fmt.Sprintf(format, args...)) }

func (r refusal) Error() string { return string(r) }
func (r refusal) Unwrap() error { return ErrInvalid }

// Approve makes a lesson active. Approving an approved lesson confirms it: a
// person has looked at it again and it still holds.
func (l Lesson) Approve(d Decision) (Lesson, error) {
	if l.Status == Merged {
		return l, refused("%s was merged into %s; approve that one, or split it off", l.ID, l.Decided.Into)
	}
	if l.Status == Approved {
		l.Proof.Confirmations++
	} else {
		l.Proof.Confirmations = 0
	}
	l.Proof.Confirmed = d.At
	return decided(l, Approved, d)
}

// Confirm says of an active lesson that it still holds.
func (l Lesson) Confirm(d Decision) (Lesson, error) {
	if l.Status != Approved {
		return l, refused("%s is %s; only an approved lesson can be confirmed", l.ID, l.Status)
	}
	return l.Approve(d)
}

// Reject makes a lesson a tombstone. The reason is kept: it is what stops the
// same proposal from coming back.
func (l Lesson) Reject(d Decision) (Lesson, error) {
	if l.Status == Merged {
		return l, refused("%s was merged into %s; reject that one, or split it off", l.ID, l.Decided.Into)
	}
	return decided(l, Rejected, d)
}

// Archive takes an approved lesson out of use and keeps it.
func (l Lesson) Archive(d Decision) (Lesson, error) {
	if l.Status != Approved {
		return l, refused("%s is %s; only an approved lesson can be archived", l.ID, l.Status)
	}
	return decided(l, Archived, d)
}

// Reopen puts a lesson back into the queue, where it is seen: a person asks for it.
func (l Lesson) Reopen(d Decision) (Lesson, error) {
	if l.Status == Merged {
		return l, refused("%s was merged into %s; split it off to have it back", l.ID, l.Decided.Into)
	}
	l.Lane = ""
	return decided(l, Pending, d)
}

// Reworded gives a lesson another sentence. A trigger whose words stood in the old
// sentence and do not all stand in the new one came from what was corrected, such as
// a misspelt word, and goes.
func (l Lesson) Reworded(content string) Lesson {
	was, is := wordSet(l.Content), wordSet(content)
	l.Content = content
	l.Triggers = slices.DeleteFunc(slices.Clone(l.Triggers), func(t string) bool {
		all := wordSet(t)
		return len(all) > 0 && within(all, was) && !within(all, is)
	})
	return l
}

// Outgrown is a lesson whose sentence was written anew in place of several: without the
// triggers whose words stood in one of these and stand neither in its wording nor in what
// was said for it.
func Outgrown(l Lesson, was ...string) Lesson {
	texts := []string{l.Content, l.Insight, l.Example}
	for _, e := range l.Evidence {
		texts = append(texts, e.Quote)
	}
	is := wordSet(strings.Join(texts, "\n"))
	l.Triggers = slices.DeleteFunc(slices.Clone(l.Triggers), func(t string) bool {
		all := wordSet(t)
		return len(all) > 0 && !within(all, is) && slices.ContainsFunc(was, func(s string) bool { return within(all, wordSet(s)) })
	})
	return l
}

// wordSet are the words of a text in lower case.
func wordSet(text string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		set[w] = true
	}
	return set
}

func within(some, all map[string]bool) bool {
	for w := range some {
		if !all[w] {
			return false
		}
	}
	return true
}

// Restored gives a lesson the text that it had in another version of it, with
// category, tags, triggers, scope and a confidence that a person had set. What
// it has learned and what was decided since stays.
func (l Lesson) Restored(then Lesson) Lesson {
	l.Wording, l.Category, l.Tags, l.Triggers = then.Wording, then.Category, then.Tags, then.Triggers
	l.Scope, l.Limit, l.Pinned = then.Scope, then.Limit, then.Pinned
	switch {
	case then.Proof.Own:
		return l.Rated(then.Confidence)
	case l.Proof.Own:
		l = l.Unrated()
	}
	return raised(l, priorOf(then))
}

// Snooze lets a proposal rest until a time; it stays pending.
func (l Lesson) Snooze(d Decision, until time.Time) (Lesson, error) {
	if l.Status != Pending {
		return l, refused("%s is %s; only a pending lesson can be snoozed", l.ID, l.Status)
	}
	d.Until = until
	return decided(l, Pending, d)
}

// Snoozed reports whether a proposal rests at a time.
func (l Lesson) Snoozed(now time.Time) bool {
	return l.Status == Pending && l.Decided.Until.After(now)
}

func decided(l Lesson, s Status, d Decision) (Lesson, error) {
	if d.By == "" {
		return l, fmt.Errorf("%w: nobody is named who decides on %s", ErrInvalid, l.ID)
	}
	l.Status, l.Decided = s, d
	if s != Pending {
		l.Elsewhere, l.Offer = Approval{}, Offer{}
	}
	return l, l.Validate()
}

// Survivor picks which of several lessons should live on in a merge: an
// approved one before a pending one, then the older, then the smaller id.
func Survivor(ls []Lesson) int {
	best := 0
	for i, l := range ls {
		b := ls[best]
		switch {
		case (l.Status == Approved) != (b.Status == Approved):
			if l.Status == Approved {
				best = i
			}
		case !l.Created.Equal(b.Created):
			if l.Created.Before(b.Created) {
				best = i
			}
		case l.ID < b.ID:
			best = i
		}
	}
	return best
}

// Merge makes one lesson of several. The first of the result is into with the
// evidence, tags, triggers, counters and outcomes of all, the higher prior
// confidence and the earlier date; its wording is into's own, so set that before. The others
// follow as [Merged] tombstones that name it and keep everything they had. If
// any of them was approved, the survivor is. It keeps its own project and role,
// so set those before too, and takes over no more than 100 pieces of evidence and
// [MaxTerms] tags and triggers.
func Merge(d Decision, into Lesson, from ...Lesson) ([]Lesson, error) {
	if len(from) == 0 {
		return nil, fmt.Errorf("%w: a merge needs two lessons or more", ErrInvalid)
	}
	if into.Status == Merged {
		return nil, fmt.Errorf("%w: %s was itself merged into %s", ErrInvalid, into.ID, into.Decided.Into)
	}
	out := []Lesson{into}
	seen := map[ID]bool{into.ID: true}
	for _, l := range from {
		switch {
		case seen[l.ID]:
			return nil, fmt.Errorf("%w: %s cannot be merged with itself", ErrInvalid, l.ID)
		case l.Status == Merged:
			return nil, fmt.Errorf("%w: %s was already merged into %s", ErrInvalid, l.ID, l.Decided.Into)
		}
		seen[l.ID] = true
		into = absorb(into, l)
		gone := d
		gone.Into = into.ID
		gone.Until = time.Time{}
		m, err := decided(l, Merged, gone)
		if err != nil {
			return nil, err
		}
		out = append(out, m)
	}
	d.Into, d.Until = "", time.Time{}
	survivor, err := decided(into, into.Status, d)
	out[0] = survivor
	return out, err
}

// absorb merges what two lessons know, in the wording of the first.
func absorb(a, b Lesson) Lesson {
	a = mergeProof(a, b)
	if b.Status == Approved {
		a.Status = Approved
	}
	a.Pinned = a.Pinned || b.Pinned
	a.Tags = JoinTerms(a.Tags, b.Tags)
	a.Triggers = JoinTerms(a.Triggers, b.Triggers)
	if b.Status == Approved { // where a lesson is given already it stays given; nothing else widens it
		a.Scope.Global, a.Limit = a.Scope.Global || b.Scope.Global, a.Limit.wider(b.Limit)
	}
	a.Without = JoinTerms(a.Without, b.Without)
	a.HoldsWith = mergeHoldings(a.ID, a.HoldsWith, b.HoldsWith)
	if len(a.Evidence) < mostMerged {
		a.Evidence = MergeEvidence(a.Evidence, b.Evidence)
		a.Evidence = a.Evidence[:min(len(a.Evidence), mostMerged)]
	}
	a.Use.Used += b.Use.Used
	a.Use.Helped += b.Use.Helped
	a.Use.Harmed += b.Use.Harmed
	if b.Use.Last.After(a.Use.Last) {
		a.Use.Last = b.Use.Last
	}
	if !b.Created.IsZero() && (a.Created.IsZero() || b.Created.Before(a.Created)) {
		a.Created = b.Created
	}
	if a.Insight == "" {
		a.Insight = b.Insight
	}
	if a.Example == "" {
		a.Example = b.Example
	}
	return a
}

// mostMerged is how many pieces of evidence one lesson takes over by merging.
// The rest stays with the lessons that had it, which are kept: the file must
// remain one that can be read.
const mostMerged = 100

// MergeEvidence joins two lists and drops what quotes the same moment twice: a
// resumed session copies its records, with their UUIDs, into another file.
func MergeEvidence(a, b []Evidence) []Evidence {
	out := slices.Clone(a)
	for _, e := range b {
		if !slices.ContainsFunc(out, e.same) {
			out = append(out, e)
		}
	}
	return out
}

// Witnessed adds evidence to a lesson, but for moments that it has already. The
// confidence stays: that people say a thing again was no sign, among people whose
// sessions were labelled, of its being worth keeping.
func (l Lesson) Witnessed(more []Evidence) Lesson {
	all := slices.Clone(l.Evidence)
	for _, e := range more {
		if !slices.ContainsFunc(all, e.same) && !slices.ContainsFunc(all, e.SameMoment) {
			all = append(all, e)
		}
	}
	l.Evidence = all
	return l
}

// RaisedTo gives a proposal the confidence that its proposer now has in it, if that
// is higher; one that was decided on keeps what it has.
func RaisedTo(l Lesson, c Confidence) Lesson {
	if l.Status == Pending && c > priorOf(l) {
		l = raised(l, c)
	}
	return l
}

func (e Evidence) same(o Evidence) bool {
	if e.UUID != "" && o.UUID != "" {
		return e.UUID == o.UUID && e.Quote == o.Quote
	}
	return e.Session == o.Session && e.Path == o.Path && e.Line == o.Line && e.Quote == o.Quote
}

// JoinTerms adds to a list of tags or triggers those of another that it lacks, in
// whatever case. It keeps the order and spelling of the first, and ends at [MaxTerms].
func JoinTerms(a, b []string) []string {
	out := slices.Clone(a)
	for _, s := range b {
		if len(out) < MaxTerms && !slices.ContainsFunc(out, func(t string) bool { return strings.EqualFold(s, t) }) {
			out = append(out, s)
		}
	}
	return out
}

// maxMerges is how many merges are followed from one lesson to the one in which it lives on.
const maxMerges = 10

// Living gives the lesson in which another lives on after merges, or itself; false when
// it is gone.
func Living(get func(ID) (Lesson, error), id ID) (Lesson, bool) {
	for range maxMerges {
		l, err := get(id)
		if err != nil {
			return Lesson{}, false
		}
		if l.Status != Merged {
			return l, true
		}
		id = l.Decided.Into
	}
	return Lesson{}, false
}
