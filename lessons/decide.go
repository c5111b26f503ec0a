package lessons

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
)

// A refusal says that a decision cannot be made on a lesson in its state. It matches
// [ErrInvalid], but its message does not call the lesson invalid.
type refusal string

func refused(format string, args ...any) error { return refusal(fmt.Sprintf(format, args...)) }

func (r refusal) Error() string { return string(r) }
func (r refusal) Unwrap() error { return ErrInvalid }

// Approve makes a lesson active. Approving an approved lesson confirms that it still
// holds.
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

// Confirm records that an active lesson still holds.
func (l Lesson) Confirm(d Decision) (Lesson, error) {
	if l.Status != Approved {
		return l, refused("%s is %s; only an approved lesson can be confirmed", l.ID, l.Status)
	}
	return l.Approve(d)
}

// Reject makes a lesson a tombstone. Its reason decides when the same proposal may come
// back.
func (l Lesson) Reject(d Decision) (Lesson, error) {
	if l.Status == Merged {
		return l, refused("%s was merged into %s; reject that one, or split it off", l.ID, l.Decided.Into)
	}
	return decided(l, Rejected, d)
}

// Archive takes an approved lesson out of use but keeps it.
func (l Lesson) Archive(d Decision) (Lesson, error) {
	if l.Status != Approved {
		return l, refused("%s is %s; only an approved lesson can be archived", l.ID, l.Status)
	}
	return decided(l, Archived, d)
}

// Reopen puts a lesson back into the queue. It becomes visible there, since a person
// asked for it.
func (l Lesson) Reopen(d Decision) (Lesson, error) {
	if l.Status == Merged {
		return l, refused("%s was merged into %s; split it off to have it back", l.ID, l.Decided.Into)
	}
	l.Lane = ""
	return decided(l, Pending, d)
}

// Reworded returns the lesson with another sentence. It drops triggers whose words were
// in the old sentence and are not all in the new one: they came from what was corrected,
// such as a misspelt word.
func (l Lesson) Reworded(content string) Lesson {
	was, is := wordSet(l.Content), wordSet(content)
	l.Content = content
	l.Triggers = slices.DeleteFunc(slices.Clone(l.Triggers), func(t string) bool {
		all := wordSet(t)
		return len(all) > 0 && within(all, was) && !within(all, is)
	})
	return l
}

// Outgrown returns a lesson whose sentence replaces the sentences was. It drops triggers
// whose words were in one of these but are neither in the new wording nor in the
// evidence.
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

// wordSet returns the words of a text in lower case.
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

// Restored returns l with the text of an earlier version, its category, tags, triggers
// and scope, and its confidence if a person had set it. Evidence, outcomes and decisions
// since then stay.
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

// Snooze hides a proposal until a time. It stays pending.
func (l Lesson) Snooze(d Decision, until time.Time) (Lesson, error) {
	if l.Status != Pending {
		return l, refused("%s is %s; only a pending lesson can be snoozed", l.ID, l.Status)
	}
	d.Until = until
	return decided(l, Pending, d)
}

// Snoozed reports whether a proposal is snoozed at a time.
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

// Survivor returns the index of the lesson that should survive a merge: approved before
// pending, then the older, then the smaller id.
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

// Merge merges lessons into one. The first result is into with the evidence, tags,
// triggers, counters and outcomes of all, the higher prior confidence and the earlier
// date; it is approved if any of them was. Wording, project and role are into's, so set
// them before. It takes over at most 100 pieces of evidence and [MaxTerms] tags and
// triggers. The other results are the lessons of from as [Merged] tombstones that name it
// and are otherwise unchanged.
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

// absorb merges two lessons, with the wording of the first.
func absorb(a, b Lesson) Lesson {
	a = mergeProof(a, b)
	if b.Status == Approved {
		a.Status = Approved
	}
	a.Pinned = a.Pinned || b.Pinned
	a.Tags = JoinTerms(a.Tags, b.Tags)
	a.Triggers = JoinTerms(a.Triggers, b.Triggers)
	if b.Status == Approved { // where a lesson was active it stays active, but its scope does not widen
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
	a.Insight = cmp.Or(a.Insight, b.Insight)
	a.Example = cmp.Or(a.Example, b.Example)
	return a
}

// mostMerged limits the evidence that a lesson takes over in a merge, so that its file
// stays readable. The tombstones keep the rest.
const mostMerged = 100

// MergeEvidence joins two lists without quoting a moment twice: a resumed session copies
// its records, with their UUIDs, into another file.
func MergeEvidence(a, b []Evidence) []Evidence {
	out := slices.Clone(a)
	for _, e := range b {
		if !slices.ContainsFunc(out, e.same) {
			out = append(out, e)
		}
	}
	return out
}

// Witnessed adds evidence of moments that the lesson does not have yet. The confidence
// stays: in labelled sessions, repetition did not predict that a lesson was worth
// keeping.
func (l Lesson) Witnessed(more []Evidence) Lesson {
	all := slices.Clone(l.Evidence)
	for _, e := range more {
		if slices.ContainsFunc(all, e.same) {
			continue
		}
		switch i := slices.IndexFunc(all, e.SameMoment); {
		case i < 0:
			all = append(all, e)
		case all[i].unplaced() && !e.unplaced(): // its transcript has been read
			e.From, all[i] = FromAsked, e
		}
	}
	l.Evidence = all
	return l
}

// RaisedTo raises the confidence of a proposal to c, if that is higher. A lesson that was
// decided on keeps its own.
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

// JoinTerms appends the tags or triggers of b that a lacks, ignoring case, up to
// [MaxTerms]. Order and spelling of a stay.
func JoinTerms(a, b []string) []string {
	out := slices.Clone(a)
	for _, s := range b {
		if len(out) < MaxTerms && !slices.ContainsFunc(out, func(t string) bool { return strings.EqualFold(s, t) }) {
			out = append(out, s)
		}
	}
	return out
}

// maxMerges limits how many merges [Living] follows.
const maxMerges = 10

// Living follows merges from a lesson to the one that survived, which may be the lesson
// itself. It returns false if that is gone.
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

// A Joint is a merge as in the journal: the states before and after of the survivor and
// of each lesson merged into it. Before is nil where the journal does not reach back.
type Joint struct {
	Survivor Change
	Gone     []Change
}

// Split undoes [Merge] for the lessons gone, given as they are now. The result is the
// survivor followed by these lessons.
//
// Each lesson becomes what it was before the joint, or pending if that is unknown. If the
// survivor did not change since the merge and all lessons of the merge are split, it
// returns to its earlier state, wording included. Else it loses the evidence, tags and
// triggers that only the split lessons had, and their counts; it keeps its wording,
// confidence and proof, and everything if its earlier state is unknown.
func Split(d Decision, survivor Lesson, gone []Lesson, j Joint) ([]Lesson, error) {
	if d.By == "" {
		return nil, fmt.Errorf("%w: nobody is named who splits %s", ErrInvalid, survivor.ID)
	}
	out := []Lesson{survivor}
	for _, l := range gone {
		if l.Status != Merged || l.Decided.Into != survivor.ID {
			return nil, fmt.Errorf("%w: %s was not merged into %s", ErrInvalid, l.ID, survivor.ID)
		}
		back := l
		back.Status, back.Decided = Pending, Decision{By: d.By, At: d.At, Reason: d.Reason}
		for _, c := range j.Gone {
			if c.ID == l.ID && c.Before != nil {
				back.Status, back.Decided = c.Before.Status, c.Before.Decided
			}
		}
		out = append(out, back)
	}
	before, after := j.Survivor.Before, j.Survivor.After
	switch {
	case before == nil || after == nil:
	case len(gone) == len(j.Gone) && unchanged(survivor, *after):
		whole := *before
		whole.Rev = survivor.Rev
		out[0] = whole
	default:
		out[0] = without(survivor, *before, gone)
		if survivor.Decided == after.Decided && len(gone) == len(j.Gone) {
			out[0].Status, out[0].Decided = before.Status, before.Decided
		}
	}
	for _, l := range out {
		if err := l.Validate(); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// unchanged reports whether a lesson is as a change left it.
func unchanged(l, then Lesson) bool {
	return len(Change{Before: &then, After: &l}.Differences()) == 0 && l.Use == then.Use && l.Proof == then.Proof && l.Decided == then.Decided
}

// without removes from l what it took from the lessons gone and did not have before.
func without(l, before Lesson, gone []Lesson) Lesson {
	theirs := func(of func(Lesson) []string, s string) bool {
		has := func(all []string) bool {
			return slices.ContainsFunc(all, func(t string) bool { return strings.EqualFold(s, t) })
		}
		return !has(of(before)) && slices.ContainsFunc(gone, func(g Lesson) bool { return has(of(g)) })
	}
	tags := func(l Lesson) []string { return l.Tags }
	triggers := func(l Lesson) []string { return l.Triggers }
	l.Tags = slices.DeleteFunc(slices.Clone(l.Tags), func(s string) bool { return theirs(tags, s) })
	l.Triggers = slices.DeleteFunc(slices.Clone(l.Triggers), func(s string) bool { return theirs(triggers, s) })
	l.Evidence = slices.DeleteFunc(slices.Clone(l.Evidence), func(e Evidence) bool {
		return !slices.ContainsFunc(before.Evidence, e.same) &&
			slices.ContainsFunc(gone, func(g Lesson) bool { return slices.ContainsFunc(g.Evidence, e.same) })
	})
	for _, g := range gone {
		l.Use.Used = max(l.Use.Used-g.Use.Used, before.Use.Used)
		l.Use.Helped = max(l.Use.Helped-g.Use.Helped, before.Use.Helped)
		l.Use.Harmed = max(l.Use.Harmed-g.Use.Harmed, before.Use.Harmed)
	}
	return l
}

// A Guard is a person's choice to stop the tool calls that a lesson forbids. It is part
// of the lesson, so that it is undone, journaled and synced with it, but it is in force
// only on machines where a person has chosen it.
type Guard struct {
	Patterns []string `json:"patterns"`       // calls to stop; see package guard
	Deny     bool     `json:"deny,omitempty"` // deny them; otherwise a person is asked
	By       string   `json:"by,omitempty"`   // who chose it
	Of       ID       `json:"of,omitempty"`   // identifies the sentence that it was chosen for
}

// IsZero reports whether a lesson has no guard.
func (g Guard) IsZero() bool { return len(g.Patterns) == 0 }

// Equal reports whether two guards are the same.
func (g Guard) Equal(o Guard) bool {
	return slices.Equal(g.Patterns, o.Patterns) && g.Deny == o.Deny && g.By == o.By && g.Of == o.Of
}

// guardOf identifies the sentence of a lesson.
func guardOf(l Lesson) ID { return IDFrom("guard", l.Content) }

// Guarding sets the guard of an active lesson. The zero Guard removes it.
func (l Lesson) Guarding(d Decision, g Guard) (Lesson, error) {
	if g.IsZero() {
		if l.Guard.IsZero() {
			return l, refused("%s has no guard", l.ID)
		}
		l.Guard = Guard{}
		return l, l.Validate()
	}
	switch {
	case d.By == "":
		return l, fmt.Errorf("%w: nobody is named who guards %s", ErrInvalid, l.ID)
	case l.Status != Approved:
		return l, refused("%s is %s; only an approved lesson can be guarded", l.ID, l.Status)
	case l.Outside:
		return l, refused("another program wrote %s; confirm it first", l.ID)
	}
	l.Guard = Guard{Patterns: slices.Clone(g.Patterns), Deny: g.Deny, By: d.By, Of: guardOf(l)}
	return l, l.Validate()
}

// Unguarded says why the guard of a lesson cannot be in force on any machine: the lesson
// is not active, or its sentence has changed since. It completes "the guard is off: …"
// and is "" if nothing is wrong.
func (l Lesson) Unguarded() string {
	switch {
	case l.Guard.IsZero():
		return "there is none"
	case l.Status != Approved:
		return "the lesson is " + string(l.Status)
	case l.Outside:
		return "another program has changed the lesson"
	case l.Guard.Of != guardOf(l):
		return "the lesson says something else now"
	}
	return ""
}
