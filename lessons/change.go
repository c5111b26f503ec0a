package lessons

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// A Cursor is a position in the history of a corpus. It is opaque; "" is the beginning. A
// follower saves the cursor of the last change it has handled after it has saved its own
// result, so that a crash repeats work but loses none.
type Cursor string

// ErrCursor is returned for a cursor of another journal: the journal was deleted, or the
// corpus is a different one. The caller should start again from "".
var ErrCursor = errors.New("the cursor is not of this journal")

// An Op says what a write did. Journals store it as a string; other versions of the
// program may write other values.
type Op string

// Things that a person, or a program on their behalf, does to lessons.
const (
	OpAdd     Op = "add"     // write a lesson by hand
	OpPropose Op = "propose" // put an extracted lesson into the queue
	OpApprove Op = "approve"
	OpConfirm Op = "confirm" // approve an approved lesson again
	OpReject  Op = "reject"
	OpArchive Op = "archive"
	OpReopen  Op = "reopen"
	OpSnooze  Op = "snooze"
	OpPin     Op = "pin"
	OpUnpin   Op = "unpin"
	OpGuard   Op = "guard"   // stop the calls that a lesson forbids
	OpUnguard Op = "unguard" // allow them again
	OpEdit    Op = "edit"
	OpRestore Op = "restore" // restore the text of an earlier version
	OpRename  Op = "rename"  // move lessons to another project
	OpMerge   Op = "merge"
	OpSplit   Op = "split"   // undo a merge for one lesson
	OpResolve Op = "resolve" // settle a contradiction
	OpRedact  Op = "redact"  // remove secrets before lessons are pushed
)

// Things that happen to a lesson in use.
const (
	OpUse       Op = "use"       // a session was given it
	OpWitness   Op = "witness"   // a session said it again: more evidence
	OpFeedback  Op = "feedback"  // a person or an agent reported an outcome
	OpCorrected Op = "corrected" // a person corrected an agent that had been given it
	OpOutcome   Op = "outcome"   // the outcome of a session that was given it was determined
	OpTakeBack  Op = "take-back" // an outcome was withdrawn
	OpRemark    Op = "remark"    // an agent left a note for a person; nothing changed
)

// Things that the store does by itself.
const (
	OpPut      Op = "put"      // a write without an Op
	OpAdopt    Op = "adopt"    // an adoption without an Op
	OpSync     Op = "sync"     // changes from another copy of the corpus
	OpUndo     Op = "undo"     // see [Change.Turns]
	OpRedo     Op = "redo"     // see [Change.Turns]
	OpForget   Op = "forget"   // erased for good
	OpExternal Op = "external" // another program changed the files
)

// Ops are all of them, in the order of their constants.
var Ops = []Op{
	OpAdd, OpPropose, OpApprove, OpConfirm, OpReject, OpArchive, OpReopen, OpSnooze, OpPin, OpUnpin, OpGuard, OpUnguard, OpEdit, OpRestore,
	OpRename, OpMerge, OpSplit, OpResolve, OpRedact, OpUse, OpWitness, OpFeedback, OpCorrected, OpOutcome, OpTakeBack, OpRemark,
	OpPut, OpAdopt, OpSync, OpUndo, OpRedo, OpForget, OpExternal,
}

// Decides reports whether the write means that a person has read the lessons, so that
// their text counts as that person's from then on. Moving lessons to another project or
// snoozing them does not.
func (op Op) Decides() bool {
	switch op {
	case OpAdd, OpApprove, OpConfirm, OpReject, OpArchive, OpReopen, OpPin, OpEdit, OpRestore, OpMerge, OpSplit, OpResolve:
		return true
	}
	return false
}

// ByProgram is what [Change.How] begins with when no person was known to sit above the
// program that decided.
const ByProgram = "a program"

// A Change is one lesson before and after one write.
type Change struct {
	Cursor  Cursor // just after this change
	ID      ID
	Before  *Lesson // nil if the lesson is new or the history begins here
	After   *Lesson // nil if the lesson is gone
	Op      Op      // what was done
	By      string  // who did it
	How     string  // how a person decided: at a terminal or by a script, and in which programs; else ""
	Why     string  // the reason given, if any
	Session string  // the agent session that reported it, if any
	At      time.Time
	Batch   uint64   // shared by the changes of one write, which are undone together
	Turns   []uint64 // for an undo or redo: the batches it undid or redid
	Turned  Op       // the Op of the last of these; set only in the result of Undo and Redo
}

// Subject returns the lesson after the change or, if it is gone, before it.
func (c Change) Subject() Lesson {
	switch {
	case c.After != nil:
		return *c.After
	case c.Before != nil:
		return *c.Before
	}
	return Lesson{ID: c.ID}
}

// A Difference is one field that a change altered, as text.
type Difference struct {
	Field         string // its name in the frontmatter, or content, insight, example
	Before, After string // "" if it had no value
}

// Differences lists the altered fields, in frontmatter order. For a new lesson that is
// every field it has, for a removed one every field it had.
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

// tally formats a counter as in a file.
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
