package curate

import (
	"fmt"
	"slices"
	"time"

	"learnings/lessons"
	"learnings/lessons/file"
)

// An Action is a decision that can be made on any number of lessons, and again.
// The zero Action decides nothing; [Action.IsZero] tells it.
type Action struct {
	Op     lessons.Op // for the journal
	Verb   string     // "approve", as in "approve 3 lessons?"
	Done   string     // "approved", for what was done
	Reason string     // kept with each lesson; "" for none

	Leaves  bool // a proposal is none any more after it
	Rewords bool // what the lesson says changes, or for whom
	refuses bool // gives no lesson more weight than it had
	once    bool // it is for one lesson alone, such as a text
	one     bool // what it makes of a lesson is looked at by itself

	draft *Draft          // whose text the lesson becomes
	typed *lessons.Lesson // of which draft is to be made first; nil where it is there
	apply func(lessons.Lesson, lessons.Decision) (lessons.Lesson, error)
}

// The actions that take no argument.
var (
	Approve = Action{Op: lessons.OpApprove, Verb: "approve", Done: "approved", Leaves: true, apply: lessons.Lesson.Approve}
	Confirm = Action{Op: lessons.OpConfirm, Verb: "confirm", Done: "confirmed", apply: lessons.Lesson.Confirm}
	Pin     = Action{Op: lessons.OpPin, Verb: "pin", Done: "pinned", apply: pins(true)}
	Unpin   = Action{Op: lessons.OpUnpin, Verb: "unpin", Done: "unpinned", refuses: true, apply: pins(false)}
	Archive = Action{Op: lessons.OpArchive, Verb: "archive", Done: "archived", refuses: true, apply: lessons.Lesson.Archive}
	Reject  = Action{Op: lessons.OpReject, Verb: "reject", Done: "rejected", Leaves: true, refuses: true, apply: lessons.Lesson.Reject}
	Reopen  = Action{Op: lessons.OpReopen, Verb: "reopen", Done: "reopened", refuses: true, apply: lessons.Lesson.Reopen}

	// Unrate lets the confidence follow from outcomes again.
	Unrate = Action{Op: lessons.OpEdit, Verb: "let the confidence be computed of", Done: "confidence is computed again:",
		apply: changes(lessons.Lesson.Unrated)}
)

// Guard has calls of agents stopped that an active lesson forbids, on this machine; the
// zero Guard lets them pass again.
func Guard(g lessons.Guard) Action {
	a := Action{Op: lessons.OpGuard, Verb: "guard", Done: "guarded", one: true}
	if g.IsZero() {
		a = Action{Op: lessons.OpUnguard, Verb: "take the guard off", Done: "no longer guarded", refuses: true}
	}
	a.apply = func(l lessons.Lesson, d lessons.Decision) (lessons.Lesson, error) { return l.Guarding(d, g) }
	return a
}

// Because is the action with a reason.
func (a Action) Because(reason string) Action {
	a.Reason = reason
	return a
}

// Repeats reports that the action can be made on another lesson too.
func (a Action) Repeats() bool { return !a.IsZero() && !a.once }

// IsZero reports that the action decides nothing.
func (a Action) IsZero() bool { return a.apply == nil }

// Preview is what the action would make of a lesson. It stores nothing.
func (a Action) Preview(l lessons.Lesson, by string, at time.Time) (lessons.Lesson, error) {
	return a.apply(l, lessons.Decision{By: by, Reason: a.Reason, At: at})
}

// Snooze lets proposals rest until a time.
func Snooze(until time.Time) Action {
	return Action{Op: lessons.OpSnooze, Verb: "snooze", Done: "snoozed until " + until.Format("Jan 2"), Leaves: true, refuses: true,
		apply: func(l lessons.Lesson, d lessons.Decision) (lessons.Lesson, error) { return l.Snooze(d, until) }}
}

// Rate sets the confidence, within 0 and 1, as the person's own.
func Rate(c lessons.Confidence) Action {
	c = max(0, min(c, 1)).Round()
	return Action{Op: lessons.OpEdit, Verb: "set confidence " + c.String() + " of", Done: "confidence " + c.String() + ":",
		apply: changes(func(l lessons.Lesson) lessons.Lesson { return l.Rated(c) })}
}

// PinOrUnpin pins lessons, or unpins them when all of them are pinned.
func PinOrUnpin(ls []lessons.Lesson) Action {
	if slices.ContainsFunc(ls, func(l lessons.Lesson) bool { return !l.Pinned }) {
		return Pin
	}
	return Unpin
}

// edits is an action that changes what a lesson says.
func edits(change func(lessons.Lesson) lessons.Lesson) Action {
	return Action{Op: lessons.OpEdit, Verb: "edit", Done: "edited", Rewords: true, once: true, apply: changes(change)}
}

// changes makes of a change that no decision is kept for what an action applies.
func changes(change func(lessons.Lesson) lessons.Lesson) func(lessons.Lesson, lessons.Decision) (lessons.Lesson, error) {
	return func(l lessons.Lesson, _ lessons.Decision) (lessons.Lesson, error) {
		l = change(l)
		return l, l.Validate()
	}
}

// pins vouches for a lesson for good, or takes that back.
func pins(pin bool) func(lessons.Lesson, lessons.Decision) (lessons.Lesson, error) {
	return changes(func(l lessons.Lesson) lessons.Lesson {
		l.Pinned = pin
		return l
	})
}

// Edit gives a lesson what a person has made of it: everything that
// [Edited] takes over.
func Edit(edited lessons.Lesson) Action {
	return edits(func(l lessons.Lesson) lessons.Lesson { return Edited(l, edited) })
}

// Edited is a lesson with what a person may change by editing: wording,
// category, scope, limits, tags, triggers, pin, fields of other programs, the
// confidence, which becomes the person's own, and evidence that they took out.
// What identifies a lesson, what was decided on it and what came of it stay, and
// evidence is not added or reworded. Triggers that the person did not touch follow the
// sentence ([lessons.Lesson.Reworded]).
func Edited(l, edited lessons.Lesson) lessons.Lesson {
	edited = file.Retitled(l, edited)
	if slices.Equal(l.Triggers, edited.Triggers) {
		edited.Triggers = l.Reworded(edited.Content).Triggers
	}
	l.Wording, l.Category, l.Scope, l.Limit, l.Pinned = edited.Wording, edited.Category, edited.Scope, edited.Limit, edited.Pinned
	l.Tags, l.Triggers, l.Extra = edited.Tags, edited.Triggers, edited.Extra
	switch {
	case l.Proof.Own && !edited.Proof.Own:
		l = l.Unrated()
	case edited.Confidence.Round() != l.Confidence.Round():
		l = l.Rated(edited.Confidence)
	}
	l.Evidence = kept(l.Evidence, edited.Evidence)
	return l
}

// kept are the pieces of evidence that are still there after an edit, as they
// were: a quote is what somebody said, and is not for editing.
func kept(before, after []lessons.Evidence) []lessons.Evidence {
	return slices.DeleteFunc(slices.Clone(before), func(e lessons.Evidence) bool {
		return !slices.ContainsFunc(after, func(o lessons.Evidence) bool {
			return o.Quote == e.Quote || o.Session == e.Session && o.Line == e.Line
		})
	})
}

// Restore gives a lesson the text of an earlier version, which history numbers.
func Restore(version int, then lessons.Lesson) Action {
	what := fmt.Sprintf("version %d", version)
	return Action{Op: lessons.OpRestore, Verb: "restore " + what + " of", Done: "restored to " + what + ":", Rewords: true, once: true,
		apply: changes(func(l lessons.Lesson) lessons.Lesson { return l.Restored(then) })}
}

// Then is one action that does what another does after this one: one step of the
// journal, which is taken back as one.
func (a Action) Then(b Action) Action {
	first, second := a.apply, b.apply
	both := b
	both.Rewords, both.once, both.one, both.draft, both.typed = a.Rewords || b.Rewords, a.once || b.once, a.one || b.one, a.draft, a.typed
	both.Done = a.Done + " and " + b.Done
	both.apply = func(l lessons.Lesson, d lessons.Decision) (lessons.Lesson, error) {
		l, err := first(l, d)
		if err != nil {
			return l, err
		}
		return second(l, d)
	}
	return both
}
