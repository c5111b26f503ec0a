package curate

import (
	"fmt"
	"slices"
	"time"

	"learnings/lessons"
	"learnings/lessons/file"
)

// An Action is a decision that can be applied to any number of lessons, repeatedly. The
// zero Action decides nothing; [Action.IsZero] reports it.
type Action struct {
	Op     lessons.Op // for the journal
	Verb   string     // "approve", as in "approve 3 lessons?"
	Done   string     // "approved", for what was done
	Reason string     // stored with each lesson; "" for none

	Leaves  bool // a proposal is no longer one afterwards
	Rewords bool // changes what the lesson says or where it holds
	refuses bool // never gives a lesson more weight than it had
	once    bool // made for one lesson only, such as a text
	one     bool // its result on each lesson must be looked at separately

	draft *Draft          // the lesson gets the text of this draft
	typed *lessons.Lesson // make draft from this lesson first; nil if draft is set
	apply func(lessons.Lesson, lessons.Decision) (lessons.Lesson, error)
}

// Actions without an argument.
var (
	Approve = Action{Op: lessons.OpApprove, Verb: "approve", Done: "approved", Leaves: true, apply: lessons.Lesson.Approve}
	Confirm = Action{Op: lessons.OpConfirm, Verb: "confirm", Done: "confirmed", apply: lessons.Lesson.Confirm}
	Pin     = Action{Op: lessons.OpPin, Verb: "pin", Done: "pinned", apply: pins(true)}
	Unpin   = Action{Op: lessons.OpUnpin, Verb: "unpin", Done: "unpinned", refuses: true, apply: pins(false)}
	Archive = Action{Op: lessons.OpArchive, Verb: "archive", Done: "archived", refuses: true, apply: lessons.Lesson.Archive}
	Reject  = Action{Op: lessons.OpReject, Verb: "reject", Done: "rejected", Leaves: true, refuses: true, apply: lessons.Lesson.Reject}
	Reopen  = Action{Op: lessons.OpReopen, Verb: "reopen", Done: "reopened", refuses: true, apply: lessons.Lesson.Reopen}

	// Unrate computes the confidence from outcomes again.
	Unrate = Action{Op: lessons.OpEdit, Verb: "let the confidence be computed of", Done: "confidence is computed again:",
		apply: changes(lessons.Lesson.Unrated)}
)

// Guard has agents' calls that an active lesson forbids stopped on this machine; the zero
// Guard lets them pass again.
func Guard(g lessons.Guard) Action {
	a := Action{Op: lessons.OpGuard, Verb: "guard", Done: "guarded", one: true}
	if g.IsZero() {
		a = Action{Op: lessons.OpUnguard, Verb: "take the guard off", Done: "no longer guarded", refuses: true}
	}
	a.apply = func(l lessons.Lesson, d lessons.Decision) (lessons.Lesson, error) { return l.Guarding(d, g) }
	return a
}

// Because returns the action with a reason.
func (a Action) Because(reason string) Action {
	a.Reason = reason
	return a
}

// Repeats reports whether the action can be applied to another lesson too.
func (a Action) Repeats() bool { return !a.IsZero() && !a.once }

// IsZero reports whether the action decides nothing.
func (a Action) IsZero() bool { return a.apply == nil }

// Preview returns the lesson as the action would leave it. It stores nothing.
func (a Action) Preview(l lessons.Lesson, by string, at time.Time) (lessons.Lesson, error) {
	return a.apply(l, lessons.Decision{By: by, Reason: a.Reason, At: at})
}

// Snooze sets proposals aside until a time.
func Snooze(until time.Time) Action {
	return Action{Op: lessons.OpSnooze, Verb: "snooze", Done: "snoozed until " + until.Format("Jan 2"), Leaves: true, refuses: true,
		apply: func(l lessons.Lesson, d lessons.Decision) (lessons.Lesson, error) { return l.Snooze(d, until) }}
}

// Rate sets the confidence, from 0 to 1, as the person's own.
func Rate(c lessons.Confidence) Action {
	c = max(0, min(c, 1)).Round()
	return Action{Op: lessons.OpEdit, Verb: "set confidence " + c.Trust() + " of", Done: "confidence " + c.Trust() + ":",
		apply: changes(func(l lessons.Lesson) lessons.Lesson { return l.Rated(c) })}
}

// PinOrUnpin pins lessons, or unpins them if all are pinned.
func PinOrUnpin(ls []lessons.Lesson) Action {
	if slices.ContainsFunc(ls, func(l lessons.Lesson) bool { return !l.Pinned }) {
		return Pin
	}
	return Unpin
}

// edits returns an action that changes what a lesson says.
func edits(change func(lessons.Lesson) lessons.Lesson) Action {
	return Action{Op: lessons.OpEdit, Verb: "edit", Done: "edited", Rewords: true, once: true, apply: changes(change)}
}

// changes adapts a change that records no decision to what an action applies.
func changes(change func(lessons.Lesson) lessons.Lesson) func(lessons.Lesson, lessons.Decision) (lessons.Lesson, error) {
	return func(l lessons.Lesson, _ lessons.Decision) (lessons.Lesson, error) {
		l = change(l)
		return l, l.Validate()
	}
}

// pins pins a lesson or unpins it.
func pins(pin bool) func(lessons.Lesson, lessons.Decision) (lessons.Lesson, error) {
	return changes(func(l lessons.Lesson) lessons.Lesson {
		l.Pinned = pin
		return l
	})
}

// Edit applies a person's edit to a lesson, as far as [Edited] does.
func Edit(edited lessons.Lesson) Action {
	return edits(func(l lessons.Lesson) lessons.Lesson { return Edited(l, edited) })
}

// Edited returns l with the changes of edited that a person may make: wording, category,
// scope, limits, tags, triggers, pin, fields of other programs, removed evidence, and the
// confidence, which becomes the person's own. The lesson's identity, decisions and outcomes
// stay, and evidence is not added or reworded. Triggers that the person did not touch
// follow the sentence ([lessons.Lesson.Reworded]).
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

// kept returns the pieces of evidence that are in both, unchanged: a quote is what somebody
// said and cannot be edited.
func kept(before, after []lessons.Evidence) []lessons.Evidence {
	return slices.DeleteFunc(slices.Clone(before), func(e lessons.Evidence) bool {
		return !slices.ContainsFunc(after, func(o lessons.Evidence) bool {
			return o.Quote == e.Quote || o.Session == e.Session && o.Line == e.Line
		})
	})
}

// Restore gives a lesson the text of an earlier version, numbered as in its history.
func Restore(version int, then lessons.Lesson) Action {
	what := fmt.Sprintf("version %d", version)
	return Action{Op: lessons.OpRestore, Verb: "restore " + what + " of", Done: "restored to " + what + ":", Rewords: true, once: true,
		apply: changes(func(l lessons.Lesson) lessons.Lesson { return l.Restored(then) })}
}

// Then returns an action that applies a and then b as one step of the journal, which is
// undone as one.
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
