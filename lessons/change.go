package lessons

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// A Cursor is a place in the order of all changes to a corpus. It is opaque;
// "" is the beginning. Whoever follows a corpus keeps the cursor of the last
// change it has dealt with, and writes its own result first, so that a crash
// repeats work and loses none.
type Cursor string

// ErrCursor is what a log answers to a cursor that is not its own (the journal
// was deleted, or the corpus is another): whoever follows starts again from "".
var ErrCursor = errors.New("the cursor is not of this journal")

// An Op says what a write did. Journals keep it as a string; one written by
// another version of the program may hold others than these.
type Op string

// What a person, or a program on their behalf, does to lessons.
const (
	OpAdd     Op = "add"     // write a lesson by hand
	OpPropose Op = "propose" // put an extracted lesson into the queue
	OpApprove Op = "approve"
	OpConfirm Op = "confirm" // approve again what was approved
	OpReject  Op = "reject"
	OpArchive Op = "archive"
	OpReopen  Op = "reopen"
	OpSnooze  Op = "snooze"
	OpPin     Op = "pin"
	OpUnpin   Op = "unpin"
	OpGuard   Op = "guard"   // have calls stopped that a lesson forbids
	OpUnguard Op = "unguard" // let them pass again
	OpEdit    Op = "edit"
	OpRestore Op = "restore" // give a lesson back the text of an earlier version
	OpRename  Op = "rename"  // move lessons to another project
	OpMerge   Op = "merge"
	OpSplit   Op = "split"   // take a lesson out of a merge again
	OpResolve Op = "resolve" // settle a contradiction
	OpRedact  Op = "redact"  // take secrets out before lessons are pushed
)

// What came of a lesson.
const (
	OpUse       Op = "use"       // a session was given it
	OpWitness   Op = "witness"   // a session said it again: more evidence
	OpFeedback  Op = "feedback"  // a person or an agent reported an outcome
	OpCorrected Op = "corrected" // a person corrected an agent that had been given it
	OpOutcome   Op = "outcome"   // a session that was given it was read for what came of it
	OpTakeBack  Op = "take-back" // an outcome was withdrawn
	OpRemark    Op = "remark"    // an agent said something of it for a person to read, and nothing changed
)

// What the store does by itself.
const (
	OpPut      Op = "put"      // a write that names no other
	OpAdopt    Op = "adopt"    // files taken over that names no other
	OpSync     Op = "sync"     // what another copy of the corpus had
	OpUndo     Op = "undo"     // see [Change.Turns]
	OpRedo     Op = "redo"     // see [Change.Turns]
	OpForget   Op = "forget"   // erased for good: nothing else is known of it
	OpExternal Op = "external" // another program changed the files
)

// Ops are all of them, in the order of their constants.
var Ops = []Op{
	OpAdd, OpPropose, OpApprove, OpConfirm, OpReject, OpArchive, OpReopen, OpSnooze, OpPin, OpUnpin, OpGuard, OpUnguard, OpEdit, OpRestore,
	OpRename, OpMerge, OpSplit, OpResolve, OpRedact, OpUse, OpWitness, OpFeedback, OpCorrected, OpOutcome, OpTakeBack, OpRemark,
	OpPut, OpAdopt, OpSync, OpUndo, OpRedo, OpForget, OpExternal,
}

// Decides reports whether a write means that a person has looked at what the
// lessons say: from then on their text is theirs, whoever wrote it. Moving lessons to
// another project or putting them off does not.
func (op Op) Decides() bool {
	switch op {
	case OpAdd, OpApprove, OpConfirm, OpReject, OpArchive, OpReopen, OpPin, OpEdit, OpRestore, OpMerge, OpSplit, OpResolve:
		return true
	}
	return false
}

// A Change is one lesson as one write left it.
type Change struct {
	Cursor  Cursor // of the place behind this change
	ID      ID
	Before  *Lesson // nil when it is new, or when the order begins here
	After   *Lesson // nil when it is gone
	Op      Op      // what was done
	By      string  // who did it
	How     string  // how a person decided: at a terminal or by a script, and in which programs; "" for all else
	Why     string  // said for it; "" for nothing
	Session string  // of the agent in which it was reported; "" for none
	At      time.Time
	Batch   uint64   // changes of one write share a number, and are undone together
	Turns   []uint64 // of an undo or redo: the batches that it took back or did again
	Turned  Op       // what the last of these was, in the answer to the undo or redo alone
}

// Subject is the lesson that a change is about: as it was left or, when it is gone, as
// it was.
func (c Change) Subject() Lesson {
	switch {
	case c.After != nil:
		return *c.After
	case c.Before != nil:
		return *c.Before
	}
	return Lesson{ID: c.ID}
}

// A Difference is one field that a change left otherwise than it was, as text.
type Difference struct {
	Field         string // its name in the frontmatter, or content, insight, example
	Before, After string // "" when it had no value
}

// Differences lists what a change changed, in the order of the frontmatter. Of
// a lesson that is new they are all that it has; of one that is gone only that.
func (c Change) Differences() []Difference {
	var before, after Lesson
	switch {
	case c.After == nil && c.Before == nil:
		return nil
	case c.After == nil:
		return []Difference{{"file", "", "removed"}}
	}
	after = *c.After
	if c.Before != nil {
		before = *c.Before
	}
	var out []Difference
	for _, f := range []Difference{
		{"status", string(before.Status), string(after.Status)},
		{"content", before.Content, after.Content},
		{"insight", before.Insight, after.Insight},
		{"example", before.Example, after.Example},
		{"category", string(before.Category), string(after.Category)},
		{"project", before.Scope.Project, after.Scope.Project},
		{"role", before.Scope.Role, after.Scope.Role},
		{"global", yes(before.Scope.Global), yes(after.Scope.Global)},
		{"paths", strings.Join(before.Limit.Paths, ", "), strings.Join(after.Limit.Paths, ", ")},
		{"agent", before.Limit.Agent, after.Limit.Agent},
		{"expires", expiry(before), expiry(after)},
		{"confidence", before.Confidence.String(), after.Confidence.String()},
		{"score_by", byWhom(before), byWhom(after)},
		{"pinned", yes(before.Pinned), yes(after.Pinned)},
		{"guard", guards(before), guards(after)},
		{"used", tally(before.Use.Used), tally(after.Use.Used)},
		{"helped", tally(before.Use.Helped), tally(after.Use.Helped)},
		{"harmed", tally(before.Use.Harmed), tally(after.Use.Harmed)},
		{"outcomes", tally(before.Proof.Outcomes), tally(after.Proof.Outcomes)},
		{"confirmations", tally(before.Proof.Confirmations), tally(after.Proof.Confirmations)},
		{"tags", strings.Join(before.Tags, ", "), strings.Join(after.Tags, ", ")},
		{"triggers", strings.Join(before.Triggers, ", "), strings.Join(after.Triggers, ", ")},
		{"evidence", fmt.Sprint(len(before.Evidence)), fmt.Sprint(len(after.Evidence))},
		{"approved_by", before.Elsewhere.By, after.Elsewhere.By},
		{"reason", before.Decided.Reason, after.Decided.Reason},
		{"into", string(before.Decided.Into), string(after.Decided.Into)},
		{"superseded_by", string(before.Decided.SupersededBy), string(after.Decided.SupersededBy)},
		{"holds_with", holdings(before), holdings(after)},
		{"holds_without", strings.Join(before.Without, ", "), strings.Join(after.Without, ", ")},
	} {
		if f.Before == f.After {
			continue
		}
		if c.Before == nil {
			f.Before = ""
		}
		out = append(out, f)
	}
	return out
}

func expiry(l Lesson) string {
	if l.Limit.Until.IsZero() {
		return ""
	}
	return until(l.Limit.Until)
}

func guards(l Lesson) string {
	text := strings.Join(l.Guard.Patterns, ", ")
	if l.Guard.Deny {
		text += " (deny)"
	}
	return text
}

func holdings(l Lesson) string {
	all := make([]string, len(l.HoldsWith))
	for i, h := range l.HoldsWith {
		all[i] = h.String()
	}
	return strings.Join(all, ", ")
}

func byWhom(l Lesson) string {
	if l.Proof.Own {
		return "person"
	}
	return ""
}

// tally is a counter as a file has it.
func tally(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return ""
}
